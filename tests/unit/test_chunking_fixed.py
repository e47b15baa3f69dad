"""As many tokens as fit, cut behind a separator where one fits."""

from itertools import pairwise

import pytest

from chunkfit.chunking import cut_raw
from chunkfit.chunking.fixed import fixed
from chunkfit.chunking.fixed_tokens import fixed_tokens
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from chunkfit.tokens import TokenIndex

LETTERS = "a b c. d e. f g h i j k l m. n. o p q."


def known(text: str) -> Evidence:
    return Evidence(Document("text", text), default_engines())


def texts(text: str, **settings) -> list[str]:
    return [span.of(text) for span in fixed(known(text), **settings).spans]


@pytest.mark.parametrize("text", [LETTERS, "a" * 500, "漢字仮名交じり文" * 30, "👍🏽👍🏽", "x\r\ny\r\n" * 20, ""])
@pytest.mark.parametrize(("size", "overlap"), [(512, 0), (5, 0), (7, 3), (3, 2)])
def test_without_a_separator_chunks_are_those_of_fixed_tokens(text, size, overlap):
    for separator in ("", "~"):  # none, and one that does not occur
        found = fixed(known(text), size=size, overlap=overlap, separator=separator)
        assert found.spans == fixed_tokens(known(text), size=size, overlap=overlap).spans


def test_chunks_end_behind_the_last_separator_that_fits():
    # tokens: "a b c." 4, " d e." 3, " f ... m." 9, " n." 2, " o p q." 4; a stop and the blank behind it are two tokens
    assert texts("a b c. d e. f g h", size=8, separator=".") == ["a b c. d e.", " f g h"]


def test_where_no_separator_fits_the_tokens_decide():
    # nine tokens without a stop, six at most
    assert texts(LETTERS, size=6, separator=".") == ["a b c.", " d e.", " f g h i j k", " l m. n.", " o p q."]


def test_a_separator_that_never_occurs_changes_nothing():
    found = texts("w " * 30, size=10, separator="\n\n")
    assert [TokenIndex(one).total for one in found] == [10, 10, 10, 1]


def test_what_fits_is_not_cut():
    assert texts("a. b. c.", size=10, separator=".") == ["a. b. c."]
    assert texts("one two three four five six seven eight", size=10, overlap=4, separator=" ") == [
        "one two three four five six seven eight"
    ]


def test_the_overlap_begins_behind_a_separator():
    # six tokens at most, three of them shared: whole sentences where they are short enough
    assert texts("a b. c d. e f. g h.", size=6, overlap=3, separator=".") == [
        "a b. c d.",
        " c d. e f.",
        " e f. g h.",
    ]


def test_an_overlap_that_would_cut_a_sentence_is_left_out():
    # the second sentence has five tokens: with one before it, it would not fit; no stop lies within four of its end
    assert texts("a b. c d e f. g h i j.", size=6, overlap=4, separator=".") == ["a b.", " c d e f.", " g h i j."]


def test_where_the_tokens_decide_the_overlap_is_kept():
    # 80 letters are ten tokens, and 12 of them two; 13 are three
    found = [(span.start, span.end) for span in fixed(known("a" * 200), size=10, overlap=2, separator=".").spans]
    assert found == [(0, 80), (68, 148), (136, 200)]


def test_a_separator_may_be_of_several_characters():
    assert texts("a\n\nb\n\nc d", size=4, separator="\n\n") == ["a\n\nb\n\n", "c d"]
    assert "".join(texts("red ;  green;blue", size=3, separator=";  ")) == "red ;  green;blue"
    text = "one, two, three"
    spans = cut_raw('fixed[size=3,separator=", "]', known(text)).spans
    assert [span.of(text) for span in spans] == ["one, ", "two, three"]


def test_a_separator_inside_a_grapheme_cuts_nothing():
    for text, separator in (("a\r\nb\r\nc\r\nd", "\r"), ("e\u0301 " * 9, "e"), ("🇫🇷🇩🇪" * 4, "🇫")):
        found = fixed(known(text), size=4, separator=separator)
        assert found.spans == fixed_tokens(known(text), size=4).spans


def test_the_next_chunk_always_adds_something():
    for overlap in range(8):
        spans = fixed(known(LETTERS * 5), size=8, overlap=overlap, separator=".").spans
        assert all(first.start < second.start and first.end < second.end for first, second in pairwise(spans))


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (4, 4), (4, 9), (4, -1)])
def test_sizes_that_leave_no_room_are_refused(size, overlap):
    with pytest.raises(ValueError, match=r"size|overlap"):
        fixed(known("hello"), size=size, overlap=overlap, separator=".")
