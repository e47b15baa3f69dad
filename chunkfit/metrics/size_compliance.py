"""SC, size compliance: how many chunks have a size that an index can use."""

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import edges
from chunkfit.model import Chunking, Score


@registry.paper.register("SC", version=1, chance=False, gate=False)
def paper(chunking: Chunking, evidence: Evidence, *, min_tokens: int = 100, max_tokens: int = 1100) -> Score:
    """Share of chunks with min_tokens <= tokens <= max_tokens.

    Source: "Adaptive Chunking" (arXiv 2603.25333); sizes in o200k_base tokens. Rewards even, usable sizes. Blind to
    where the cuts are, and to text that is missing: every fifth word dropped leaves it as it was.
    """
    starts, ends = edges(chunking, evidence)
    if not len(starts):
        return Score(None, "there are no chunks")
    tokens = evidence.tokens.counts(starts, ends)
    return Score(float(np.mean((tokens >= min_tokens) & (tokens <= max_tokens))))


@registry.strict.register("SC", version=1, chance=False, gate=False)
def strict(chunking: Chunking, evidence: Evidence, *, min_tokens: int = 100, max_tokens: int = 1100) -> Score:
    """Share of chunks with min_tokens <= tokens <= max_tokens and something to read in them.

    As in the paper, but a chunk of blanks is a violation however many tokens its blanks are.
    """
    starts, ends = edges(chunking, evidence)
    if not len(starts):
        return Score(None, "there are no chunks")
    tokens = evidence.tokens.counts(starts, ends)
    visible = evidence.visible_before
    full = visible[ends] > visible[starts]
    return Score(float(np.mean(full & (tokens >= min_tokens) & (tokens <= max_tokens))))
