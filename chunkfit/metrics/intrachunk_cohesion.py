"""ICC, intrachunk cohesion: how alike the blocks of one chunk are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import Offsets, edges, new_from
from chunkfit.metrics.vectors import running_sum, vectors
from chunkfit.model import Chunking, Score


@registry.paper.register("ICC", version=1, chance=True, gate=False)
def paper(chunking: Chunking, evidence: Evidence) -> Score:
    """Mean over chunks of the mean cosine between the chunk and each part of a block in it.

    Chunks that hold a part of one block only are left out. Source: "Adaptive Chunking" (arXiv 2603.25333). Rewards
    chunks about one thing, and small ones by themselves: the fewer the parts, the more of the chunk is each part.
    Cutting blocks into crumbs raises it as well. Compare it with chance.
    """
    starts, ends = edges(chunking, evidence)
    mixed = _mixed(starts, ends, evidence.block_edges)
    if not len(mixed.starts):
        return _nothing_to_compare(evidence)
    cut, whole = evidence.block_edges, evidence.once(_blocks_before)
    chunks, opening, closing = vectors(
        evidence, (mixed.starts, mixed.ends), (mixed.starts, cut[mixed.first]), (cut[mixed.last], mixed.ends)
    )
    parts = opening + closing + (whole[mixed.last] - whole[mixed.first])
    likeness = np.einsum("ij,ij->i", parts, chunks) / (mixed.last - mixed.first + 2)
    return Score(float(np.clip(np.mean(likeness), 0, 1)))


@registry.strict.register("ICC", version=1, chance=True, gate=False)
def strict(chunking: Chunking, evidence: Evidence) -> Score:
    """Mean cosine between a part of a block and its chunk, weighted by the tokens of the part.

    sum(tokens * cosine) / sum(tokens) over the parts of all chunks that hold at least two. So a crumb cut from a block
    counts as little as it is. Tokens that an earlier chunk holds have no weight: text told twice counts once. Small
    chunks still score high by themselves; the lift over chance is what tells.
    """
    starts, ends = edges(chunking, evidence)
    fresh = new_from(starts, ends)
    mixed = _mixed(starts, ends, evidence.block_edges)
    if not len(mixed.starts):
        return _nothing_to_compare(evidence)
    fresh = fresh[mixed.chunks]
    cut, whole, tokens = evidence.block_edges, evidence.once(_block_tokens_before), evidence.tokens
    # Weights begin in the part that holds the first new token; that may be the closing part itself.
    first = np.minimum(np.searchsorted(cut, fresh, side="right"), mixed.last)
    opening_start = np.maximum(mixed.starts, cut[first - 1])
    opening_tokens = tokens.counts(np.minimum(fresh, cut[first]), cut[first])
    closing_tokens = tokens.counts(np.maximum(fresh, cut[mixed.last]), mixed.ends)
    chunks, opening, closing = vectors(
        evidence, (mixed.starts, mixed.ends), (opening_start, cut[first]), (cut[mixed.last], mixed.ends)
    )
    between = whole.vectors[mixed.last] - whole.vectors[first]
    parts = opening * opening_tokens[:, None] + closing * closing_tokens[:, None] + between
    weights = opening_tokens + closing_tokens + whole.tokens[mixed.last] - whole.tokens[first]
    if not weights.sum():
        return _nothing_to_compare(evidence)
    return Score(float(np.clip(np.einsum("ij,ij->", parts, chunks) / weights.sum(), 0, 1)))


class _Mixed(NamedTuple):
    """The chunks that hold parts of at least two blocks: the first opens it, the last closes it, others are whole."""

    chunks: NDArray[np.int64]  # which
    starts: Offsets
    ends: Offsets
    first: NDArray[np.int64]  # the first block edge inside: blocks `first` to `last - 1` are whole
    last: NDArray[np.int64]


def _mixed(starts: Offsets, ends: Offsets, block_edges: Offsets) -> _Mixed:
    first = np.searchsorted(block_edges, starts, side="right")
    last = np.searchsorted(block_edges, ends, side="left") - 1
    chunks = np.flatnonzero(first <= last)
    return _Mixed(chunks, starts[chunks], ends[chunks], first[chunks], last[chunks])


class _Weighted(NamedTuple):
    """Over the blocks before each block edge: the sum of their vectors times their tokens, and of their tokens."""

    vectors: NDArray[np.float64]
    tokens: NDArray[np.int64]


def _blocks_before(evidence: Evidence) -> NDArray[np.float64]:
    """The sum of the vectors of all blocks before each block edge: a chunk's whole blocks are one difference."""
    cut = evidence.block_edges
    return running_sum(evidence.vectors(cut[:-1], cut[1:]))


def _block_tokens_before(evidence: Evidence) -> _Weighted:
    cut = evidence.block_edges
    tokens = evidence.tokens.counts(cut[:-1], cut[1:])
    weighted = running_sum(evidence.vectors(cut[:-1], cut[1:]) * tokens[:, None])
    return _Weighted(weighted, np.concatenate([[0], np.cumsum(tokens)]))


def _nothing_to_compare(evidence: Evidence) -> Score:
    if len(evidence.block_edges) < 2:
        return Score(None, "the parser told no blocks of this text")
    return Score(None, "no chunk holds parts of two blocks")
