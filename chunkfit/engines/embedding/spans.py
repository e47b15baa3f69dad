"""Spans as two arrays, checked."""

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int64]


def checked(starts: Offsets, ends: Offsets, length: int) -> tuple[Offsets, Offsets]:
    """The spans as they are. Raises ValueError where one is out of order or leaves a text of `length` code points."""
    starts, ends = np.asarray(starts, np.int64), np.asarray(ends, np.int64)
    if starts.shape != ends.shape or starts.ndim != 1:
        raise ValueError(f"spans need a start and an end each, got arrays of shapes {starts.shape} and {ends.shape}")
    if len(starts) and not (starts.min() >= 0 and (starts <= ends).all() and ends.max() <= length):
        raise ValueError(f"spans need 0 <= start <= end <= {length}, the length of the text")
    return starts, ends
