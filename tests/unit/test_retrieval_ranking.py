"""The best chunks in order, and one ranking from several."""

import numpy as np
import pytest

from chunkfit.retrieval import best, reciprocal_rank_fusion

NONE = -np.inf


def test_the_best_come_first_and_equal_ones_in_the_order_of_the_chunks():
    scores = np.array([[1, 3, 3, 2], [5, 5, 5, 5]], np.float32)
    assert best(scores, 4).tolist() == [[1, 2, 3, 0], [0, 1, 2, 3]]
    assert best(scores, 1).tolist() == [[1], [0]]
    assert best(scores, 9).tolist() == best(scores, 4).tolist()


def test_what_is_not_found_has_no_place():
    assert best(np.array([[NONE, 1.0, NONE], [NONE] * 3]), 2).tolist() == [[1, -1], [-1, -1]]


def test_no_chunks_no_queries_and_no_depth_give_empty_rankings():
    assert best(np.empty((2, 0)), 5).shape == (2, 0)
    assert best(np.empty((0, 3)), 5).shape == (0, 3)
    assert best(np.ones((2, 3)), 0).shape == (2, 0)


def test_fusion_adds_the_reciprocals_of_the_places():
    # places in the first ranking 1, 2, 3; in the second 3, 1, 2
    fused = reciprocal_rank_fusion(np.array([[0.9, 0.8, 0.7]]), np.array([[1.0, 3.0, 2.0]]))
    assert fused == pytest.approx(np.array([[1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62]]))


def test_only_rankings_that_find_a_chunk_count_for_it():
    fused = reciprocal_rank_fusion(np.array([[NONE, 5.0, NONE]]), np.array([[2.0, NONE, NONE]]), k=0)
    assert fused.tolist() == [[1.0, 1.0, NONE]]


def test_equal_scores_take_places_in_the_order_of_the_chunks():
    assert reciprocal_rank_fusion(np.array([[7.0, 7.0, 7.0]]), k=0).tolist() == [[1, 1 / 2, 1 / 3]]
    many = np.array([[1.0, 0.0] * 500])
    assert np.argsort(-reciprocal_rank_fusion(many)).tolist() == [[*range(0, 1000, 2), *range(1, 1000, 2)]]


def test_a_negative_k_is_refused():
    with pytest.raises(ValueError, match="at least 0, got -1"):
        reciprocal_rank_fusion(np.ones((1, 2)), k=-1)
