from math import sqrt

import pytest

from chunkfit.metrics import contextual_coherence
from chunkfit.model import Score

# Vectors count letters: see conftest. "a a", " a b" and " b b" are two tokens each.
TEXT = "a a a b b b"
THREE = ((0, 3), (3, 7), (7, 11))


def test_paper_compares_each_window_with_each_of_its_chunks(evidence, chunking):
    # windows of at most 4 tokens: "a a a b" (3,1) with chunks (1,0) and (1,1); " a b b b" (1,3) with (1,1) and (0,1)
    # cosines 3/sqrt(10), 4/sqrt(20), 4/sqrt(20), 3/sqrt(10)
    score = contextual_coherence.paper(chunking(*THREE), evidence(TEXT), window_tokens=4)
    assert score.value == pytest.approx((3 / sqrt(10) + 4 / sqrt(20)) / 2, abs=1e-6)


def test_paper_passes_over_windows_that_end_where_the_one_before_did(evidence, chunking):
    # 6 tokens hold all three: one window (3,3), cosines 1/sqrt(2), 1, 1/sqrt(2); " a b b b" ends there, too
    score = contextual_coherence.paper(chunking(*THREE), evidence(TEXT), window_tokens=6)
    assert score.value == pytest.approx((1 / sqrt(2) + 1 + 1 / sqrt(2)) / 3, abs=1e-6)


def test_paper_counts_shared_text_once_in_a_window(evidence, chunking):
    # chunks "a a a" (3 tokens) and " a b" of which " b" is new: 4 tokens, so both are in the window (3,1)
    overlapping = chunking((0, 5), (3, 7), overlap=2)
    score = contextual_coherence.paper(overlapping, evidence("a a a b"), window_tokens=4)
    assert score.value == pytest.approx((3 / sqrt(10) + 4 / sqrt(20)) / 2, abs=1e-6)


@pytest.mark.parametrize("metric", [contextual_coherence.paper, contextual_coherence.strict])
def test_a_single_chunk_has_no_surroundings(metric, evidence, chunking):
    assert metric(chunking((0, 11)), evidence(TEXT)).value is None
    assert metric(chunking(), evidence(TEXT)).value is None


def test_paper_has_no_value_where_no_window_holds_two_chunks(evidence, chunking):
    score = contextual_coherence.paper(chunking(*THREE), evidence(TEXT), window_tokens=3)
    assert score == Score(None, "no two neighbouring chunks fit into 3 tokens")


def test_strict_compares_a_chunk_with_its_neighbours_and_not_with_itself(evidence, chunking):
    # two tokens a side are one chunk: (1,0) with (1,1): 1/sqrt(2); (1,1) with 2 (1,0) + 2 (0,1): 1; then 1/sqrt(2)
    score = contextual_coherence.strict(chunking(*THREE), evidence(TEXT), side_tokens=2)
    assert score.value == pytest.approx((1 / sqrt(2) + 1 + 1 / sqrt(2)) / 3, abs=1e-6)


def test_strict_takes_one_neighbour_a_side_however_large_it_is(evidence, chunking):
    assert contextual_coherence.strict(chunking(*THREE), evidence(TEXT), side_tokens=0) == contextual_coherence.strict(
        chunking(*THREE), evidence(TEXT), side_tokens=2
    )


def test_strict_weighs_the_sides_by_their_tokens(evidence, chunking):
    # "a a a" with " b b": 0
    # " b" with 3 tokens of (1,0) on its left and 1 of (0,1) on its right, (3,1)/sqrt(10): 1/sqrt(10)
    # " b" with "a a a b", (3,1)/sqrt(10): 1/sqrt(10)
    score = contextual_coherence.strict(chunking((0, 5), (5, 7), (7, 9)), evidence("a a a b b"))
    assert score.value == pytest.approx(2 / sqrt(10) / 3, abs=1e-6)


def test_strict_passes_over_a_chunk_that_holds_nothing_new(evidence, chunking):
    once, twice = chunking(*THREE), chunking((0, 3), (3, 7), (3, 7), (5, 7), (7, 11), overlap=4)
    known = evidence(TEXT)
    assert contextual_coherence.strict(twice, known) == contextual_coherence.strict(once, known)
