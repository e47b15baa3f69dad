"""What a chunking breaks: blocks and references that no chunk holds whole."""

import numpy as np
from numpy.typing import NDArray

from chunkfit.model import Chunking, Document, Mentions

TOLERANCE = 5  # code points at both ends of a block, as in block integrity


def cut_blocks(document: Document, chunking: Chunking) -> tuple[int, ...]:
    """Indices of the document's blocks that no chunk contains, up to 5 characters and a tenth of the block."""
    starts = np.array([block.span.start for block in document.blocks], dtype=np.int64)
    ends = np.array([block.span.end for block in document.blocks], dtype=np.int64)
    tolerance = np.minimum(TOLERANCE, (ends - starts) // 10)
    return _uncontained(starts + tolerance, ends - tolerance, chunking)


def broken_references(mentions: Mentions, chunking: Chunking) -> tuple[int, ...]:
    """Indices of the entity-pronoun pairs of which no chunk contains both mentions."""
    pairs = mentions.pairs or ()
    starts = np.array([min(pair.entity.start, pair.pronoun.start) for pair in pairs], dtype=np.int64)
    ends = np.array([max(pair.entity.end, pair.pronoun.end) for pair in pairs], dtype=np.int64)
    return _uncontained(starts, ends, chunking)


def _uncontained(starts: NDArray[np.int64], ends: NDArray[np.int64], chunking: Chunking) -> tuple[int, ...]:
    chunk_starts = np.array([span.start for span in chunking.spans], dtype=np.int64)
    # The furthest end among the chunks that start early enough decides: -1 where none does.
    reach = np.maximum.accumulate(np.array([-1, *(span.end for span in chunking.spans)], dtype=np.int64))
    furthest = reach[np.searchsorted(chunk_starts, starts, side="right")]
    return tuple(int(index) for index in np.flatnonzero(furthest < ends))
