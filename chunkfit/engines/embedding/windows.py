"""Overlapping windows over the tokens of a text that is longer than its model reads at once."""

import numpy as np

Window = tuple[int, int]  # tokens, half-open


def windows(tokens: int, size: int, overlap: int) -> list[Window]:
    """Windows of `size` tokens, each beginning `overlap` before the end of the one before it; the last may be shorter.

    They cover all tokens, and none lies inside another. Raises ValueError where they could not move on.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"windows of {size} tokens cannot overlap by {overlap}; choose an overlap below the size")
    step = size - overlap
    count = 1 + max(0, -(-(tokens - size) // step))
    return [(number * step, min(number * step + size, tokens)) for number in range(count)]


def owned(found: list[Window]) -> list[Window]:
    """The tokens that each window sees best: those that are in no other window further from an edge.

    An edge is where a window cuts the text, so the text's own ends are none. Of two windows that see a token equally
    well, the earlier owns it. What the windows own tiles the tokens.
    """
    starts, ends = np.array(found, np.int64).T
    # Token t is ends - 1 - t away from the end of one window, and t - starts away from the start of the next.
    turns = ((ends[:-1] - 1 + starts[1:]) // 2 + 1).tolist()
    return list(zip([int(starts[0]), *turns], [*turns, int(ends[-1])], strict=True))
