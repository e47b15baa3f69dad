"""Laws of retrieval: measures against sets of characters, rankings against sorting, for any chunks and references."""

import math

import numpy as np
import pytest
from fakes.tables import chunks, references
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkfit.retrieval import Bm25, Relevance, at_chunks, best, precision_omega, within_budgets
from chunkfit.retrieval.runs import runs
from chunkfit.retrieval.words import words_of

pytestmark = pytest.mark.slow

LENGTH = 40
relaxed = settings(max_examples=150, deadline=None)

spans = st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(sorted)


@st.composite
def tables(draw):
    """Any spans with any tokens in two documents; those of a document in order of their starts."""
    rows = draw(st.lists(st.tuples(st.integers(0, 1), spans, st.integers(1, 9)), max_size=8))
    rows.sort(key=lambda row: (row[0], row[1][0]))
    return [(start, end, tokens if end > start else 0, document) for document, (start, end), tokens in rows]


@st.composite
def answers(draw):
    """One or two stretches of one document, apart from one another."""
    document = draw(st.integers(0, 1))
    edges = sorted(draw(st.sets(st.integers(0, LENGTH), min_size=4, max_size=4)))
    found = [(edges[0], edges[1], document), (edges[2], edges[3], document)]
    return found[: draw(st.integers(1, 2))]


@st.composite
def searches(draw):
    """Chunks, questions, and for each question a ranking of some chunks."""
    rows = draw(tables())
    questions = draw(st.lists(answers(), min_size=1, max_size=3))
    found = np.full((len(questions), len(rows)), -1, np.int64)
    for ranking in found:
        order = draw(st.permutations(range(len(rows))))[: draw(st.integers(0, len(rows)))]
        ranking[: len(order)] = order
    return rows, questions, found


def characters(start, end, document):
    return {(document, at) for at in range(start, end)}


def by_hand(rows, answer, taken):
    """The measures of one question from sets of characters; `taken` is of (number of the chunk, its code points)."""
    wanted = set().union(*(characters(*span) for span in answer))
    got = [characters(rows[number][0], rows[number][0] + length, rows[number][3]) for number, length in taken]
    distinct, paid = set().union(*got), sum(map(len, got))
    hits = len(wanted & distinct)
    return (
        hits / len(wanted),
        hits / paid if paid else 0,
        hits / (paid + len(wanted - distinct)),
        hits / len(distinct) if distinct else 0,
    )


def values(measures, question):
    return tuple(one[question] for one in (measures.recall, measures.precision, measures.iou, measures.signal_ratio))


@relaxed
@given(searches(), st.integers(1, 9))
def test_measures_of_k_chunks_are_those_of_their_characters(search, k):
    rows, questions, found = search
    measured = at_chunks(found, Relevance.of(chunks(*rows), references(*questions)), k)
    for number, answer in enumerate(questions):
        taken = [(chunk, rows[chunk][1] - rows[chunk][0]) for chunk in found[number, :k].tolist() if chunk >= 0]
        assert np.allclose(values(measured, number), by_hand(rows, answer, taken))


@relaxed
@given(searches(), st.integers(1, 60))
def test_measures_within_a_budget_are_those_of_the_characters_that_fit(search, budget):
    rows, questions, found = search
    measured = within_budgets(found, Relevance.of(chunks(*rows), references(*questions)), [budget])[budget]
    for number, answer in enumerate(questions):
        taken, left = [], budget
        for chunk in found[number][found[number] >= 0].tolist():
            start, end, tokens, _ = rows[chunk]
            taken.append((chunk, end - start if tokens <= left else math.floor((end - start) * left / tokens)))
            left = max(left - tokens, 0)
        assert np.allclose(values(measured, number), by_hand(rows, answer, taken))


@relaxed
@given(searches())
def test_recall_never_falls_with_the_budget_and_all_lies_within_0_and_1(search):
    rows, questions, found = search
    budgets = range(1, 80)
    measured = within_budgets(found, Relevance.of(chunks(*rows), references(*questions)), budgets)
    recalls = np.array([measured[budget].recall for budget in budgets])
    assert (np.diff(recalls, axis=0) >= 0).all()
    for one in measured.values():
        for number in range(len(questions)):
            assert all(0 <= value <= 1 for value in values(one, number))


