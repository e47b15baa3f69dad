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

    `document` is the mean over all pairs of blocks. `inside` is the mean over pairs of one chunk, of each chunk with at
    least two blocks, weighted by its number of blocks. Source: the published code beside "Adaptive Chunking" (arXiv
    2603.25333), in which each chunk weighs the same. Blocks are taken as in boundary contrast: headings joined to what
    they head, each block whole and with the first chunk that holds its middle, so that crumbs of a block count nothing.

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
    inside = np.dot(_mean_of_pairs(evidence, first, last), last - first) / np.sum(last - first)
    return Score(float(np.clip((inside - document) / (1 - document), 0, 1)))


def _mean_of_pairs(evidence: Evidence, first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of each stretch of at least two units. Twice the sum over pairs is the square of the sum less its diagonal."""
    before, count = evidence.once(_vectors_before), last - first
    whole = before[last] - before[first]
    means: NDArray[np.float64] = (np.einsum("ij,ij->i", whole, whole) - count) / (count * (count - 1))
    return means


def _document_similarity(evidence: Evidence) -> float:
    return float(_mean_of_pairs(evidence, np.array([0]), np.array([len(units(evidence).middles)]))[0])


def _vectors_before(evidence: Evidence) -> NDArray[np.float64]:
    return running_sum(units(evidence).vectors)
