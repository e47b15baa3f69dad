"""BM25 over chunks: the formula by hand, and a library's numbers."""

from math import log

import numpy as np
import pytest
from fakes.tables import chunks

from chunkfit.retrieval import Bm25
from chunkfit.retrieval.words import terms, words_of


def bm25(*texts, **settings):
    """Each text is a chunk of one document, with a blank between them."""
    edges = np.cumsum([0, *(len(text) + 1 for text in texts)])
    rows = [(start, start + len(text), 1) for start, text in zip(edges.tolist(), texts, strict=False)]
    return Bm25.of([words_of(" ".join(texts))], chunks(*rows), **settings)


def test_a_word_weighs_by_its_rarity_its_count_and_the_length_of_the_chunk():
    # three chunks of 2, 1 and 3 words, 2 in the mean; "a" is in two of them, "b" in one
    scores = bm25("a c", "b", "a a c").scores([["a"], ["b"], ["a", "b"]])
    idf_a, idf_b = log(1 + 1.5 / 2.5), log(1 + 2.5 / 1.5)
    first = idf_a * 1 / (1 + 1.5 * (0.25 + 0.75 * 2 / 2))
    second = idf_b * 1 / (1 + 1.5 * (0.25 + 0.75 * 1 / 2))
    third = idf_a * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2))
    none = -np.inf
    expected = [[first, none, third], [none, second, none], [first, second, third]]
    assert scores == pytest.approx(np.array(expected))


def test_a_word_twice_in_a_query_counts_twice():
    once, twice = bm25("a b", "b").scores([["a"], ["a", "a"]])
    assert twice[0] == pytest.approx(2 * once[0])


def test_unknown_words_and_empty_queries_find_nothing():
    assert (bm25("a b", "b").scores([["x"], []]) == -np.inf).all()


def test_no_queries_no_chunks_and_no_words_are_no_problem():
    assert bm25("a").scores([]).shape == (0, 1)
    assert Bm25.of([words_of("a b")], chunks()).scores([["a"]]).shape == (1, 0)
    assert (Bm25.of([words_of("...")], chunks((0, 3, 1))).scores([["a"]]) == -np.inf).all()
    assert Bm25.of([], chunks()).scores([["a"]]).shape == (1, 0)


def test_a_cut_word_is_in_no_chunk_and_a_shared_one_in_both():
    # "tea" is cut in the middle, "hot" lies in the overlap of the last two
    index = Bm25.of([words_of("iced tea hot")], chunks((0, 6, 1), (6, 12, 1), (8, 12, 1)))
    found = index.scores([["tea"], ["hot"], ["iced"]]) > 0
    assert found.tolist() == [[False, False, False], [False, True, True], [True, False, False]]


def test_words_are_the_same_in_all_documents():
    texts = [words_of("tea is hot"), words_of("hot ice"), words_of("")]
    index = Bm25.of(texts, chunks((0, 10, 3), (0, 7, 2, 1), (0, 0, 0, 2)))
    found = index.scores([["hot"], ["ice"], ["tea"]]) > 0
    assert found.tolist() == [[True, True, False], [False, True, False], [True, False, False]]


def test_scores_are_those_of_bm25s():
    library = pytest.importorskip("bm25s", reason="the package bm25s, which scores are compared with, is not installed")
    corpus = ["tea is hot tea", "ice is cold", "a pot of tea and a cup", "is it", "hot hot hot"]
    queries = ["is tea hot", "cup of ice", "a"]
    theirs = library.BM25(method="lucene", k1=1.2, b=0.6)
    theirs.index([list(terms(text)) for text in corpus], show_progress=False)
    ours = bm25(*corpus, k1=1.2, b=0.6).scores([terms(query) for query in queries])
    expected = [theirs.get_scores(list(terms(query))) for query in queries]
    assert np.where(ours > 0, ours, 0) == pytest.approx(np.array(expected), rel=1e-5)
