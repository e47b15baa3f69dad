"""Intra-chunk similarity, normalised: how much more alike the blocks of one chunk are than any two of the document."""

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.units import grouped, units
from chunkfit.metrics.vectors import running_sum
from chunkfit.model import Chunking, Score

_ALIKE = 1e-6  # below what single precision tells apart


@registry.diagnostics.register("intra_chunk_similarity", version=1, chance=True, costly=False)
def intra_chunk_similarity(chunking: Chunking, evidence: Evidence) -> Score:
    """Mean cosine of two blocks of one chunk, on the scale from any two of the document (0) to equal ones (1).

    score = max(inside - document, 0) / (1 - document)

    `document` is the mean over all pairs of blocks, each pair weighted by the product of its tokens. `inside` is the
    same within each chunk of at least two blocks, and the mean of those weighted by the chunks' tokens. Source: the
    published code beside "Adaptive Chunking" (arXiv 2603.25333), which does not weigh. Blocks are taken as in boundary
    contrast: headings joined to what they head, each with the first chunk that holds its middle.

    Rewards chunks about one thing. One chunk of everything scores 0. Small chunks score high by themselves, since close
    blocks are alike: read the lift. Chunks of one block are left out, so a method may leave every block alone but the
    most alike. Overlaps change nothing; dropping blocks that fit badly helps.
    """
    groups, known = grouped(chunking, evidence), units(evidence)
    several = groups.last - groups.first > 1
    if not several.any():
        return Score(None, f"no chunk holds two {known.kind}")
    document = evidence.once(_document_similarity)
    if 1 - document < _ALIKE:
        return Score(None, f"all {known.kind} are alike")
    first, last = groups.first[several], groups.last[several]
    tokens = evidence.once(_sums).tokens
    weights = tokens[last] - tokens[first]
    inside = np.dot(_mean_of_pairs(evidence, first, last), weights) / weights.sum()
    return Score(float(np.clip((inside - document) / (1 - document), 0, 1)))


class _Sums:
    """Over the units before each: the sums of tokens, of their squares, and of vectors times tokens."""

    def __init__(self, tokens: NDArray[np.int64], rows: NDArray[np.float32]) -> None:
        self.tokens = np.concatenate([[0], np.cumsum(tokens)])
        self.squares = np.concatenate([[0], np.cumsum(tokens**2)])
        self.vectors = running_sum(rows * tokens[:, None])


def _mean_of_pairs(evidence: Evidence, first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of each stretch of at least two units. Twice the sum over pairs is the square of the sum less its diagonal."""
    sums = evidence.once(_sums)
    whole = sums.vectors[last] - sums.vectors[first]
    diagonal = sums.squares[last] - sums.squares[first]
    weight = (sums.tokens[last] - sums.tokens[first]) ** 2 - diagonal
    means: NDArray[np.float64] = (np.einsum("ij,ij->i", whole, whole) - diagonal) / weight
    return means


def _document_similarity(evidence: Evidence) -> float:
    return float(_mean_of_pairs(evidence, np.array([0]), np.array([len(units(evidence).tokens)]))[0])


def _sums(evidence: Evidence) -> _Sums:
    known = units(evidence)
    return _Sums(known.tokens, known.vectors)
