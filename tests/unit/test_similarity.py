"""The similarity of a document's sentences, each with each."""

from dataclasses import replace

import numpy as np
import pytest

from chunkfit.codec import codec
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document, Span
from chunkfit.similarity import CELLS, SentenceSimilarity, sentence_similarity


class EachLetter:
    """A sentence a character."""

    id = "letters"

    def sentences(self, text):
        return tuple(Span(place, place + 1) for place in range(len(text)))


class Vectors:
    """a -> (1, 0), b -> (0, 1), c -> (-1, 0), d -> (0.6, 0.8), a blank nothing; of several the first one's."""

    id = "by hand"
    table = {"a": (1, 0), "b": (0, 1), "c": (-1, 0), "d": (0.6, 0.8), " ": (0, 0)}

    def embed(self, document):
        rows = np.array([self.table[character] for character in document.text], np.float32)
        return lambda starts, ends: rows[starts]


def of(text):
    engines = replace(default_engines(), segmenter=EachLetter(), embedder=Vectors())
    return sentence_similarity(Evidence(Document("d", text), engines))


def test_each_sentence_is_compared_with_each():
    similarity = of("abcd")
    expected = [[1, 0, -1, 0.6], [0, 1, 0, 0.8], [-1, 0, 1, -0.6], [0.6, 0.8, -0.6, 1]]
    assert similarity.edges == (0, 1, 2, 3, 4)
    assert np.abs(similarity.matrix - expected).max() <= 0.004


def test_a_sentence_without_tokens_is_like_and_unlike_nothing():
    matrix = of("a b").matrix
    assert np.isnan(matrix[1]).all()
    assert np.isnan(matrix[:, 1]).all()
    assert matrix[0, 2] == 0


@pytest.mark.parametrize("text", ["", "a", "ab"])
def test_fewer_than_three_sentences_are_nothing_to_look_at(text):
    assert of(text) is None


@pytest.mark.parametrize(
    ("sentences", "together", "cells"), [(CELLS, 1, CELLS), (CELLS + 1, 2, 61), (10 * CELLS, 10, CELLS), (250, 3, 84)]
)
def test_more_sentences_than_cells_are_taken_in_equal_groups(sentences, together, cells):
    similarity = of("abcd" * (sentences // 4) + "a" * (sentences % 4))
    assert similarity.sentences == sentences
    assert similarity.cells == cells <= CELLS
    assert set(np.diff(similarity.edges)[:-1]) == {together}
    assert similarity.edges[-1] == sentences


def test_it_can_be_stored():
    similarity = of("abcd dcba")
    stored = codec(SentenceSimilarity)
    assert stored.decode(stored.encode(similarity)) == similarity


def test_real_sentences_have_real_similarities():
    text = "The cat sat on the mat. A cat lay on a mat. Interest rates rose in May. The bank raised its interest rates."
    similarity = sentence_similarity(Evidence(Document("d", text), default_engines()))
    matrix = similarity.matrix
    assert similarity.embedder == default_engines().embedder.id
    assert matrix[0, 1] > matrix[0, 2]
    assert matrix[2, 3] > matrix[1, 2]
