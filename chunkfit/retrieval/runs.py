"""Runs of whole numbers, many at once."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def runs(first: Numbers, behind: Numbers) -> Numbers:
    """The numbers of each run `[first[i], behind[i])`, one run behind the other. Runs may be empty, not negative.

    >>> runs(np.array([3, 7, 9]), np.array([5, 7, 10])).tolist()
    [3, 4, 9]
    """
    lengths = behind - first
    ends = np.cumsum(lengths)
    numbers: Numbers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + lengths, lengths)
    return numbers
