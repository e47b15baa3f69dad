"""BI, block integrity: how many paragraphs, tables and lists stay whole."""

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import edges, held
from chunkfit.model import Chunking, Score

_NO_BLOCKS = Score(None, "the parser told no blocks of this text")


@registry.paper.register("BI", version=1, chance=True, gate=False)
def paper(chunking: Chunking, evidence: Evidence, *, tolerance: int = 5) -> Score:
    """Share of parser blocks with no chunk start inside, more than `tolerance` code points from both of their ends.

    Source: "Adaptive Chunking" (arXiv 2603.25333). Rewards cuts between blocks. Starts alone are looked at: a chunk
    that ends early and drops the rest of a block leaves the block whole, and one chunk of everything scores 1. A block
    of at most 11 code points cannot be cut.
    """
    starts, _ = edges(chunking, evidence)
    blocks = evidence.block_edges
    if len(blocks) < 2:
        return _NO_BLOCKS
    if not len(starts):
        return Score(None, "there are no chunks")
    lowest, highest = blocks[:-1] + tolerance + 1, blocks[1:] - tolerance - 1
    cuts = np.searchsorted(starts[1:], highest, side="right") - np.searchsorted(starts[1:], lowest, side="left")
    return Score(float(np.mean(cuts <= 0)))  # below 0 where a block is too short to have an inside


@registry.strict.register("BI", version=1, chance=True, gate=False)
def strict(chunking: Chunking, evidence: Evidence, *, tolerance: int = 5) -> Score:
    """Share of parser blocks that some chunk holds as a whole.

    Blanks around a block do not count as its text. At each end `tolerance` code points may be missing, but never more
    than a tenth of the block. Rewards chunks that keep paragraphs and tables together, overlap included: a block that
    is whole in one chunk is whole, however many others show a part of it. Large chunks score high by themselves, which
    is what the chance value beside it shows.
    """
    starts, ends = edges(chunking, evidence)
    blocks, visible = evidence.block_edges, evidence.visible_before
    if len(blocks) < 2:
        return _NO_BLOCKS
    before = visible[blocks]
    full = before[1:] > before[:-1]
    if not full.any():
        return Score(None, "all blocks are blank")
    firsts = np.searchsorted(visible, before[:-1][full], side="right") - 1
    lasts = np.searchsorted(visible, before[1:][full], side="left")
    missing = np.minimum(tolerance, (lasts - firsts) // 10)
    return Score(float(np.mean(held(starts, ends, firsts + missing, lasts - missing))))
