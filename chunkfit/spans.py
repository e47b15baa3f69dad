"""Interval arithmetic on spans of one text. Spans come in order of their starts; they may overlap."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chunkfit.model import Span


def require_order(spans: Sequence[Span], length: int) -> None:
    """Raise ValueError where spans leave a text of `length` code points or do not come in order of their starts."""
    for i, (first, second) in enumerate(pairwise(spans), start=1):
        if second.start < first.start:
            raise ValueError(
                f"chunk {i} starts at {second.start}, before chunk {i - 1} at {first.start}; sort the chunks"
            )
    for i, span in enumerate(spans):
        if span.end > length:
            raise ValueError(f"chunk {i} is [{span.start}, {span.end}), but the text has {length} code points")


def between(edges: Iterable[int]) -> tuple[Span, ...]:
    """The spans between neighbouring edges: n + 1 edges tile what lies between the first and the last with n spans."""
    return tuple(Span(start, end) for start, end in pairwise(edges))


def gaps(spans: Sequence[Span], length: int) -> tuple[Span, ...]:
    """What no span covers of a text of `length` code points, as spans that do not touch."""
    found = []
    reached = 0
    for span in spans:
        if span.start > reached:
            found.append(Span(reached, span.start))
        reached = max(reached, span.end)
    if length > reached:
        found.append(Span(reached, length))
    return tuple(found)


def union(first: Span, second: Span) -> Span:
    """The span from where the earlier starts to where the later ends, and what lies between."""
    return Span(min(first.start, second.start), max(first.end, second.end))


def without_gaps(spans: Sequence[Span], length: int) -> tuple[Span, ...]:
    """The spans, each grown back over the gap before it, and the last over what follows it.

    Blanks that a splitter stripped go with what they introduce. Empty spans go, for they cover nothing; a text without
    any span becomes one.
    """
    grown: list[Span] = []
    reached = 0
    for span in spans:
        if span:
            grown.append(Span(min(span.start, reached), span.end))
            reached = max(reached, span.end)
    if reached < length:
        last = grown.pop() if grown else Span(0, 0)
        grown.append(Span(last.start, length))
    return tuple(grown)


def shared(spans: Sequence[Span]) -> int:
    """The most code points that two neighbours have in common."""
    pairs = pairwise(spans)
    return max((max(0, min(first.end, second.end) - second.start) for first, second in pairs), default=0)


def offsets(spans: Sequence[Span]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The starts and the ends of spans, as arrays."""
    return np.array([s.start for s in spans], np.int64), np.array([s.end for s in spans], np.int64)


def without_contained(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order of their starts, less those that lie inside another; of equal ones, one stays."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.end > kept[-1].end:
            kept.append(span)
    return tuple(kept)
