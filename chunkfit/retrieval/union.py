"""Lengths of unions of many spans at once."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def newly_covered(lines: Numbers, starts: Numbers, ends: Numbers) -> Numbers:
    """How many characters each span `[starts[i], ends[i])` of a line adds to the spans of that line before it.

    Before means: that start earlier, or are given earlier. The sum over a line is the length of the union of its spans.

    >>> newly_covered(np.array([0, 0, 1]), np.array([5, 0, 0]), np.array([9, 6, 3])).tolist()
    [3, 6, 3]
    """
    room = 1 + ends.max(initial=0)
    begins, stops = lines * room + starts, lines * room + ends
    order = np.argsort(begins, kind="stable")
    reached = np.maximum.accumulate(np.concatenate([[0], stops[order]]))[:-1]
    added = np.empty(len(starts), np.int64)
    added[order] = np.maximum(stops[order] - np.maximum(begins[order], reached), 0)
    return added


def per_owner(owners: Numbers, numbers: Numbers, size: int) -> Numbers:
    """The sum of the numbers of each of `size` owners."""
    return np.bincount(owners, numbers, minlength=size).astype(np.int64)
