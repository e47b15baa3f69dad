"""What comes back within a budget of tokens, by hand."""

import numpy as np
import pytest
from fakes.tables import rankings, relevance

from chunkfit.retrieval import within_budgets

# [0, 40) of 10 tokens, [40, 60) of 10, [60, 100) of 20; the answer is [30, 50)
ROWS = [(0, 40, 10), (40, 60, 10), (60, 100, 20)]


def measured(found, *budgets, rows=ROWS, references=((30, 50),)):
    one = within_budgets(rankings(found), relevance(rows, references), budgets)
    return [(m.recall[0], m.precision[0], m.iou[0], m.signal_ratio[0]) for m in (one[budget] for budget in budgets)]


def test_chunks_are_taken_in_the_order_of_the_ranking_and_the_last_is_cut_in_proportion():
    # 5 tokens: [40, 50), all of it answer. 10: [40, 60). 15: and half of [0, 40), that without answer. 20: all of it.
    assert measured([1, 0, 2], 5, 10, 15, 20) == [
        pytest.approx((10 / 20, 10 / 10, 10 / 20, 1)),
        pytest.approx((10 / 20, 10 / 20, 10 / 30, 10 / 20)),
        pytest.approx((10 / 20, 10 / 40, 10 / 50, 10 / 40)),
        pytest.approx((20 / 20, 20 / 60, 20 / 60, 20 / 60)),
    ]


def test_a_cut_is_rounded_down_to_a_whole_character():
    # 1 of 3 tokens of 10 characters: the first three
    assert measured([0], 1, rows=[(0, 10, 3)], references=[(0, 10)]) == [pytest.approx((0.3, 1, 0.3, 1))]


def test_a_budget_beyond_all_chunks_takes_all():
    assert measured([2, 1, 0], 1_000_000) == [pytest.approx((1, 20 / 100, 20 / 100, 20 / 100))]


def test_text_that_comes_twice_is_found_once_and_paid_for_twice():
    # both chunks hold the answer [5, 10): 5 of 20 characters paid for, of 15 different ones
    rows = [(0, 10, 5), (5, 15, 5)]
    assert measured([0, 1], 10, rows=rows, references=[(5, 10)]) == [pytest.approx((1, 5 / 20, 5 / 20, 5 / 15))]


def test_the_second_of_two_equal_chunks_adds_nothing():
    rows = [(0, 10, 5), (0, 10, 5)]
    assert measured([0, 1], 5, 10, rows=rows, references=[(0, 20)]) == [
        pytest.approx((0.5, 1, 0.5, 1)),
        pytest.approx((0.5, 0.5, 10 / 30, 1)),
    ]


def test_what_is_not_found_counts_as_nothing_retrieved():
    assert measured([-1, -1, -1], 10) == [(0, 0, 0, 0)]
    assert measured([1, -1, -1], 1000) == [pytest.approx((0.5, 0.5, 10 / 30, 0.5))]


def test_a_chunk_without_text_costs_nothing():
    assert measured([1, 0], 5, rows=[(0, 10, 5), (3, 3, 0)], references=[(0, 10)]) == [pytest.approx((1, 1, 1, 1))]


def test_questions_and_documents_are_kept_apart():
    # two documents with a chunk each at the same places; the first question is about the second document
    both = relevance([(0, 10, 4), (0, 10, 4, 1)], [(0, 5, 1)], [(2, 4), (6, 8)])
    recall = within_budgets(rankings([0, 1], [0, 1]), both, [4, 8])
    assert recall[4].recall.tolist() == [0, 1]
    assert recall[8].recall.tolist() == [1, 1]
    assert recall[8].signal_ratio == pytest.approx(np.array([5 / 20, 4 / 20]))


def test_rankings_that_end_before_the_budget_are_refused():
    with pytest.raises(ValueError, match=r"the 1 places .* fewer than 11 tokens, and there are 3 chunks"):
        measured([1], 11)
    assert measured([1], 10)
    with pytest.raises(ValueError, match="at least 1 token"):
        measured([1], 0)
    with pytest.raises(ValueError, match="at least 1 token"):
        measured([1])


def test_without_chunks_nothing_comes_back():
    none = within_budgets(np.empty((1, 0), np.int64), relevance([], [(0, 5)]), [10])[10]
    assert [none.recall[0], none.precision[0], none.iou[0], none.signal_ratio[0]] == [0, 0, 0, 0]
