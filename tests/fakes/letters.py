"""Letters for sentences, and vectors that count letters: semantic methods worked out by hand."""

from dataclasses import dataclass

import numpy as np

from chunkfit.engines import Engines, default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document, Span


@dataclass(frozen=True)
class LetterEmbedder:
    """The direction of a span: how many a, b, c, ... it holds. Blanks have none."""

    id: str = "letters"

    def embed(self, document):
        letters = np.array([[character == letter for letter in "abcdef"] for character in document.text], np.float32)
        before = np.concatenate([np.zeros((1, 6), np.float32), np.cumsum(letters.reshape(-1, 6), axis=0)])

        def vectors(starts, ends):
            sums = before[ends] - before[starts]
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            return sums / np.where(lengths > 0, lengths, 1)

        return vectors

    def queries(self, texts, spend=None):
        return alone(self, texts)


def alone(embedder, texts):
    """Vectors of queries as those of documents of the same texts."""
    rows = [embedder.embed(Document("query", text))(np.array([0]), np.array([len(text)]))[0] for text in texts]
    return np.array(rows, np.float32) if rows else np.empty((0, 0), np.float32)


@dataclass(frozen=True)
class LetterSegmenter:
    """Each character is a sentence."""

    id: str = "letters"

    def sentences(self, text):
        return tuple(Span(start, start + 1) for start in range(len(text)))


def letters(text: str, embedder=None) -> Evidence:
    """A text whose characters are sentences, with vectors of its letters unless another embedder is given."""
    engines = Engines(embedder or LetterEmbedder(), LetterSegmenter(), default_engines().coreference)
    return Evidence(Document("letters", text), engines)
