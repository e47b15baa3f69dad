"""Units put together within limits of size. Each word is a unit here, and a token."""

import numpy as np
import pytest

from chunkfit.chunking.bounding import Units, bounded, require_limits
from chunkfit.tokens import TokenIndex

TEXT = "one two three four five six seven eight"
EDGES = np.array([0, 3, 7, 13, 18, 23, 27, 33, 39])


def chunks(values, cuts, text=TEXT, edges=EDGES, min_size=0, size=None):
    units = Units(TokenIndex(text), edges, np.array(values, float))
    chunking = bounded("m", units, cuts, min_size=min_size, size=size)
    return [span.of(text).strip() for span in chunking.spans], [flag.reason for flag in chunking.flags]


def test_without_limits_the_cuts_stand():
    assert chunks([0] * 7, [0, 4]) == (["one", "two three four five", "six seven eight"], [])
    assert chunks([0] * 7, []) == ([TEXT], [])


def test_a_chunk_above_the_size_is_cut_at_its_largest_values():
    # 8 tokens: first behind "six" (9); the six before it behind "one" (7), and those five behind "three" (3)
    found, flags = chunks([7, 1, 3, 2, 0, 9, 8], [], size=3)
    assert found == ["one", "two three", "four five six", "seven eight"]
    assert flags == []


def test_equal_values_are_cut_in_the_middle():
    # the middle of 39 characters is 19.5: the edge at 18 is nearest
    assert chunks([5] * 7, [], size=4)[0] == ["one two three four", "five six seven eight"]


def test_a_cut_leaves_the_least_on_both_sides_if_one_does():
    # the largest value would leave "one" alone; of the others "four | five" has the largest, then each half fits
    assert chunks([9, 1, 1, 4, 1, 1, 8], [], size=5, min_size=3)[0] == ["one two three four", "five six seven eight"]


def test_a_small_chunk_joins_across_the_smaller_value():
    # "four" stands between values 6 and 2
    assert chunks([0, 0, 6, 2, 0, 0, 0], [2, 3], min_size=2)[0] == ["one two three", "four five six seven eight"]
    assert chunks([0, 0, 2, 6, 0, 0, 0], [2, 3], min_size=2)[0] == ["one two three four", "five six seven eight"]
    assert chunks([0, 0, 5, 5, 0, 0, 0], [2, 3], min_size=2)[0] == ["one two three", "four five six seven eight"]


def test_small_chunks_at_the_ends_join_their_only_neighbour():
    assert chunks([9, 0, 0, 0, 0, 0, 9], [0, 6], min_size=2)[0] == [TEXT]
    assert chunks([1] * 7, range(7), min_size=3)[0] == ["one two three", "four five six seven eight"]


def test_a_small_chunk_between_two_full_ones_is_flagged():
    # 3 tokens, 1 and 3: with one more either neighbour is above 3
    text = "one two three four five six seven"
    found, flags = chunks([0, 0, 9, 9, 0, 0], [2, 3], text=text, edges=EDGES[:8], min_size=2, size=3)
    assert found == ["one two three", "four", "five six seven"]
    assert flags == ["1 tokens, below 2: neither neighbour has room for it"]


def test_a_small_chunk_joins_the_other_neighbour_where_the_nearer_is_full():
    # across the smaller value stand 4 tokens already
    assert chunks([0, 0, 9, 1, 0, 0, 0], [2, 3], min_size=2, size=4)[0] == [
        "one two three four",
        "five six seven eight",
    ]


def test_the_only_chunk_may_be_small():
    assert chunks([], [], text="one", edges=np.array([0, 3]), min_size=50) == (["one"], [])


def test_a_unit_above_the_size_is_split_like_any_text():
    # one unit of eight words, then one of a word; what is left of the first and the second fit together
    text = TEXT + " nine"
    edges = np.array([0, 39, 44])
    found, flags = chunks([3], [0], text=text, edges=edges, size=5)
    assert found == ["one two three four five", "six seven eight", "nine"]
    assert chunks([3], [0], text=text, edges=edges, size=5, min_size=2)[0] == [found[0], "six seven eight nine"]
    assert flags == []


def test_a_grapheme_above_the_size_is_flagged():
    text = "👨\u200d👩\u200d👧 x"
    _, flags = chunks([1], [0], text=text, edges=np.array([0, 5, 7]), size=2)
    assert len(flags) == 1
    assert "a single grapheme" in flags[0]


@pytest.mark.parametrize(("least", "size"), [(-1, None), (0, 0), (0, -1), (5, 4)])
def test_limits_that_leave_no_room_are_refused(least, size):
    with pytest.raises(ValueError, match="must be"):
        require_limits(least, size)
