"""Chunks as two arrays of offsets, checked against their text, and what such arrays hold."""

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking

Offsets = NDArray[np.int64]


def edges(chunking: Chunking, evidence: Evidence) -> tuple[Offsets, Offsets]:
    """Starts and ends of the chunks, in code points.

    Raises ValueError where a chunk lies outside the text or out of order: the chunking belongs to another text, and any
    score of it would be a plausible untruth.
    """
    starts = np.array([span.start for span in chunking.spans], dtype=np.int64)
    ends = np.array([span.end for span in chunking.spans], dtype=np.int64)
    length = len(evidence.document.text)
    if len(ends) and ends.max() > length:
        i = int(np.argmax(ends > length))
        raise ValueError(
            f"chunk {i} of {chunking.method!r} is [{starts[i]}, {ends[i]}), but the text has {length} code points; "
            "score a chunking with the document that it was made from"
        )
    if (np.diff(starts) < 0).any():
        i = int(np.argmax(np.diff(starts) < 0)) + 1
        raise ValueError(
            f"chunk {i} of {chunking.method!r} starts at {starts[i]}, before chunk {i - 1} at {starts[i - 1]}; "
            "sort the chunks by their starts"
        )
    return starts, ends


def new_from(starts: Offsets, ends: Offsets) -> Offsets:
    """Where each chunk begins to hold text that no earlier chunk holds; its end where it holds nothing new."""
    reached = np.maximum.accumulate(np.concatenate([[0], ends]))[:-1]
    return np.clip(reached, starts, ends)


def held(starts: Offsets, ends: Offsets, firsts: Offsets, lasts: Offsets) -> NDArray[np.bool_]:
    """Whether some chunk contains all of `[firsts[i], lasts[i])`."""
    if not len(starts):
        return np.zeros(len(firsts), dtype=bool)
    reach = np.maximum.accumulate(ends)  # of all chunks that start so early, the one that ends last decides
    candidate = np.searchsorted(starts, firsts, side="right") - 1
    return (candidate >= 0) & (reach[candidate] >= lasts)
