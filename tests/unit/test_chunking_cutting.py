"""Cuts that know nothing of graphemes, blanks or line ends become chunks that do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfit.chunking.cutting import cut_at
from chunkfit.chunking.line_ends import Unified


def texts(text: str, *cuts: int) -> list[str]:
    return [span.of(text) for span in cut_at(text, cuts)]


def test_a_text_is_cut_where_it_is_said():
    assert texts("abcd", 1, 3) == ["a", "bc", "d"]


def test_without_cuts_a_text_is_one_chunk_and_an_empty_one_none():
    assert texts("abc") == ["abc"]
    assert texts("  ") == ["  "]
    assert texts("") == []


def test_cuts_at_the_ends_and_repeated_ones_make_no_empty_chunk():
    assert texts("abc", 0, 1, 1, 3) == ["a", "bc"]


def test_blanks_go_with_what_follows_them_and_the_last_ones_with_the_last():
    # at the edges of all words
    assert texts("Tea is hot.  ", 0, 3, 4, 6, 7, 10, 12) == ["Tea", " is", " hot", ".  "]
    assert texts("  a", 1, 2) == ["  a"]


def test_a_cut_inside_a_grapheme_moves_in_front_of_it():
    assert texts("ae\u0301b", 2) == ["a", "e\u0301b"]
    assert texts("a\r\nb", 2) == ["a", "\r\nb"]


@pytest.mark.parametrize("unit", ["a", " ", "\r\n", "\u0301", "🇫", "👨\u200d"], ids=ascii)
def test_cuts_everywhere_come_to_an_end(unit):
    text = (unit * 100_000)[:100_000]
    assert "".join(span.of(text) for span in cut_at(text, range(len(text)))) == text


def test_offsets_lead_back_from_the_text_with_one_kind_of_line_end():
    unified = Unified("a\r\nb\rc\r\n\r\nd")
    assert unified.text == "a\nb\nc\n\nd"
    # a=0 CRLF=1-2 b=3 CR=4 c=5 CRLF=6-7 CRLF=8-9 d=10
    assert [unified.original(offset) for offset in range(9)] == [0, 1, 3, 4, 5, 6, 8, 10, 11]


@given(st.text(alphabet="a\r\n", max_size=30))
def test_every_offset_leads_back_to_the_same_character(text):
    unified = Unified(text)
    for offset, character in enumerate(unified.text):
        original = text[unified.original(offset)]
        assert original == character or (character, original) == ("\n", "\r")
    assert unified.original(len(unified.text)) == len(text)
