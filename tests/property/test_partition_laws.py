"""The partition found by dynamic programming is the best of all."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkfit.chunking.partition import best_partition


def partitions(length: int):
    """Every way to cut a sequence, as the starts of its runs and its end."""
    for chosen in range(2 ** max(length - 1, 0)):
        yield [0, *(i + 1 for i in range(length - 1) if chosen >> i & 1), length]


def place(rewards, edges):
    """What the best has the least of: the reward missing, then runs, then how short the first is, and so on."""
    runs = list(pairwise(edges))
    if any(end - start > len(rewards[start]) for start, end in runs):
        return None
    return -sum(rewards[start][end - start - 1] for start, end in runs), len(runs), [-end for _, end in runs]


@st.composite
def rewards_of_runs(draw):
    """For each item, what runs of 1, 2, ... items from there give, as far as they are allowed."""
    length = draw(st.integers(1, 9))
    values = st.integers(-3, 3)  # few, so that there are ties
    return [draw(st.lists(values, min_size=1, max_size=min(5, length - start))) for start in range(length)]


@settings(deadline=None, max_examples=300)
@given(rewards_of_runs())
def test_no_partition_is_better_and_ties_go_to_fewer_and_earlier_long_runs(rewards):
    arrays = [np.array(reward, np.int64) for reward in reversed(rewards)]
    ranked = [(place(rewards, edges), edges) for edges in partitions(len(rewards))]
    best = min((rank, edges) for rank, edges in ranked if rank is not None)
    assert best_partition(len(rewards), arrays) == best[1]


def test_nothing_has_no_runs():
    assert best_partition(0, []) == [0]
