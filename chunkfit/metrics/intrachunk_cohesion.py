"""ICC, intrachunk cohesion: how alike the blocks of one chunk are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import Offsets, edges, new_from
from chunkfit.model import Chunking, Score


@registry.paper.register("ICC", version=1, chance=True, gate=False)
def paper(chunking: Chunking, evidence: Evidence) -> Score:
    """Mean over chunks of the mean cosine between the chunk and each part of a block in it; chunks of one part are left out.

    Source: "Adaptive Chunking" (arXiv 2603.25333). Rewards chunks about one thing, and even more so small ones: the fewer
    parts, the more of the chunk is each part. Cutting blocks into crumbs raises it as well. Compare with chance.
    """
    starts, ends = edges(chunking, evidence)
    parts = _parts(starts, ends, evidence.block_edges)
    if not len(parts.counts):
        return _nothing_to_compare(evidence)
    likeness = np.add.reduceat(_likeness(parts, evidence), parts.firsts) / parts.counts
    return Score(float(np.clip(np.mean(likeness), 0, 1)))


@registry.strict.register("ICC", version=1, chance=True, gate=False)
def strict(chunking: Chunking, evidence: Evidence) -> Score:
    """Mean cosine between a part of a block and its chunk, weighted by the tokens of the part.

    sum(tokens * cosine) / sum(tokens) over the parts of all chunks that hold at least two. Weighted so, a crumb cut from a
    block counts as little as it is. Tokens that an earlier chunk holds have no weight: text told twice counts once.
    Small chunks still score high by themselves; its lift over chance is what tells.
    """
    starts, ends = edges(chunking, evidence)
    parts = _parts(starts, ends, evidence.block_edges)
    if not len(parts.counts):
        return _nothing_to_compare(evidence)
    fresh = np.clip(new_from(starts, ends)[parts.chunks], parts.starts, parts.ends)
    tokens = evidence.tokens.counts(fresh, parts.ends)
    if not tokens.any():
        return _nothing_to_compare(evidence)
    return Score(float(np.clip(np.average(_likeness(parts, evidence), weights=tokens), 0, 1)))


class _Parts(NamedTuple):
    """The parts of blocks in chunks that hold at least two, chunk by chunk."""

    starts: Offsets
    ends: Offsets
    chunks: NDArray[np.int64]  # the chunk of each part
    chunk_starts: Offsets  # of the chunks that have parts here
    chunk_ends: Offsets
    firsts: NDArray[np.int64]  # the first part of each
    counts: NDArray[np.int64]  # and how many


def _parts(starts: Offsets, ends: Offsets, block_edges: Offsets) -> _Parts:
    first_edge = np.searchsorted(block_edges, starts, side="right")
    inner = np.searchsorted(block_edges, ends, side="left") - first_edge  # block edges inside a chunk
    mixed = np.flatnonzero(inner > 0)
    counts = inner[mixed] + 1
    firsts = np.cumsum(counts) - counts
    chunks = np.repeat(mixed, counts)
    edge = first_edge[chunks] + np.arange(len(chunks)) - np.repeat(firsts, counts)  # the block edge that ends the part
    part_starts, part_ends = block_edges[edge - 1], block_edges[np.minimum(edge, len(block_edges) - 1)]
    part_starts[firsts] = starts[mixed]
    part_ends[firsts + counts - 1] = ends[mixed]
    return _Parts(part_starts, part_ends, chunks, starts[mixed], ends[mixed], firsts, counts)


def _likeness(parts: _Parts, evidence: Evidence) -> NDArray[np.float32]:
    """The cosine between each part and its chunk."""
    chunks = evidence.vectors(parts.chunk_starts, parts.chunk_ends)
    vectors = evidence.vectors(parts.starts, parts.ends)
    return np.einsum("ij,ij->i", vectors, np.repeat(chunks, parts.counts, axis=0))


def _nothing_to_compare(evidence: Evidence) -> Score:
    if len(evidence.block_edges) < 2:
        return Score(None, "the parser told no blocks of this text")
    return Score(None, "no chunk holds parts of two blocks")
