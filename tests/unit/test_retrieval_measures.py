"""Measures of a fixed number of chunks, and of rankings, by hand."""

from math import log2

import numpy as np
import pytest
from fakes.tables import chunks, rankings, relevance

from chunkfit.model import Document, Span
from chunkfit.retrieval import Labelled, References, at_chunks, at_places, precision_omega

ROWS = [(0, 40, 1), (40, 60, 1), (60, 100, 1)]


def test_recall_precision_and_iou_of_the_first_chunks():
    # the answer is [30, 50); the first chunk has 10 of it in 20, both have 20 in 60
    both = relevance(ROWS, [(30, 50)])
    one, two = (at_chunks(rankings([1, 0, 2]), both, k) for k in (1, 2))
    assert (one.recall[0], one.precision[0], one.iou[0]) == pytest.approx((0.5, 0.5, 10 / 30))
    assert (two.recall[0], two.precision[0], two.iou[0]) == pytest.approx((1, 20 / 60, 20 / 60))


def test_overlapping_chunks_find_once_and_pay_twice():
    # [0, 20) and [10, 30) share the answer [10, 20)
    found = at_chunks(rankings([0, 1]), relevance([(0, 20, 1), (10, 30, 1)], [(10, 20)]), 2)
    values = found.recall[0], found.precision[0], found.iou[0], found.signal_ratio[0]
    assert values == pytest.approx((1, 10 / 40, 10 / 40, 10 / 30))


def test_precision_omega_is_that_of_all_chunks_that_hold_some_of_the_answer():
    # the answers touch the first two chunks, 20 of 60; only the last, 5 of 40; none
    rows = [*ROWS, (120, 130, 1)]
    omega = precision_omega(relevance(rows, [(30, 50)], [(60, 62), (90, 93)], [(100, 110)]))
    assert omega == pytest.approx(np.array([20 / 60, 5 / 40, 0]))


def test_precision_omega_pays_for_each_of_overlapping_chunks():
    # [0, 20) and [10, 30) both touch [12, 16): 4 of 40
    assert precision_omega(relevance([(0, 20, 1), (10, 30, 1)], [(12, 16)])) == pytest.approx(np.array([4 / 40]))


def test_a_chunk_inside_another_is_found_with_it():
    # starts are in order, ends are not; the answer lies behind the inner chunk
    both = relevance([(0, 100, 1), (10, 20, 1), (90, 120, 1)], [(50, 60)], [(15, 95)])
    assert list(zip(both.reference.tolist(), both.chunk.tolist(), strict=True)) == [(0, 0), (1, 0), (1, 1), (1, 2)]


def test_a_chunk_that_only_touches_an_answer_holds_none_of_it():
    # [10, 50) inside [0, 100) ends where the answer begins, the empty one lies in it: the other alone is paid for
    both = relevance([(0, 100, 1), (10, 50, 1), (55, 55, 0)], [(50, 60)])
    assert both.chunk.tolist() == [0]
    assert precision_omega(both) == pytest.approx(np.array([10 / 100]))


def test_ndcg_reciprocal_rank_and_hit_of_a_ranking():
    # chunk 0 holds 10 characters of the answer, chunk 1 holds 20; ranked 2, 0, 1
    found = at_places(rankings([2, 0, 1]), relevance(ROWS, [(30, 60)]), k=3)
    dcg, ideal = 10 / log2(3) + 20 / log2(4), 20 + 10 / log2(3)
    assert (found.ndcg[0], found.reciprocal_rank[0], found.hit[0]) == pytest.approx((dcg / ideal, 1 / 2, 1))


def test_only_the_first_places_count_and_the_ideal_is_of_as_many():
    # within one place: chunk 0 with 10, where 20 would be best; then a chunk with nothing
    both = relevance(ROWS, [(30, 60)])
    found = at_places(rankings([0, 1, 2]), both, k=1)
    assert (found.ndcg[0], found.reciprocal_rank[0], found.hit[0]) == pytest.approx((10 / 20, 1, 1))
    found = at_places(rankings([2, 1, 0]), both, k=1)
    assert (found.ndcg[0], found.reciprocal_rank[0], found.hit[0]) == (0, 0, 0)


def test_two_references_in_one_chunk_add_up():
    # chunk 0 holds 2 + 3 characters, chunk 1 holds 4: the best ranking is 0, 1
    found = at_places(rankings([0, 1, 2]), relevance(ROWS, [(0, 2), (10, 13), (40, 44)]), k=3)
    assert found.ndcg[0] == pytest.approx(1)


def test_a_question_whose_answer_no_chunk_holds_or_that_finds_nothing_scores_zero():
    found = at_places(rankings([0, 1], [-1, -1]), relevance(ROWS, [(200, 210)], [(0, 5)]), k=2)
    assert [*found.ndcg, *found.reciprocal_rank, *found.hit] == [0] * 6


@pytest.mark.parametrize("measure", [at_chunks, at_places])
def test_rankings_that_do_not_go_as_far_as_k_are_refused(measure):
    both = relevance(ROWS, [(0, 5)])
    with pytest.raises(ValueError, match="have 2 places; search for at least k=3"):
        measure(rankings([0, 1]), both, 3)
    with pytest.raises(ValueError, match="at least 1"):
        measure(rankings([0, 1]), both, 0)
    assert measure(rankings([0, 1, 2]), both, 9)  # there are no more than three


def test_references_name_documents_by_their_place_in_the_index():
    documents = [Document("one", "x" * 10), Document("two", "y" * 20)]
    asked = [Labelled("q", "two", (Span(2, 5), Span(9, 20))), Labelled("r", "one", (Span(0, 1),))]
    found = References.of(asked, documents)
    assert found.documents.tolist() == [1, 1, 0]
    assert found.questions.tolist() == [0, 0, 1]
    assert found.characters.tolist() == [14, 1]


def test_references_to_other_texts_are_refused():
    documents = [Document("one", "x" * 10)]
    with pytest.raises(ValueError, match="'who\\?' is about 'two', which is none of the 1 documents"):
        References.of([Labelled("who?", "two", (Span(0, 1),))], documents)
    with pytest.raises(ValueError, match="up to 11, and 'one' has 10 code points"):
        References.of([Labelled("who?", "one", (Span(0, 11),))], documents)


def test_enough_chunks_hold_the_tokens_whichever_they_are():
    # the smallest first: 1, 2, 4
    table = chunks((0, 1, 4), (1, 2, 1), (2, 3, 2))
    assert [table.enough(tokens) for tokens in (1, 2, 3, 4, 7, 8)] == [1, 2, 2, 3, 3, 3]
    assert chunks().enough(5) == 0
