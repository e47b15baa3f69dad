"""Chunks beside one another, each with the text that no earlier chunk holds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics.edges import Offsets, edges, new_from
from chunkfit.model import Chunking, Score


class New(NamedTuple):
    """What each chunk adds, in order and disjoint; a chunk that adds no visible character is not there."""

    starts: Offsets
    ends: Offsets


def new_text(chunking: Chunking, evidence: Evidence) -> New:
    """What each chunk adds to the chunks before it. Raises ValueError as `edges` does."""
    starts, ends = edges(chunking, evidence)
    starts = new_from(starts, ends)
    visible = evidence.visible_before
    some = visible[ends] > visible[starts]
    return New(starts[some], ends[some])


def dissimilarity(cosines: NDArray[np.floating], tokens: NDArray[np.int64]) -> Score:
    """Mean of 1 - cosine over neighbours, each weighted by the tokens of the smaller: a crumb counts as it is."""
    weights = np.minimum(tokens[:-1], tokens[1:])
    if not weights.any():
        return Score(None, "fewer than two chunks have text of their own: none has a neighbour")
    return Score(float(np.clip(1 - np.dot(cosines, weights) / weights.sum(), 0, 1)))
