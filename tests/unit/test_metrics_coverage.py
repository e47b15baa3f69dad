import pytest

from chunkfit.metrics.coverage import strict as coverage
from chunkfit.model import Score


def test_all_text_in_chunks_is_full_coverage(evidence, chunking):
    assert coverage(chunking((0, 5), (5, 10)), evidence("abcdefghij")) == Score(1.0)


def test_blanks_between_chunks_are_not_missed(evidence, chunking):
    assert coverage(chunking((0, 3), (6, 9)), evidence("abc   def\n")) == Score(1.0)


def test_dropped_text_opens_the_gate_and_says_how_much(evidence, chunking):
    # "de" is in no chunk: 2 of 8 visible characters
    score = coverage(chunking((0, 3), (5, 9)), evidence("abcde fgh"))
    assert score == Score(0.75, "drops 2 of 8 non-blank characters")


def test_repeated_text_within_the_declared_overlap_is_as_declared(evidence, chunking):
    assert coverage(chunking((0, 6), (3, 10), overlap=3), evidence("abcdefghij")) == Score(1.0)


def test_repeated_text_beyond_the_declared_overlap_is_a_fault(evidence, chunking):
    # 3 characters shared, 1 declared: 2 of 10 too many
    score = coverage(chunking((0, 6), (3, 10), overlap=1), evidence("abcdefghij"))
    assert score.value == pytest.approx(0.8)
    assert score.reason == "repeats 2 non-blank characters beyond its declared overlap of 1"


def test_text_repeated_by_a_chunk_further_on_is_noticed(evidence, chunking):
    # the third chunk lies inside the first: 4 repeated characters, though its neighbour shares only the 2 of [4,6)
    score = coverage(chunking((0, 8), (3, 10), (4, 8), overlap=5), evidence("abcdefghij"))
    assert score == Score(1.0)
    assert coverage(chunking((0, 8), (3, 10), (4, 8), overlap=3), evidence("abcdefghij")).value == pytest.approx(0.7)


def test_no_chunks_cover_nothing_and_a_blank_text_has_nothing_to_cover(evidence, chunking):
    assert coverage(chunking(), evidence("abc")).value == 0.0
    assert coverage(chunking(), evidence(" \n")) == Score(None, "the text is blank")
    assert coverage(chunking(), evidence("")).value is None


def test_a_score_stays_within_bounds_however_often_text_is_repeated(evidence, chunking):
    assert coverage(chunking(*[(0, 3)] * 9), evidence("abc")).value == 0.0
