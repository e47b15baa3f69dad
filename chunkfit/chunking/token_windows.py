"""Windows of at most so many tokens over a text, which end at welcome places where they can."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from chunkfit import graphemes
from chunkfit.chunking.sizes import longest_prefix
from chunkfit.model import Span
from chunkfit.tokens import TokenIndex


def token_windows(tokens: TokenIndex, size: int, overlap: int = 0, stops: Sequence[int] = ()) -> Iterator[Span]:
    """Cover a text by spans of as many tokens as fit, cut between graphemes, neighbours sharing up to `overlap`.

    `stops` are offsets between graphemes, in order, where cuts are welcome. A span ends at the last of them that fits
    and lies behind the span before, or else where the tokens end. It begins at one too: at the first within the overlap
    from which it can end at one again, so an overlap is left out rather than cut elsewhere. Where none is near, spans
    are those without stops. The last span always adds something; a grapheme above `size` is a span of its own.
    """
    length = len(tokens.text)
    welcome = [*stops, length]

    def end(start: int, reached: int) -> int:
        longest = longest_prefix(tokens, start, length, size)
        at = bisect_right(welcome, longest) - 1
        # A shorter text may need more tokens than one that ends a word.
        while at >= 0 and welcome[at] > reached and tokens.count(start, welcome[at]) > size:
            at -= 1
        return welcome[at] if at >= 0 and welcome[at] > reached else longest

    span = Span(0, end(0, 0)) if length else None
    while span is not None:
        yield span
        span = _next(tokens, span, overlap, welcome, end) if span.end < length else None


def _next(tokens: TokenIndex, last: Span, overlap: int, welcome: Sequence[int], end: Callable[[int, int], int]) -> Span:
    """The span behind another: from as early as the overlap allows, if it gets past the other so."""
    if not overlap:
        return Span(last.end, end(last.end, last.end))
    early = _earliest(tokens, last.start, last.end, overlap)
    starts = welcome[bisect_left(welcome, early) : bisect_right(welcome, last.end)] or [early]
    ends = cache(lambda start: end(start, last.end))

    def ends_well(start: int) -> bool:
        return ends(start) > last.end and welcome[bisect_left(welcome, ends(start))] == ends(start)

    for fits in (ends_well, lambda start: ends(start) > last.end):
        first = bisect_left(starts, True, key=fits)  # a later start leaves more room
        if first < len(starts):
            return Span(starts[first], ends(starts[first]))
    return Span(last.end, ends(last.end))


def _earliest(tokens: TokenIndex, start: int, stop: int, overlap: int) -> int:
    """The first boundary of graphemes behind `start` from which at most `overlap` tokens lead to `stop`."""
    inner = range(start + 1, stop)
    early = start + 1 + bisect_left(inner, True, key=lambda position: tokens.count(position, stop) <= overlap)
    early = graphemes.ceiling(tokens.text, early, start)
    while tokens.count(early, stop) > overlap:  # a grapheme less may still be a token more
        early = graphemes.ceiling(tokens.text, early + 1, early)
    return early
