"""Split by separators, then merge."""

from itertools import pairwise

import pytest

from chunkfit.chunking import chunkers
from chunkfit.chunking.recursive import recursive, split_recursively
from chunkfit.chunking.separators import before
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Span
from chunkfit.tokens import TokenIndex


def evidence(text: str) -> Evidence:
    return Evidence(Document("text", text), default_engines())


def texts(text: str, **settings) -> list[str]:
    return [span.of(text) for span in recursive(evidence(text), **settings).spans]


def test_pieces_are_cut_before_separators_and_merged_while_they_fit():
    # 5 words and a stop are 6 tokens a line; with its line break before it, a line is 7, so two fit into 14
    line = "one two three four five."
    text = "\n".join([line] * 4)
    assert texts(text, size=14) == [f"{line}\n{line}", f"\n{line}\n{line}"]


def test_a_coarser_separator_goes_first():
    # 20 tokens do not fit into 12: the heading parts the text before any line does
    text = "one two three four five.\n# Heading\nsix seven eight nine ten."
    assert texts(text, size=12) == ["one two three four five.\n", "# Heading\nsix seven eight nine ten."]


def test_only_what_is_too_large_is_split_further():
    text = "A short line, with commas, stays whole.\n" + "another, longer one, " * 10
    found = texts(text, size=20)
    assert found[0].startswith("A short line, with commas, stays whole.")
    assert all(chunk.startswith(",") for chunk in found[1:])


def test_a_piece_of_less_than_ten_characters_joins_the_next():
    # "# Tiny\n" has 7 characters; with it the first chunk has 3 + 7 tokens, so alone it would have joined the second
    text = "# One and some more words\n# Tiny\n# Two and some more words\n"
    assert texts(text, size=10) == ["# One and some more words\n", "# Tiny\n# Two and some more words\n"]
    assert texts(text, size=10, shortest=1) == [
        "# One and some more words\n# Tiny\n",
        "# Two and some more words\n",
    ]


def test_without_a_separator_pieces_are_cut_between_graphemes():
    assert texts("a" * 40, size=2) == ["a" * 16, "a" * 16, "a" * 8]  # 8 letters are one token


def test_a_separator_that_never_occurs_bounds_size_all_the_same():
    text = "w " * 30
    tokens = TokenIndex(text)
    spans = split_recursively(tokens, Span(0, 60), 10, separators=(before("\n\n"),))
    assert all(tokens.count(span.start, span.end) <= 10 for span in spans)
    assert "".join(span.of(text) for span in spans) == text


def test_short_pieces_behind_a_long_one_are_merged():
    found = texts("averyveryverylongword a b c d", size=6)
    assert "".join(found) == "averyveryverylongword a b c d"
    assert len(found) == 2  # "a very very very long word" is 6 or 7 tokens, and the rest fits in one chunk


def test_a_grapheme_above_the_limit_is_a_chunk_of_its_own_and_flagged():
    family = "👨\u200d👩\u200d👧"
    chunking = recursive(evidence(f"ab{family}cd"), size=3)
    assert [(span.start, span.end) for span in chunking.spans] == [(0, 2), (2, 7), (7, 9)]
    assert [flag.chunk_index for flag in chunking.flags] == [1]
    assert "single grapheme" in chunking.flags[0].reason


def test_overlap_repeats_the_end_of_the_chunk_before():
    text = "word " * 100
    chunking = recursive(evidence(text), size=10, overlap=4)
    tokens = TokenIndex(text)
    shared = [first.end - second.start for first, second in pairwise(chunking.spans)]
    assert all(0 < tokens.count(span.start, span.end) <= 10 for span in chunking.spans)
    assert min(shared) > 0
    assert max(shared) == chunking.overlap
    assert chunking.spans[-1].end == len(text)


def test_overlap_works_where_text_is_cut_by_force():
    spans = split_recursively(TokenIndex("q" * 200), Span(0, 200), 8, overlap=2, separators=(before("\n\n"),))
    assert all(second.start < first.end < second.end for first, second in pairwise(spans))


def test_overlap_is_not_repeated_at_each_level_of_separators():
    text = "Head\n" + "long line " * 40 + "\n\nNext\n" + "long line " * 40
    tokens = TokenIndex(text)
    chunking = recursive(evidence(text), size=50, overlap=10)
    for first, second in pairwise(chunking.spans):
        assert tokens.count(second.start, max(first.end, second.start)) <= 10


def test_a_text_that_fits_is_one_chunk_whatever_the_overlap():
    assert len(texts("one two three four five six seven eight", size=10, overlap=4)) == 1


def test_a_separator_without_width_makes_no_empty_chunk():
    # a word has an edge at its start and one at its end
    text = "one two three four"
    found = split_recursively(TokenIndex(text), Span(0, 18), 2, separators=(before(r"\b"),), shortest=1)
    assert all(found)
    with pytest.raises(ValueError, match="shortest must be at least 1"):
        texts("one two", size=2, shortest=0)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (4, 4), (4, 5), (4, -1)])
def test_sizes_that_leave_no_room_are_refused_before_any_work(size, overlap):
    with pytest.raises(ValueError, match=r"size|overlap"):
        recursive(evidence("one two three four five six"), size=size, overlap=overlap)


@pytest.mark.parametrize("name", ["recursive_1100", "recursive_600"])
def test_an_empty_text_has_no_chunks_and_a_blank_one_has(name):
    assert chunkers[name].make(evidence("")) == Chunking(name, ())
    assert chunkers[name].make(evidence(" \n ")).spans == (Span(0, 3),)


def test_crlf_counts_as_one_line_end():
    text = "one two three four\r\n\r\nfive six seven eight"
    assert texts(text, size=6) == ["one two three four", "\r\n\r\nfive six seven eight"]
