"""Cuts between units, such as sentences, brought within limits of size: the strongest are added, the weakest go."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chunkfit.chunking.recursive import split_recursively
from chunkfit.chunking.sizes import oversize_flags
from chunkfit.model import Chunking, Flag, Span
from chunkfit.spans import offsets
from chunkfit.tokens import TokenIndex

Piece = tuple[Span, float]
"""A span and how much there is for the cut before it."""


def require_limits(min_size: int, size: int | None) -> None:
    """Raise ValueError unless 0 <= min_size <= size and size >= 1, where there is a size."""
    if size is not None and size < 1:
        raise ValueError(f"size must be at least 1 token, got {size}; leave it out for no limit")
    if min_size < 0:
        raise ValueError(f"min_size must be at least 0 tokens, got {min_size}; 0 is no limit")
    if size is not None and min_size > size:
        raise ValueError(f"min_size must be at most size={size}, got {min_size}; try {size // 4}")


@dataclass(frozen=True)
class Units:
    """What may be put together: the stretches between neighbouring edges of a text.

    `edges` are offsets, both ends of the text included; `values[i]` says how much there is for a cut behind unit i.
    """

    tokens: TokenIndex
    edges: NDArray[np.int64]
    values: NDArray[np.float64]

    def count(self, first: int, last: int) -> int:
        """Tokens between two edges, by their numbers."""
        return self.tokens.count(int(self.edges[first]), int(self.edges[last]))

    def span(self, first: int, last: int) -> Span:
        return Span(int(self.edges[first]), int(self.edges[last]))


def bounded(method: str, units: Units, cuts: Sequence[int], *, min_size: int, size: int | None) -> Chunking:
    """Units put together between cuts, each chunk within `[min_size, size]` tokens where that is possible.

    `cuts` are the units to cut behind, in order. A chunk above `size` is cut where the value is largest (of equal ones,
    nearest its middle), again and again until its parts fit; both parts keep `min_size` if any cut lets them. A unit
    that alone is above `size` is split as by `recursive`. Then a chunk below `min_size` joins the neighbour across the
    smaller value if the two fit together, else the other one, else none. What keeps out of the limits is flagged: a
    grapheme above `size`, and a chunk below `min_size`, unless it is the only one.
    """
    limit = math.inf if size is None else size
    kept = [0, *(cut + 1 for cut in cuts), len(units.edges) - 1]
    pieces = [piece for run in pairwise(kept) for piece in _fitting(units, *run, min_size, limit)]
    spans = tuple(_merged(units.tokens, pieces, min_size, limit))
    return Chunking(method, spans, flags=_flags(units.tokens, spans, min_size, limit))


def _flags(tokens: TokenIndex, spans: Sequence[Span], min_size: int, limit: float) -> tuple[Flag, ...]:
    sizes = tokens.counts(*offsets(spans))
    small = np.flatnonzero(sizes < min_size).tolist() if len(spans) > 1 else []
    too_small = [Flag(i, f"{sizes[i]} tokens, below {min_size}: neither neighbour has room for it") for i in small]
    return tuple(sorted((*oversize_flags(tokens, spans, limit), *too_small), key=lambda flag: flag.chunk_index))


def _fitting(units: Units, first: int, last: int, min_size: int, limit: float) -> Iterator[Piece]:
    """The parts of what lies between two edges, in order."""
    waiting = [(first, last)]
    while waiting:
        first, last = waiting.pop()
        span, value = units.span(first, last), units.values[first - 1] if first else math.inf
        if units.count(first, last) <= limit:
            yield span, value
        elif last - first == 1:
            for number, part in enumerate(split_recursively(units.tokens, span, int(limit))):
                yield part, -math.inf if number else value
        else:
            cut = _best_cut(units, first, last, min_size)
            waiting += [(cut, last), (first, cut)]


def _best_cut(units: Units, first: int, last: int, min_size: int) -> int:
    """The edge strictly between two others to cut at."""
    inner = range(first + 1, last)
    low = bisect_left(inner, True, key=lambda edge: units.count(first, edge) >= min_size)
    high = bisect_left(inner, True, key=lambda edge: units.count(edge, last) < min_size)
    allowed = inner[low:high] or inner
    values = units.values[allowed.start - 1 : allowed.stop - 1]
    strongest = allowed.start + np.flatnonzero(values == values.max())
    middle = (units.edges[first] + units.edges[last]) / 2
    return int(strongest[np.argmin(np.abs(units.edges[strongest] - middle))])


def _merged(tokens: TokenIndex, pieces: Sequence[Piece], min_size: int, limit: float) -> Iterator[Span]:
    """Pieces below `min_size` put together with a neighbour, as far as there is room."""

    def fit(first: Span, last: Span) -> bool:
        return tokens.count(first.start, last.end) <= limit

    done: list[Piece] = []
    waiting: Piece | None = None  # opens the next span, being too small to be one
    for number, (span, value) in enumerate(pieces):
        if waiting is not None:
            span, value = Span(waiting[0].start, span.end), waiting[1]
            waiting = None
        if tokens.count(span.start, span.end) < min_size:
            following = pieces[number + 1] if number + 1 < len(pieces) else None
            joins_next = following is not None and fit(span, following[0])
            joins_last = bool(done) and fit(done[-1][0], span)
            if following is not None and joins_next and (not joins_last or following[1] <= value):
                waiting = span, value
                continue
            if joins_last:
                before, value = done.pop()
                span = Span(before.start, span.end)
        done.append((span, value))
    return (span for span, _ in done)
