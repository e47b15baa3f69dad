"""The best way to cut a sequence into runs, by dynamic programming."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def best_partition(length: int, rewards: Iterable[NDArray[np.int64]]) -> list[int]:
    """Where the runs of the best partition of `length` items start, and the end of the last.

    `rewards` come for the last item first: `reward[k]` is that of the run of k + 1 items which starts there, for each
    number of items that is allowed, one at least. The best partition has the largest sum of rewards; of equal ones it
    has the fewest runs, and of those the longest first run, then the longest second, and so on. Rewards are integers,
    so that equal sums are equal. Needs a step for each item, and as much as it has rewards in each.
    """
    sums = np.zeros(length + 1, np.int64)  # of the best partition of what starts at each item
    runs = np.zeros(length + 1, np.int64)
    ends = np.zeros(length, np.int64)  # of its first run
    for start, reward in zip(range(length - 1, -1, -1), rewards, strict=True):
        behind = slice(start + 1, start + 1 + len(reward))
        found = reward + sums[behind]
        best = np.flatnonzero(found == found.max())
        fewest = runs[behind][best]
        run = best[len(best) - 1 - np.argmin(fewest[::-1])]  # the last of the fewest: the longest run
        sums[start], runs[start], ends[start] = found[run], runs[start + 1 + run] + 1, start + 1 + run
    starts = [0]
    while starts[-1] < length:
        starts.append(int(ends[starts[-1]]))
    return starts
