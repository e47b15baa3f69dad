"""Windows over a text that is longer than what a model reads in one go."""

from collections.abc import Iterator

SHORTEST = 6
SHARE = 6  # an overlap of at most a sixth: no token is read more than 1 + (1/6) / (1 - 1/6) = 1.2 times on average


def checked_overlap(window: int, overlap: int | None) -> int:
    """The overlap of windows, an eighth where none is given.

    Raises ValueError unless window >= 6 and 0 <= overlap <= window / 6.
    """
    if window < SHORTEST:
        raise ValueError(f"window must be at least {SHORTEST} tokens, got {window}")
    if overlap is None:
        return window // 8
    if not 0 <= overlap <= window // SHARE:
        raise ValueError(
            f"overlap must be at least 0 and at most a sixth of window={window}, got {overlap}; try {window // 8}"
        )
    return overlap


def windows(total: int, window: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Half-open windows `(first, last)` that cover `total` tokens in order.

    Each but the last has `window` tokens, and each but the first opens with the last `overlap` of the one before. All
    together have at most `1 + overlap / (window - overlap)` times the tokens.
    """
    first = 0
    while first < total:
        last = min(first + window, total)
        yield first, last
        if last == total:
            return
        first = last - overlap
