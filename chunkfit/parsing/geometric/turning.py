"""Quarter turns: text set sideways is read in a frame of its own, where it stands upright."""

from chunkfit.parsing.geometric.content import Box

Turn = int  # clockwise quarter turns of the text on the page: 0 upright, 1 reads downwards, 2 upside down, 3 upwards
SIDEWAYS: tuple[Turn, ...] = (1, 2, 3)
OBLIQUE: Turn = 4  # at an angle, as watermarks are: left where it is

_LEVEL = 0.2  # rise per run


def turn_of(along_x: float, along_y: float) -> Turn:
    """The quarter turn of a baseline that runs in this direction, y growing downwards."""
    if min(abs(along_x), abs(along_y)) > _LEVEL * max(abs(along_x), abs(along_y)):
        return OBLIQUE
    if abs(along_x) >= abs(along_y):
        return 0 if along_x >= 0 else 2
    return 1 if along_y > 0 else 3


def upright(box: Box, turn: Turn, width: float, height: float) -> Box:
    """Where the box lies once the page (`width` x `height`) is turned back so that the text stands upright."""
    if turn == 1:
        return Box(box.top, width - box.right, box.bottom, width - box.left)
    if turn == 2:
        return Box(width - box.right, height - box.bottom, width - box.left, height - box.top)
    if turn == 3:
        return Box(height - box.bottom, box.left, height - box.top, box.right)
    return box


def as_drawn(box: Box, turn: Turn, width: float, height: float) -> Box:
    """The inverse of `upright`; `width` and `height` are the page's, as before."""
    frame = (height, width) if turn % 2 else (width, height)
    return upright(box, (4 - turn) % 4, *frame) if turn != OBLIQUE else box
