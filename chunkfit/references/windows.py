"""Pk and WindowDiff: errors seen through a window that slides over the text. Lower is better.

Units are judged characters, so that neither needs words or sentences; the window is half a mean reference chunk long,
as in the literature. Between two boundaries nothing changes, so only the places where something does are looked at,
and the cost is that of the boundaries, not of the text. A window that holds dropped text is an error.

The `segeval` library gives the same values (a test holds the two equal) where it can: it needs text times window steps,
and its WindowDiff fails where a window is longer than 255 units.
"""

from dataclasses import dataclass

import numpy as np

from chunkfit.model import Score
from chunkfit.references.judged import Judged, Offsets
from chunkfit.references.once import Pieces


@dataclass(frozen=True, eq=False)
class _Windows:
    """Runs of windows that see the same: how many windows, and the boundaries of either side in each of them."""

    counts: Offsets
    made: Offsets
    meant: Offsets
    broken: np.ndarray[tuple[int], np.dtype[np.bool_]]  # they hold dropped text


def pk(pieces: Pieces, judged: Judged) -> Score:
    """Share of windows whose two ends lie in one chunk by the reference and in two by the chunking, or the reverse.

    D. Beeferman, A. Berger and J. Lafferty, "Statistical Models for Text Segmentation", 1999. It forgives small
    chunks: boundaries less than a window apart can hide one another.
    """
    seen = _windows(pieces, judged)
    if seen is None:
        return Score(None, "the judged text is too short for a window")
    wrong = ((seen.made > 0) != (seen.meant > 0)) | seen.broken
    return Score(float(seen.counts[wrong].sum() / seen.counts.sum()))


def window_diff(pieces: Pieces, judged: Judged) -> Score:
    """Share of windows with another number of boundaries by the chunking than by the reference.

    L. Pevzner and M. A. Hearst, "A Critique and Improvement of an Evaluation Metric for Text Segmentation", 2002. It
    punishes cutting too often more than too seldom: no cuts at all is often better than chance.
    """
    seen = _windows(pieces, judged)
    if seen is None:
        return Score(None, "the judged text is too short for a window")
    wrong = (seen.made != seen.meant) | seen.broken
    return Score(float(seen.counts[wrong].sum() / seen.counts.sum()))


def window_size(judged: Judged) -> int:
    """Half the mean length of a reference chunk, rounded half to even, at least 2 judged characters."""
    return max(2, round(judged.length / (2 * max(1, len(judged.edges) - 1))))


def _windows(pieces: Pieces, judged: Judged) -> _Windows | None:
    """None where the text is no longer than a window. A window from unit i sees the boundaries in (i, i + size]."""
    size = window_size(judged)
    last = judged.length - size  # first start that leaves no whole window
    if last <= 0:
        return None
    made, meant = pieces.boundaries, judged.boundaries
    broken_from, broken_until = pieces.gaps
    broken_from = broken_from - size
    changes = np.concatenate([made - size, made, meant - size, meant, broken_from, broken_until])
    starts = np.unique([0, *changes[(changes > 0) & (changes < last)]])
    return _Windows(
        counts=np.diff(np.append(starts, last)),
        made=_within(made, starts, size),
        meant=_within(meant, starts, size),
        broken=np.searchsorted(broken_from, starts, side="right") > np.searchsorted(broken_until, starts, side="right"),
    )


def _within(boundaries: Offsets, starts: Offsets, size: int) -> Offsets:
    behind = np.searchsorted(boundaries, starts + size, side="right")
    return behind - np.searchsorted(boundaries, starts, side="right")
