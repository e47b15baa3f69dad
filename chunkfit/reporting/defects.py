"""What a chunking breaks: blocks and references that no chunk holds whole, as the strict metrics count them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkfit.metrics.edges import held
from chunkfit.model import Chunking, Document, Mentions, Pair

TOLERANCE = 5  # code points that may be missing at each end of a block, but never more than a tenth of it

Stretches = NDArray[np.int64]  # one row each: start, end


def block_stretches(document: Document) -> Stretches:
    """What a chunk must hold of each block: its text without the blanks around it, less the tolerance."""
    stretches = []
    for block in document.blocks:
        text = block.span.of(document.text)
        start = block.span.start + len(text) - len(text.lstrip())
        end = max(start, block.span.end - len(text) + len(text.rstrip()))
        missing = min(TOLERANCE, (end - start) // 10)
        stretches.append((start + missing, end - missing))
    return np.array(stretches, dtype=np.int64).reshape(-1, 2)


def references(document: Document, mentions: Mentions) -> tuple[Pair, ...]:
    """The entity-pronoun pairs that lie in the text; mentions read from elsewhere may go beyond it."""
    length = len(document.text)
    return tuple(pair for pair in mentions.pairs or () if max(pair.entity.end, pair.pronoun.end) <= length)


def reference_stretches(pairs: Sequence[Pair]) -> Stretches:
    """What a chunk must hold of each pair: from its first mention to its last."""
    ends = [(min(p.entity.start, p.pronoun.start), max(p.entity.end, p.pronoun.end)) for p in pairs]
    return np.array(ends, dtype=np.int64).reshape(-1, 2)


def broken(stretches: Stretches, chunking: Chunking) -> tuple[int, ...]:
    """Indices of the stretches that hold something and that no chunk holds whole."""
    firsts, lasts = stretches.T
    starts, ends = np.array([(span.start, span.end) for span in chunking.spans], dtype=np.int64).reshape(-1, 2).T
    return tuple(int(index) for index in np.flatnonzero((firsts < lasts) & ~held(starts, ends, firsts, lasts)))
