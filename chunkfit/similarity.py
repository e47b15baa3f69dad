"""How alike the sentences of a document are, each with each: what a heatmap shows."""

import base64
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence

CELLS = 120
"""Rows of a heatmap at most: more are finer than a page shows, and their squares are what is kept."""

_STEPS = 127  # of the cosine, on either side of 0; 0 itself stands for no value


@dataclass(frozen=True, slots=True)
class SentenceSimilarity:
    """Cosines of a document's sentences, or of groups of neighbouring ones where they are more than `CELLS`."""

    edges: tuple[int, ...]  # code points: n + 1 for n cells, each one sentence or a few in a row; they tile the text
    sentences: int  # in all
    cosines: str  # base64 of n x n bytes, row by row: 128 + round(127 cosine), 0 where a cell has no tokens
    embedder: str

    @property
    def cells(self) -> int:
        return len(self.edges) - 1

    @property
    def matrix(self) -> NDArray[np.float64]:
        """[cells, cells]: cosines to within 0.004, NaN where a cell has no tokens."""
        stored = np.frombuffer(base64.b64decode(self.cosines), np.uint8).reshape(self.cells, self.cells)
        return np.where(stored == 0, np.nan, (stored - 128.0) / _STEPS)


def sentence_similarity(evidence: Evidence) -> SentenceSimilarity | None:
    """The cosine of the vectors of each two sentences; None for a text of fewer than three.

    More than `CELLS` sentences are taken in groups of neighbours, all of the same number but the last, which may have
    fewer, each with the vector of its whole stretch. The embedder is asked for one vector a cell: where vectors are
    sums this costs milliseconds; a model that reads texts reads the document once more.
    """
    sentences = evidence.sentences
    if len(sentences) < 3:
        return None
    together = -(-len(sentences) // CELLS)
    edges = [*(sentence.start for sentence in sentences[::together]), len(evidence.document.text)]
    starts, ends = np.array([*pairwise(edges)], np.int64).T
    vectors = np.asarray(evidence.vectors(starts, ends), np.float64)
    known = np.einsum("ij,ij->i", vectors, vectors) > 0
    steps = np.rint(np.clip(vectors @ vectors.T, -1, 1) * _STEPS) + _STEPS + 1
    stored = np.where(known[:, None] & known, steps, 0).astype(np.uint8)
    packed = base64.b64encode(stored.tobytes()).decode("ascii")
    return SentenceSimilarity(tuple(edges), len(sentences), packed, evidence.engines.embedder.id)
