"""Where text may be cut."""

import pytest
import regex

from chunkfit import graphemes

FAMILY = "👨\u200d👩\u200d👧"  # three people, two joiners: 5 code points, one grapheme


def test_letters_may_be_parted_anywhere():
    assert [graphemes.floor("word", position) for position in range(5)] == [0, 1, 2, 3, 4]


def test_a_crlf_is_never_cut():
    assert graphemes.floor("a\r\nb", 2) == 1
    assert graphemes.ceiling("a\r\nb", 2) == 3
    assert graphemes.floor("a\n\rb", 2) == 2


@pytest.mark.parametrize(
    "cluster", [FAMILY, "e\u0301", "👍🏽", "🇫🇷", "각", "\u1100\u1161\u11a8", "क्षि", " \u0301"], ids=ascii
)
def test_what_a_reader_sees_as_one_character_is_never_cut(cluster):
    text = f"a{cluster}z"
    for position in range(2, len(cluster) + 1):
        assert graphemes.floor(text, position) == 1
        assert graphemes.ceiling(text, position) == 1 + len(cluster)


def test_flags_pair_up_from_where_their_run_starts():
    # four flags are eight letters: cuts at 0, 2, 4, 6, 8
    assert graphemes.floor("🇫🇷🇩🇪🇮🇹🇪🇸", 5) == 4
    assert graphemes.ceiling("🇫🇷🇩🇪🇮🇹🇪🇸", 5) == 6


def test_boundaries_are_all_the_places_for_a_cut():
    assert graphemes.boundaries("abc", 0, 3).tolist() == [0, 1, 2, 3]
    assert graphemes.boundaries(f"a{FAMILY}\r\n", 0, 8).tolist() == [0, 1, 6, 8]
    assert graphemes.boundaries(f"a{FAMILY}z", 1, 6).tolist() == [1, 6]
    assert graphemes.boundaries("", 0, 0).tolist() == [0]


@pytest.mark.slow
@pytest.mark.timeout(30)  # each takes a fraction of a second; bare \X takes minutes
@pytest.mark.parametrize("unit", ["\u0301", "🇫", "👨\u200d", "한", "\u200d", "e\u0301"], ids=ascii)
def test_a_hundred_thousand_sticky_characters_are_read_once(unit):
    text = (unit * 100_000)[:100_000]
    found = graphemes.floor(text, 99_999)
    assert len(graphemes.boundaries(text, 0, 100_000)) >= 2
    # regex agrees on a text short enough for its own way of counting flags
    short = text[:999]
    ends = [match.end() for match in regex.finditer(r"\X", short)]
    assert graphemes.boundaries(short, 0, 999).tolist() == [0, *ends]
    assert found <= 99_999
