"""Boundary contrast: whether cuts fall where the text changes."""

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.units import grouped, units
from chunkfit.model import Chunking, Score


@registry.diagnostics.register("boundary_contrast", version=1, chance=True, costly=False)
def boundary_contrast(chunking: Chunking, evidence: Evidence) -> Score:
    """How much more alike neighbouring blocks are inside chunks than across their boundaries.

    contrast = mean cos(block, next block) over neighbours in one chunk - the same over neighbours in two
    score = (2 + contrast) / 4, so that 0.5 is no contrast: cosines lie in [-1, 1], their difference in [-2, 2]

    A heading is one with the block that it heads first; a text without known blocks is taken by its sentences. A block
    belongs to the first chunk that holds its middle, so that a cut inside a block counts at its nearer end. None where
    there are no two neighbours in one chunk, or none in two.

    Rewards cuts between topics. Being a difference it does not grow with the size of chunks, but it is coarse: a single
    cut at the sharpest turn of a text scores best, and so do crumbs all over it save for the most alike neighbours.
    Overlaps change nothing; a dropped block takes its two comparisons with it, so dropping what fits badly helps.
    """
    groups, known = grouped(chunking, evidence), units(evidence)
    if not len(groups.first):
        return Score(None, f"no chunk holds {known.kind}")
    before = evidence.once(_similarity_before)
    inner = groups.last - groups.first - 1
    touching = groups.first[1:] == groups.last[:-1]  # nothing was dropped between the two
    across = groups.last[:-1][touching] - 1
    if not inner.any():
        return Score(None, f"no chunk holds two neighbouring {known.kind}")
    if not len(across):
        return Score(None, f"no boundary lies between two {known.kind}")
    inside = np.sum(before[groups.last - 1] - before[groups.first]) / inner.sum()
    between = np.mean(before[across + 1] - before[across])
    return Score(float(np.clip((2 + inside - between) / 4, 0, 1)))


def _similarity_before(evidence: Evidence) -> NDArray[np.float64]:
    """Entry k is the sum of the first k similarities of neighbours, so that a chunk's sum is one difference."""
    rows = units(evidence).vectors.astype(np.float64)
    return np.concatenate([[0.0], np.cumsum(np.einsum("ij,ij->i", rows[:-1], rows[1:]))])
