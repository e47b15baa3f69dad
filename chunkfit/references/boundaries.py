"""Which of the reference's boundaries a chunking has, within a tolerance."""

from dataclasses import dataclass

import numpy as np

from chunkfit.model import Score
from chunkfit.references.judged import Judged, Offsets
from chunkfit.references.once import Pieces

TOLERANCE = 10
"""Judged characters that two boundaries may lie apart: a list marker, the signs of a heading or a page number may fall
on either side of a cut; a heading's words or a sentence may not."""


def matched(first: Offsets, second: Offsets, tolerance: int) -> int:
    """The most pairs, one boundary of each side, at most `tolerance` apart; no boundary is in two of them.

    Both come in order, so pairing each with the earliest free one in reach is optimal.
    """
    pairs = i = j = 0
    left, right = first.tolist(), second.tolist()
    while i < len(left) and j < len(right):
        if abs(left[i] - right[j]) <= tolerance:
            pairs += 1
            i += 1
            j += 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1
    return pairs


def torn(pieces: Pieces, edges: Offsets | None = None) -> int:
    """How many boundaries dropped text counts for: each of its units is a chunk of its own, whose edges match nothing.

    Units are judged characters, or what lies between `edges` where these are given; gaps then end at the nearest ones.
    """
    starts, ends = pieces.gaps
    last = pieces.length
    if edges is not None:
        starts, ends, last = nearest(starts, edges), nearest(ends, edges), len(edges) - 1
    inner = ends - starts + 1 - (starts == 0) - (ends == last)
    return int(np.maximum(inner, 0).sum())


def nearest(offsets: Offsets, edges: Offsets) -> Offsets:
    """Number of the edge that is nearest to each offset, the earlier of two. `edges` reach around all offsets."""
    after = np.searchsorted(edges, offsets)
    before = np.maximum(after - 1, 0)
    return np.where(edges[after] - offsets < offsets - edges[before], after, before)


@dataclass(frozen=True, slots=True)
class Hits:
    """Boundaries of the chunking, of the reference, and how many of them are the same."""

    matched: int
    made: int
    meant: int


def hits(pieces: Pieces, judged: Judged, tolerance: int) -> Hits:
    """`tolerance` in judged characters."""
    return Hits(
        matched=matched(pieces.boundaries, judged.boundaries, tolerance),
        made=len(pieces.boundaries) + torn(pieces),
        meant=len(judged.boundaries),
    )


def boundary_precision(found: Hits) -> Score:
    """Share of the chunking's boundaries that are the reference's; those of dropped text are not.

    None where the chunking is one piece. It rewards cutting only where one is sure: a single right cut is 1.
    """
    return Score(found.matched / found.made) if found.made else Score(None, "the chunking has no boundaries")


def boundary_recall(found: Hits) -> Score:
    """Share of the reference's boundaries that the chunking has. None where the reference is one chunk.

    It rewards cutting everywhere: the chance level of all cuts shows how much.
    """
    return Score(found.matched / found.meant) if found.meant else Score(None, "the reference has no boundaries")


def boundary_f1(found: Hits) -> Score:
    """Harmonic mean of precision and recall: 2 * matched / (the chunking's + the reference's boundaries).

    1 where neither side has any: they agree. It rewards the right number of cuts at the right places, and sees no
    difference between a cut that is one sentence off and one that is a page off; `pk` and `window_diff` do.
    """
    both = found.made + found.meant
    return Score(2 * found.matched / both) if both else Score(1.0)