@relaxed
@given(searches(), st.data())
def test_a_chunk_split_in_two_neighbours_of_the_same_place_brings_back_the_same(search, data):
    """Where tokens are spread evenly: here one a code point."""
    rows, questions, found = search
    rows = [(start, end, end - start, document) for start, end, _, document in rows]
    number = data.draw(st.integers(0, len(rows) - 1)) if rows else None
    if number is None:
        return
    start, end, _, document = rows[number]
    middle = data.draw(st.integers(start, end))
    halves = [(start, middle, middle - start, document), (middle, end, end - middle, document)]
    split = sorted([*rows[:number], *rows[number + 1 :], *halves], key=lambda row: (row[3], row[0]))
    # Equal rows are as good as one another, so a row stands for its number.
    now = np.full((len(found), len(split)), -1, np.int64)
    for ranking, before in zip(now, found.tolist(), strict=True):
        order = [row for chunk in before if chunk >= 0 for row in (halves if chunk == number else [rows[chunk]])]
        ranking[: len(order)] = [split.index(row) for row in order]
    budgets = [1, 5, 17, 40, 200]
    table = references(*questions)
    whole = within_budgets(found, Relevance.of(chunks(*rows), table), budgets)
    parts = within_budgets(now, Relevance.of(chunks(*split), table), budgets)
    for budget in budgets:
        assert np.array_equal(whole[budget].recall, parts[budget].recall)
        assert np.array_equal(whole[budget].iou, parts[budget].iou)


@relaxed
@given(tables(), st.lists(answers(), min_size=1, max_size=3))
def test_omega_is_the_precision_of_all_chunks_that_touch_the_answer(rows, questions):
    omega = precision_omega(Relevance.of(chunks(*rows), references(*questions)))
    for number, answer in enumerate(questions):
        wanted = set().union(*(characters(*span) for span in answer))
        touching = [
            (chunk, end - start)
            for chunk, (start, end, _, document) in enumerate(rows)
            if wanted & characters(start, end, document)
        ]
        assert np.isclose(omega[number], by_hand(rows, answer, touching)[1])


scores = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([-np.inf, 0.0, 0.5, 1.0, 2.0]), min_size=width, max_size=width), min_size=1, max_size=4
    )
)


@relaxed
@given(scores, st.integers(0, 6))
def test_the_best_are_those_of_sorting(rows, depth):
    found = best(np.array(rows), depth)
    for ranking, row in zip(found.tolist(), rows, strict=True):
        order = sorted((n for n, score in enumerate(row) if score > -np.inf), key=lambda n: (-row[n], n))
        expected = order[:depth]
        assert ranking == [*expected, *[-1] * (min(depth, len(row)) - len(expected))]


@relaxed
@given(st.text(st.sampled_from("ab1 .漢字ก\u0301"), max_size=30), st.data())
def test_a_chunk_has_the_words_that_lie_whole_in_it(text, data):
    found = words_of(text)
    assert (np.diff(found.starts) >= 0).all()
    assert (np.diff(found.ends) >= 0).all()
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    index = Bm25.of([found], chunks((start, end, 1), (0, len(text), 1)))
    inside = {
        number
        for number, a, b in zip(found.numbers.tolist(), found.starts.tolist(), found.ends.tolist(), strict=True)
        if start <= a and b <= end
    }
    for word, number in found.vocabulary.items():
        assert (index.scores([[word]])[0] > -np.inf).tolist() == [number in inside, True]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=6))
def test_runs_are_their_numbers_one_behind_the_other(pairs):
    first = np.array([start for start, _ in pairs], np.int64)
    behind = np.array([start + length for start, length in pairs], np.int64)
    assert runs(first, behind).tolist() == [
        number for start, length in pairs for number in range(start, start + length)
    ]
