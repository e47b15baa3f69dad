"""Plots as inline SVG: numbers in, markup out. Colours come from the page's style sheet, so both themes work."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from chunkfit.reporting.text import plural

BULLET_WIDTH = 72
SHARE_WIDTH = 120
PLOT_WIDTH, PLOT_HEIGHT, AXIS = 300, 96, 80  # the labels stand below the axis

RECTANGLE = Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>')
BULLET = Markup('<svg class="bullet" viewBox="0 0 72 7" aria-hidden="true">{}</svg>')
SHARE = Markup('<svg class="share" viewBox="0 0 120 8" preserveAspectRatio="none" aria-hidden="true">{}</svg>')
HISTOGRAM = Markup('<svg class="histogram" viewBox="0 0 300 96" role="img" aria-label="{}">{}</svg>')
BAR = Markup(
    '<rect class="value" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{} tokens: {}</title></rect>'
)
LINE = Markup('<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}"/>')
LABEL = Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{:,}</text>')
NOTHING = Markup("")


def bullet(value: float, chance: float | None) -> Markup:
    """A value in [0, 1] as a bar, with a tick where chance stands."""
    shapes = RECTANGLE.format("track", 0, 2, BULLET_WIDTH, 3) + RECTANGLE.format("value", 0, 2, value * BULLET_WIDTH, 3)
    if chance is not None:
        shapes += RECTANGLE.format("tick", chance * (BULLET_WIDTH - 2), 0, 2, 7)
    return BULLET.format(shapes)


def share(part: int, whole: int) -> Markup:
    """A part of a whole as a bar; empty where there is no whole."""
    width = 0.0 if whole == 0 else part / whole * SHARE_WIDTH
    return SHARE.format(RECTANGLE.format("track", 0, 0, SHARE_WIDTH, 8) + RECTANGLE.format("value", 0, 0, width, 8))


def binned(sizes: Sequence[int], width: int, bins: int) -> NDArray[np.int64]:
    """How many sizes fall into [0, width), [width, 2 width), …; the last bin holds everything larger as well."""
    index = np.minimum(np.asarray(sizes, dtype=np.int64) // width, bins - 1)
    return np.bincount(index, minlength=bins).astype(np.int64)


def histogram(counts: Sequence[int], width: int, limits: Sequence[int]) -> Markup:
    """Chunk sizes in bins of `width` tokens, the last one open-ended; a dashed line at each limit.

    Every bar says its bin and count on hover. A bin that is not empty stays visible, however small its share.
    """
    tallest = max(counts, default=0)
    step = PLOT_WIDTH / max(1, len(counts))
    bars = NOTHING.join(
        _bar(index * step, step, max(1.5, count / tallest * (AXIS - 8)), _bin(index, width, len(counts)), count)
        for index, count in enumerate(counts)
        if count
    )
    marks = NOTHING.join(_limit(min(PLOT_WIDTH, limit / width * step), limit) for limit in limits)
    axis = LINE.format("axis", 0, PLOT_WIDTH, AXIS, AXIS)
    return HISTOGRAM.format(f"{plural(sum(counts), 'chunk')} by size in tokens", axis + bars + marks)


def _bar(left: float, step: float, height: float, bounds: str, count: int) -> Markup:
    return BAR.format(left + 0.5, AXIS - height, step - 1, height, bounds, plural(count, "chunk"))


def _bin(index: int, width: int, bins: int) -> str:
    start = index * width
    return f"{start:,} and more" if index == bins - 1 else f"{start:,} to {start + width - 1:,}"


def _limit(x: float, limit: int) -> Markup:
    return LINE.format("limit", x, x, 4, AXIS) + LABEL.format(x, PLOT_HEIGHT - 4, limit)
