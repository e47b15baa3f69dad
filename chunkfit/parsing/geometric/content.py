"""What a page holds before anyone has interpreted it. Points, origin at the top left, y growing downwards."""

from collections.abc import Iterable
from dataclasses import dataclass

from chunkfit.parsing.geometric.typefaces import Typeface


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-parallel rectangle; `right >= left` and `bottom >= top`, both may be equal (a ruling is such a box)."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies inside or on the edge."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def covers(self, other: "Box", slack: float = 0.0) -> bool:
        """Whether the other box lies inside, allowing it to stick out by `slack` points."""
        return (
            self.left - slack <= other.left
            and other.right <= self.right + slack
            and self.top - slack <= other.top
            and other.bottom <= self.bottom + slack
        )

    def shared_width(self, other: "Box") -> float:
        """Length of the common x interval, 0 where there is none."""
        return max(0.0, min(self.right, other.right) - max(self.left, other.left))

    def shared_height(self, other: "Box") -> float:
        return max(0.0, min(self.bottom, other.bottom) - max(self.top, other.top))


def hull(boxes: Iterable[Box]) -> Box:
    """The smallest box around all. Raises ValueError where there are none."""
    boxes = list(boxes)
    if not boxes:
        raise ValueError("a hull needs at least one box")
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


@dataclass(frozen=True, slots=True)
class Run:
    """Text drawn in one go on one baseline: a whole line of a paragraph, one table cell, or a part of either."""

    text: str  # logical order
    box: Box
    size: float  # font size in points
    face: Typeface
    turn: int = 0  # clockwise quarter turns: 1 reads downwards, 3 upwards; 4 is any other angle
    rightward: bool = True  # False: written from right to left


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page's text, ruling lines (strokes and thin bars, as flat boxes) and bitmaps, in drawing order."""

    number: int  # from 1
    width: float
    height: float
    runs: tuple[Run, ...] = ()
    rulings: tuple[Box, ...] = ()
    images: tuple[Box, ...] = ()
