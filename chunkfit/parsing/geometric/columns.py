"""Columns of text, and the order in which a page is read."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunkfit.parsing.geometric.content import Box, Run, hull
from chunkfit.parsing.geometric.lines import lines, written_without_spaces
from chunkfit.parsing.geometric.regions import Region
from chunkfit.parsing.geometric.tables_aligned import aligned_tables

_MAX_CELLS_PER_SIDE = 500  # of the raster: bounds the work on huge pages
_CELLS_PER_SIZE = 5  # raster cells per font size
_MIN_GUTTER = 0.8  # of the body size
_ONE_LINE = 0.6  # times the body size
_SAME_EDGE = 3.0  # points
_MIN_HEIGHT = 2.5  # times the body size: text on both sides at the same height
_MIN_LINES = 3  # on both sides of a gutter
_PROSE_WORDS = 3  # a line of running text has at least that many words
_FULL_LINE = 0.6  # of the column: a line of running text is mostly that long
_PROSE_SHARE = 0.5  # of a column's characters stand in such lines
_MAX_DEPTH = 6  # of columns in columns
_MAX_CANDIDATES = 6  # gutters to look at: the tallest strip may be the gap in a table
_NEAR = 3  # raster cells: strips closer than this are one gutter
_MAX_STRAY = 4  # pieces at either end of a column that may belong to the wide text next to it


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to be put in order: a run of text, or a table or picture that nothing may cut."""

    box: Box
    run: Run | None = None
    solid: Region | None = None


@dataclass(frozen=True, slots=True)
class _Gutter:
    x: float  # the middle
    top: float
    bottom: float


def reading_order(pieces: Sequence[Piece], body_size: float, left_edges: Sequence[float] = ()) -> list[list[Piece]]:
    """Group pieces into columns, in the order in which they are read; the pieces of a group are in no order.

    A gutter is a strip without text that has running text on both sides. Whatever crosses it (a title above two
    columns, a wide table between them) is read before what stands below; between two such crossings the left column
    comes before the right one. Columns are searched for further columns. Where the document's columns begin elsewhere
    (`left_edges`) a single line is enough of a right column.
    """
    return _ordered(list(pieces), body_size, left_edges, _MAX_DEPTH)


def _ordered(pieces: list[Piece], body_size: float, left_edges: Sequence[float], depth: int) -> list[list[Piece]]:
    gutter = _find_gutter(pieces, body_size, left_edges) if depth and len(pieces) > _MIN_LINES else None
    if gutter is None:
        return [pieces] if pieces else []
    above = [piece for piece in pieces if piece.box.y < gutter.top]
    below = [piece for piece in pieces if piece.box.y > gutter.bottom]
    beside = [piece for piece in pieces if gutter.top <= piece.box.y <= gutter.bottom]
    if above:
        ending = _nearer_to_the_text_above(beside, gutter, max(piece.box.bottom for piece in above))
        beside = [piece for piece in beside if piece not in ending]
        above += ending
    if below:
        leading = _nearer_to_the_text_below(beside, gutter, min(piece.box.top for piece in below))
        beside = [piece for piece in beside if piece not in leading]
        below = leading + below
    left = [piece for piece in beside if piece.box.x < gutter.x]
    right = [piece for piece in beside if piece.box.x >= gutter.x]
    if not left or not right:
        return [pieces]
    return [group for part in (above, left, right, below) for group in _ordered(part, body_size, left_edges, depth - 1)]


def _find_gutter(pieces: list[Piece], body_size: float, left_edges: Sequence[float]) -> _Gutter | None:
    """The strip with the most text beside it on both sides that parts running text."""
    area = hull(piece.box for piece in pieces)
    cell = max(body_size / _CELLS_PER_SIZE, area.width / _MAX_CELLS_PER_SIDE, area.height / _MAX_CELLS_PER_SIDE)
    ink = _raster(pieces, area, cell)
    width = max(2, round(_MIN_GUTTER * body_size / cell))
    if ink.shape[1] <= 3 * width:
        return None
    before = np.zeros((ink.shape[0], ink.shape[1] + 1), dtype=np.int32)  # inked cells to the left of each cell
    np.cumsum(ink, axis=1, out=before[:, 1:])
    clear = before[:, width:] == before[:, :-width]
    beside = clear & (before[:, :-width] > 0) & (before[:, -1:] > before[:, width:])
    for x, top, bottom, height in _strips(clear, beside, min_height=_ONE_LINE * body_size / cell):
        gutter = _Gutter(area.left + (x + width / 2) * cell, area.top + top * cell, area.top + bottom * cell)
        left, right = _sides(pieces, gutter)
        if not left or not right or not _is_column(left):
            continue
        edge = min(piece.box.left for piece in right)
        if any(abs(edge - known) <= _SAME_EDGE for known in left_edges):
            return gutter
        if height * cell >= _MIN_HEIGHT * body_size and _is_column(right):
            return gutter
    return None


