"""DCC, document contextual coherence: how well a chunk fits what stands around it."""

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import edges, new_from
from chunkfit.metrics.vectors import running_sum, vectors
from chunkfit.model import Chunking, Score

_ALONE = Score(None, "fewer than two chunks: nothing stands around them")


@registry.paper.register("DCC", version=1, chance=True, gate=False)
def paper(chunking: Chunking, evidence: Evidence, *, window_tokens: int = 3000) -> Score:
    """Mean cosine between a window of text and each chunk in it, over all windows and their chunks.

    A window begins at each chunk and takes following chunks while their tokens, shared text counted once, are at most
    `window_tokens`. A window of one chunk, or one that ends where the one before it did, is passed over. Source:
    "Adaptive Chunking" (arXiv 2603.25333). A chunk is part of its own window, so large chunks agree with it by
    themselves: near `window_tokens` the score nears 1 for any text. A chunk in the middle counts once per window.
    """
    starts, ends = edges(chunking, evidence)
    if len(starts) < 2:
        return _ALONE
    fresh = new_from(starts, ends)
    tokens = evidence.tokens.counts(starts, ends)
    overlapping = fresh > starts
    added = tokens.copy()  # by each chunk to a window that holds the one before it
    added[overlapping] = evidence.tokens.counts(fresh[overlapping], ends[overlapping])
    through = np.cumsum(added)
    first = np.arange(len(starts))
    last = np.searchsorted(through, window_tokens - tokens + through, side="right") - 1
    first, last = first[last > first], last[last > first]
    grown = np.diff(last, prepend=-1) != 0
    first, last = first[grown], last[grown]
    if not len(first):
        return Score(None, f"no two neighbouring chunks fit into {window_tokens} tokens")
    chunks, windows = vectors(evidence, (starts, ends), (starts[first], np.maximum.accumulate(ends)[last]))
    before = running_sum(chunks)  # a window's cosines add up to its vector times the sum of its chunks' vectors
    total = np.einsum("ij,ij->", windows, before[last + 1] - before[first])
    return Score(float(np.clip(total / np.sum(last + 1 - first), 0, 1)))


@registry.strict.register("DCC", version=1, chance=True, gate=False)
def strict(chunking: Chunking, evidence: Evidence, *, side_tokens: int = 1500) -> Score:
    """Mean cosine between a chunk and its surroundings without itself, each chunk once.

    The surroundings are the text of whole neighbouring chunks on both sides, at least one and up to about `side_tokens`
    a side, less the chunk's own text; their vector is the sum of the two sides' vectors, weighted by tokens. A chunk
    that holds nothing new is passed over: text told twice counts once. Rewards chunks that fit their context; large
    ones, which are closer to the document's average, still do so by themselves, and the lift over chance tells.
    """
    starts, ends = edges(chunking, evidence)
    new = new_from(starts, ends) < ends
    starts, ends = starts[new], ends[new]  # so the ends rise as well
    if len(starts) < 2:
        return _ALONE
    before_start, before_end = evidence.tokens.before(starts), evidence.tokens.before(ends)
    number = np.arange(len(starts))
    first = np.searchsorted(before_start, before_start - side_tokens, side="left")
    first = np.minimum(first, np.maximum(number - 1, 0))
    last = np.searchsorted(before_end, before_end + side_tokens, side="right") - 1
    last = np.maximum(last, np.minimum(number + 1, len(starts) - 1))
    chunks, left, right = vectors(evidence, (starts, ends), (starts[first], starts), (ends, ends[last]))
    around = left * (before_start - before_start[first])[:, None] + right * (before_end[last] - before_end)[:, None]
    lengths = np.sqrt(np.einsum("ij,ij->i", around, around))
    products = np.einsum("ij,ij->i", chunks, around)
    cosines = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return Score(float(np.clip(np.mean(cosines), 0, 1)))
