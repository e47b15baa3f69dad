"""Boundary similarity: how few edits turn one chunking's boundaries into the other's."""

from collections.abc import Iterable

import numpy as np

from chunkfit.model import Score
from chunkfit.references.boundaries import nearest, torn
from chunkfit.references.judged import Judged, Offsets
from chunkfit.references.once import Pieces

SPAN = 2
"""Potential boundaries that a near miss may span, as in the literature: a cut one sentence off is half a miss."""


def boundary_similarity(pieces: Pieces, judged: Judged) -> Score:
    """B = 1 - (misses + half the near misses) / (misses + near misses + matches), by the `segeval` library.

    C. Fournier, "Evaluating Text Segmentation using Boundary Edit Distance", 2013. Boundaries may stand where sentences
    meet; a cut inside a sentence counts at the nearer end, so B does not see cut sentences. Dropped sentences are
    chunks of their own, whose edges are misses. 1 where neither side has a boundary: they agree; None where they have
    some, and none of them between two sentences. It rewards what F1 does, and a near miss half as much; cutting
    everywhere makes it low.
    """
    size = len(judged.sentences) - 1
    made = _inner(nearest(pieces.boundaries, judged.sentences), size)
    meant = _inner(nearest(judged.boundaries, judged.sentences), size)
    lost = torn(pieces, judged.sentences)
    if not made and not meant:
        if lost:
            return Score(0.0)
        if len(pieces.boundaries) or len(judged.boundaries):
            return Score(None, "no boundary stands between two sentences")
        return Score(1.0)

    from segeval import boundary_similarity
    from segeval.format import BoundaryFormat

    made, meant = _without_long_runs(made, meant)
    width = max(made | meant) + 1
    agreement, edits, *_ = boundary_similarity(
        _string(made, width), _string(meant, width), boundary_format=BoundaryFormat.sets, n_t=SPAN, return_parts=True
    )
    return Score(float(agreement) / (edits + lost))


def _inner(positions: Offsets, size: int) -> set[int]:
    return {position for position in positions.tolist() if 0 < position < size}


def _without_long_runs(first: set[int], second: set[int]) -> tuple[set[int], set[int]]:
    """The same boundaries with fewer empty places between them: what is further apart than SPAN does not interact.

    B looks at edits alone, so it stays the same, and its cost is that of the boundaries instead of the text.
    """
    places = np.array(sorted(first | second), np.int64)
    moved = np.cumsum(np.minimum(np.diff(places, prepend=places[0]), SPAN)).tolist()
    place = dict(zip(places.tolist(), moved, strict=True))
    return {place[one] for one in first}, {place[one] for one in second}


def _string(boundaries: Iterable[int], width: int) -> tuple[frozenset[int], ...]:
    """What the library calls a boundary string: the kinds of boundaries (we have one) at each place."""
    string: list[frozenset[int]] = [frozenset()] * width
    for place in boundaries:
        string[place] = frozenset({1})
    return tuple(string)