def _raster(pieces: list[Piece], area: Box, cell: float) -> npt.NDArray[np.bool_]:
    ink = np.zeros((round(area.height / cell) + 1, round(area.width / cell) + 1), dtype=np.bool_)
    for piece in pieces:
        left, right = round((piece.box.left - area.left) / cell), round((piece.box.right - area.left) / cell)
        top, bottom = round((piece.box.top - area.top) / cell), round((piece.box.bottom - area.top) / cell)
        ink[top : max(top + 1, bottom), left : max(left + 1, right)] = True
    return ink


def _strips(
    clear: npt.NDArray[np.bool_], beside: npt.NDArray[np.bool_], min_height: float
) -> list[tuple[int, int, int, float]]:
    """The best vertical strips as (x, top, bottom, cells of `beside`): unbroken runs of `clear`, the best one first."""
    edges = np.diff(np.pad(clear.T, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    xs, tops = np.nonzero(edges == 1)
    _, bottoms = np.nonzero(edges == -1)
    counted = np.pad(np.cumsum(beside, axis=0), ((1, 0), (0, 0)))
    heights: npt.NDArray[np.int64] = counted[bottoms, xs] - counted[tops, xs]
    # Of strips with as much text beside them the longest one: a ragged line may block those near the edge further down.
    worth = heights + (bottoms - tops) / (2 * clear.shape[0])
    found: list[tuple[int, int, int, float]] = []
    while len(found) < _MAX_CANDIDATES and worth.size and worth.max() >= min_height:
        best = int(worth.argmax())
        top, bottom = int(tops[best]), int(bottoms[best])
        # Strips side by side are one gutter: its middle is the safest place to cut.
        same = (worth == worth[best]) & (tops == top) & (bottoms == bottom)
        found.append((int(np.median(xs[same])), top, bottom, float(worth[best])))
        near = (np.abs(xs - xs[best]) <= _NEAR) & (tops < bottom) & (bottoms > top)
        worth[near | same] = 0
    return found


def _sides(pieces: list[Piece], gutter: _Gutter) -> tuple[list[Piece], list[Piece]]:
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for piece in pieces:
        if gutter.top <= piece.box.y <= gutter.bottom:
            sides[piece.box.x >= gutter.x].append(piece)
    return sides


def _is_column(pieces: list[Piece]) -> bool:
    """Whether these are lines of running text, perhaps with a table or picture among them."""
    runs = {index: piece.run for index, piece in enumerate(pieces) if piece.run is not None}
    if not runs:
        return bool(pieces)
    in_tables = {key for table in aligned_tables(runs) for key in table.runs}
    found = lines(run for key, run in runs.items() if key not in in_tables)
    width = max((line.box.width for line in found), default=0.0)
    running = sum(
        len(line.text) for line in found if _words(line.text) >= _PROSE_WORDS and line.box.width >= _FULL_LINE * width
    )
    solid = any(piece.solid is not None for piece in pieces)
    enough = len(found) >= _MIN_LINES or solid
    return enough and running >= _PROSE_SHARE * sum(len(run.text) for run in runs.values())


def _words(text: str) -> float:
    return len(text.split()) + sum(map(written_without_spaces, text)) / 2


def _nearer_to_the_text_above(beside: list[Piece], gutter: _Gutter, above: float) -> list[Piece]:
    """The first pieces of one column that belong to the wide text above: the short last line of a title."""
    found: list[Piece] = []
    for piece in sorted(beside, key=lambda piece: piece.box.top)[:_MAX_STRAY]:
        column = [other for other in _column_of(piece, beside, gutter) if other not in found]
        if not column or _has_neighbour(piece, beside, gutter):
            break
        if min(other.box.top for other in column) - piece.box.bottom <= piece.box.top - above:
            break
        found.append(piece)
        above = piece.box.bottom
    return found


def _nearer_to_the_text_below(beside: list[Piece], gutter: _Gutter, below: float) -> list[Piece]:
    """The last pieces of one column that belong to the wide text below: its heading."""
    found: list[Piece] = []
    for piece in sorted(beside, key=lambda piece: -piece.box.bottom)[:_MAX_STRAY]:
        column = [other for other in _column_of(piece, beside, gutter) if other not in found]
        if not column or _has_neighbour(piece, beside, gutter):
            break
        if piece.box.top - max(other.box.bottom for other in column) <= below - piece.box.bottom:
            break
        found.append(piece)
        below = piece.box.top
    return found


def _column_of(piece: Piece, beside: list[Piece], gutter: _Gutter) -> list[Piece]:
    """The other pieces on the same side of the gutter."""
    right = piece.box.x >= gutter.x
    return [other for other in beside if other is not piece and (other.box.x >= gutter.x) == right]


def _has_neighbour(piece: Piece, beside: list[Piece], gutter: _Gutter) -> bool:
    """Whether something stands at the same height on the other side of the gutter."""
    right = piece.box.x >= gutter.x
    return any((other.box.x >= gutter.x) != right and other.box.shared_height(piece.box) > 0 for other in beside)
