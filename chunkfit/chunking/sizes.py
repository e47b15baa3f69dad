"""What the methods share that keep to a number of tokens."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from chunkfit import graphemes
from chunkfit.model import Flag, Span
from chunkfit.spans import offsets
from chunkfit.tokens import TokenIndex


def require_room(limit: int, overlap: int = 0, *, name: str = "size") -> None:
    """Raise ValueError unless 0 <= overlap < limit; `name` is what the caller calls the limit."""
    if limit <= 0:
        raise ValueError(f"{name} must be at least 1, got {limit}")
    if not 0 <= overlap < limit:
        raise ValueError(f"overlap must be at least 0 and below {name}={limit}, got {overlap}; try {limit // 10}")


def longest_prefix(tokens: TokenIndex, start: int, end: int, max_tokens: int) -> int:
    """Where the longest run of whole graphemes from `start` with at most `max_tokens` tokens ends, at `end` at most.

    The first grapheme is in it even where it is larger. `start` and `end` must be boundaries of graphemes.
    """
    text = tokens.text
    stop = graphemes.floor(text, tokens.longest(start, max_tokens, end), start)
    # A shorter text may need more tokens than one that ends a word.
    while stop > start and tokens.count(start, stop) > max_tokens:
        stop = graphemes.floor(text, stop - 1, start)
    return stop if stop > start else graphemes.ceiling(text, start + 1, start)


def oversize_flags(tokens: TokenIndex, spans: Sequence[Span], max_tokens: float) -> tuple[Flag, ...]:
    """A flag for each chunk above `max_tokens`, which can only be a single grapheme."""
    sizes = tokens.counts(*offsets(spans))
    return tuple(
        Flag(int(i), f"{sizes[i]} tokens, above {max_tokens}: a single grapheme, which must not be cut")
        for i in np.flatnonzero(sizes > max_tokens)
    )


def grapheme_floors(text: str, positions: Iterable[int]) -> Iterator[int]:
    """The last boundary of graphemes at or before each position; positions come in order. Linear in the text."""
    known = reach = 0  # the last boundary found, and where the grapheme behind it ends if a position fell inside
    for position in positions:
        if position >= reach:
            known = graphemes.floor(text, position, known)
            if known < position:  # others may fall inside the same grapheme, which can be as long as the text
                reach = graphemes.ceiling(text, position, known)
        yield known
