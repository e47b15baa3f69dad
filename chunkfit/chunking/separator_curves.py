"""From the log-probabilities of a separator along windows to boundaries. Pure: arrays in, arrays out.

A language model that reads a text without separators expects them less and less, so that a probability means little by
itself: it must be compared with what is usual at that distance from the start of its window. With l(i, w) the
log-probability at place i in window w, c(i, w) the tokens that the model had read there, and t(c) the trend (see
`trend`):

    score(i) = (l(i, w) - t(c(i, w))) / s,   s = max(1.4826 * median |l - t|, 0.1),   w the window with most context

Places of all windows make one trend and one scale, so that windows agree where they overlap.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.language_models import Window

Floats = NDArray[np.float64]
Offsets = NDArray[np.int64]

_GROUP = 32  # places whose median makes one point of the trend: boundaries are far fewer than half of them
_GROUPS = 16
_NORMAL = 1.4826  # median absolute deviations of a normal distribution in one standard deviation
_NOISE = 0.1  # nats: what half precision makes of equal values must not become a boundary


@dataclass(frozen=True, eq=False)
class Curve:
    """How much a boundary is to be expected at each place where a text may be cut."""

    positions: Offsets  # code points, strictly increasing
    scores: Floats  # [positions, levels]: 0 is usual for the text, 1 one (robust) standard deviation above


def at_cuts(window: Window, cuts: Offsets, blanks_before: Offsets) -> Window:
    """The window at places where a text may be cut: a place among blanks counts for the cut behind them.

    `cuts` holds legal offsets in order, `blanks_before[i]` how many non-blank characters stand before offset i. Of
    several places before one cut the most probable counts; a place with no cut behind its blanks is dropped.
    """
    at = np.searchsorted(cuts, window.positions)
    inside = at < len(cuts)
    at, positions = at[inside], window.positions[inside]
    only_blanks = blanks_before[cuts[at]] == blanks_before[positions]
    rows = np.flatnonzero(inside)[only_blanks]
    at = at[only_blanks]
    if not len(at):
        return Window(cuts[:0], cuts[:0], window.log_probabilities[:0])
    first = np.flatnonzero(np.diff(at, prepend=-1))  # of each run of places before one cut
    return Window(
        cuts[at[first]],
        np.maximum.reduceat(window.context[rows], first),
        np.maximum.reduceat(window.log_probabilities[rows], first, axis=0),
    )


def curve(windows: Sequence[Window]) -> Curve:
    """The scores of all places, each from the window in which the model had read most before it.

    -inf counts as the least finite value of its level; a level without any finite value is 0 everywhere.
    """
    if not windows:
        return Curve(np.empty(0, np.int64), np.empty((0, 0)))
    positions = np.concatenate([window.positions for window in windows])
    context = np.concatenate([window.context for window in windows])
    values = np.concatenate([window.log_probabilities for window in windows])
    scores = np.stack([standardised(context, column) for column in values.T], axis=1)
    order = np.lexsort((-context, positions))
    best = order[np.flatnonzero(np.diff(positions[order], prepend=-1))]
    return Curve(positions[best], scores[best])


def standardised(context: Offsets, values: Floats) -> Floats:
    """Values less their trend along the window, in robust standard deviations."""
    finite = np.isfinite(values)
    if not finite.any():
        return np.zeros(len(values))
    values = np.where(finite, values, values[finite].min())
    excess = values - trend(context, values)
    scale: float = max(_NORMAL * float(np.median(np.abs(excess))), _NOISE)
    return excess / scale


def trend(context: Offsets, values: Floats) -> Floats:
    """What value is usual at each context: medians of groups of neighbouring contexts, and straight lines between them.

    The places, ordered by context, are cut into 16 groups of equal size, fewer where a group would have less than 32
    places. Each group gives one point, the medians of its contexts and of its values; the first and the last line go
    on to the ends. Peaks do not move a median as long as they are fewer than half of a group. With one point the trend
    is level.
    """
    order = np.argsort(context, kind="stable")
    groups = np.array_split(order, min(max(len(order) // _GROUP, 1), _GROUPS))
    at, number = np.unique([np.median(context[group]) for group in groups], return_inverse=True)
    point = np.repeat(number, [len(group) for group in groups])  # groups at one context are one
    usual = np.array([np.median(values[order[point == one]]) for one in range(len(at))])
    if len(at) == 1:
        return np.full(len(values), usual[0])
    line = np.clip(np.searchsorted(at, context, "right") - 1, 0, len(at) - 2)
    slope = np.diff(usual) / np.diff(at)
    along: Floats = usual[line] + slope[line] * (context - at[line])
    return along


def nested(scores: Floats) -> Floats:
    """Levels from big to small, each raised to those before: a boundary of one is a boundary of all smaller ones."""
    return np.maximum.accumulate(scores, axis=1)


def above(scores: Floats, threshold: float) -> Offsets:
    """Indices of the places to cut at: those with a score above the threshold. An even curve has none above 0."""
    return np.flatnonzero(scores > threshold)


def near_size(scores: Floats, tokens_before: Offsets, total: int, size: int) -> Offsets:
    """Indices of the places to cut at so that chunks come near `size` tokens.

    From one cut to the next: of the places that leave a chunk of n = size / 2 to 3 * size / 2 tokens and at least
    size / 2 behind it, the one with the highest `score - ((n - size) / (size / 2)) ** 2`. A chunk at either bound thus
    costs one standard deviation, and an even curve is cut evenly. Where there is no such place, the next one further
    on. A rest of up to 3 * size / 2 tokens stays whole. `tokens_before` counts the tokens before each place, in order;
    `total` those of the text.
    """
    least, most = math.ceil(size / 2), size + size // 2
    found: list[int] = []
    start = 0
    while total - start > most:
        last = np.searchsorted(tokens_before, total - least, "right")
        from_ = np.searchsorted(tokens_before, start + least, "left")
        to = min(np.searchsorted(tokens_before, start + most, "right"), last)
        if from_ >= last:
            break
        if from_ < to:
            off = (tokens_before[from_:to] - start - size) / (size / 2)
            chosen = from_ + np.argmax(scores[from_:to] - off**2)
        else:
            chosen = from_
        found.append(int(chosen))
        start = int(tokens_before[chosen])
    return np.array(found, np.int64)
