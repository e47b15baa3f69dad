"""Semantic dissimilarity: how unlike neighbouring chunks are in meaning."""

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.neighbours import dissimilarity, new_text
from chunkfit.model import Chunking, Score


@registry.diagnostics.register("semantic_dissimilarity", version=1, chance=True, costly=False)
def semantic_dissimilarity(chunking: Chunking, evidence: Evidence) -> Score:
    """1 - cosine of the vectors of neighbouring chunks, the mean weighted by the tokens of the smaller of the two.

    A chunk stands for the text that no earlier chunk holds: overlaps make nobody alike, and text told twice counts
    once. Cosines below 0 count as they are in the mean, which is clipped to [0, 1]. After the published code beside
    "Adaptive Chunking" (arXiv 2603.25333); that one compares each chunk with the next five and takes off the share of
    small chunks. None for fewer than two chunks.

    Rewards boundaries between topics. It mostly reads size, the other way round from DCC: the shorter two texts,
    the less alike their vectors, wherever the cut is. Read the lift. Dropping the text that leads from one topic to the
    next raises it.
    """
    new = new_text(chunking, evidence)
    rows = evidence.vectors(new.starts, new.ends)
    some = rows.any(axis=1)
    rows, starts, ends = rows[some], new.starts[some], new.ends[some]
    cosines = np.einsum("ij,ij->i", rows[:-1], rows[1:])
    return dissimilarity(cosines, evidence.tokens.before(ends) - evidence.tokens.before(starts))
