"""Tables drawn with lines: a grid of rulings, faces joined where no line parts them."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunkfit.parsing.geometric.content import Box, Run, hull
from chunkfit.parsing.geometric.tables import FoundTable, cut_at, table_from

_SNAP = 2.0  # points: rulings this close are one
_JOIN = 3.0  # points: ends this close touch
_MIN_LENGTH = 5.0  # points: shorter strokes are dashes and glyphs
_MAX_FACES = 20_000
_MIN_FILLED = 0.2  # of a large grid's cells: what is emptier is a chart or squared paper
_FRAME_CHARACTERS = 1_500  # in one of few cells: a frame around text, not a table


@dataclass(frozen=True, slots=True)
class Grid:
    """Connected rulings: x of the columns' edges, y of the rows' edges, and the lines themselves."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    horizontals: tuple[Box, ...]
    verticals: tuple[Box, ...]

    @property
    def box(self) -> Box:
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])


def straight_lines(rulings: Sequence[Box]) -> tuple[list[Box], list[Box]]:
    """Horizontal and vertical lines out of strokes and thin bars, pieces of one line joined, all flat."""
    horizontals = [Box(r.left, r.y, r.right, r.y) for r in rulings if r.width >= r.height and r.width >= _MIN_LENGTH]
    verticals = [Box(r.x, r.top, r.x, r.bottom) for r in rulings if r.height > r.width and r.height >= _MIN_LENGTH]
    turned = [Box(v.top, v.left, v.bottom, v.left) for v in verticals]
    return _joined(horizontals), [Box(t.top, t.left, t.top, t.right) for t in _joined(turned)]


def _joined(horizontals: list[Box]) -> list[Box]:
    """Merge flat boxes at about the same height whose ends touch."""
    found: list[Box] = []
    for level in _levels(horizontals):
        y = sum(line.top for line in level) / len(level)
        left, right = level[0].left, level[0].right
        for line in level[1:]:
            if line.left <= right + _JOIN:
                right = max(right, line.right)
            else:
                found.append(Box(left, y, right, y))
                left, right = line.left, line.right
        found.append(Box(left, y, right, y))
    return found


def _levels(horizontals: list[Box]) -> list[list[Box]]:
    """Lines by height, each level sorted from the left. A level spans at most twice the snap distance."""
    levels: list[list[Box]] = []
    first = last = float("-inf")
    for line in sorted(horizontals, key=lambda line: line.top):
        if line.top - last > _SNAP or line.top - first > 2 * _SNAP:
            levels.append([])
            first = line.top
        levels[-1].append(line)
        last = line.top
    return [sorted(level, key=lambda line: line.left) for level in levels]


def grids(horizontals: Sequence[Box], verticals: Sequence[Box]) -> list[Grid]:
    """Groups of rulings that touch or cross, as grids of at least two faces."""
    if not horizontals or not verticals:
        return []
    h = np.array([(line.left, line.right, line.top) for line in horizontals])
    v = np.array([(line.left, line.top, line.bottom) for line in verticals])
    meets = (
        (h[:, None, 0] - _JOIN <= v[None, :, 0])
        & (v[None, :, 0] <= h[:, None, 1] + _JOIN)
        & (v[None, :, 1] - _JOIN <= h[:, None, 2])
        & (h[:, None, 2] <= v[None, :, 2] + _JOIN)
    )
    found: list[Grid] = []
    for rows, columns in _components(meets):
        across = [horizontals[i] for i in rows]
        down = [verticals[j] for j in columns]
        xs = _positions([line.left for line in down] + [x for line in across for x in (line.left, line.right)], down, 0)
        ys = _positions(
            [line.top for line in across] + [y for line in down for y in (line.top, line.bottom)], across, 1
        )
        if len(xs) >= 2 and len(ys) >= 2 and 2 <= (len(xs) - 1) * (len(ys) - 1) <= _MAX_FACES:
            found.append(Grid(tuple(xs), tuple(ys), tuple(across), tuple(down)))
    return found


def _components(meets: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]") -> list[tuple[list[int], list[int]]]:
    """Connected rows and columns of a boolean matrix, where both are there."""
    unseen = set(range(meets.shape[0]))
    found: list[tuple[list[int], list[int]]] = []
    while unseen:
        rows = {unseen.pop()}
        columns: set[int] = set()
        frontier = set(rows)
        while frontier:
            fresh = set(np.flatnonzero(meets[sorted(frontier)].any(axis=0)).tolist()) - columns
            columns |= fresh
            frontier = set(np.flatnonzero(meets[:, sorted(fresh)].any(axis=1)).tolist()) - rows if fresh else set()
            rows |= frontier
        unseen -= rows
        if columns:
            found.append((sorted(rows), sorted(columns)))
    return found


def _positions(values: list[float], lines: list[Box], axis: int) -> list[float]:
    """Edges of columns (axis 0) or rows (axis 1): where lines run, and the outermost ends of the crossing ones.

    Ends inside the grid are no edges: a ruling may stop short of the next one.
    """
    own = [line.left if axis == 0 else line.top for line in lines]
    low, high = min(values), max(values)
    positions: list[float] = []
    for value in sorted([*own, low, high]):
        if not positions or value - positions[-1] > 2 * _SNAP:
            positions.append(value)
    return positions


def ruled_tables(
    rulings: tuple[Sequence[Box], Sequence[Box]], runs: Mapping[int, Run], compounds: frozenset[str]
) -> list[FoundTable]:
    """Tables whose cells are drawn: each run goes into the one cell that holds its middle."""
    found: list[FoundTable] = []
    taken: set[int] = set()
    for grid in sorted(grids(*rulings), key=lambda grid: grid.box.width * grid.box.height):
        inside = {key: run for key, run in runs.items() if key not in taken and grid.box.holds(run.box.x, run.box.y)}
        table = _fill(grid, inside, compounds)
        if table is not None:
            found.append(table)
            taken |= table.runs
    return found


def _fill(grid: Grid, runs: Mapping[int, Run], compounds: frozenset[str]) -> FoundTable | None:
    if not runs or len(grid.xs) == 2:  # without lines between the columns, their alignment must tell
        return None
    cells = _cells(grid)
    by_face = {
        (row, column): cell for cell in cells for row in range(cell[0], cell[2]) for column in range(cell[1], cell[3])
    }
    placed: dict[tuple[int, int, int, int], list[Run]] = {cell: [] for cell in cells}
    inner = grid.xs[1:-1]
    for run in runs.values():
        row = min(max(bisect_right(grid.ys, run.box.y) - 1, 0), len(grid.ys) - 2)
        own = by_face[row, min(max(bisect_right(grid.xs, run.box.x) - 1, 0), len(grid.xs) - 2)]
        edges = [x for x in inner if not grid.xs[own[1]] < x < grid.xs[own[3]]]
        for part in cut_at(run, edges):
            column = min(max(bisect_right(grid.xs, part.box.x) - 1, 0), len(grid.xs) - 2)
            placed[by_face[row, column]].append(part)
    filled = [runs for runs in placed.values() if runs]
    longest = max(sum(len(run.text) for run in runs) for runs in filled)
    if len(filled) < 2 or (len(cells) > 20 and len(filled) < _MIN_FILLED * len(cells)):
        return None
    if longest > _FRAME_CHARACTERS and len(cells) <= 4:
        return None
    # A header cell that reaches down over two rows makes both of them the header.
    header_rows = max(cell[2] for cell in cells if cell[0] == 0)
    table = table_from(placed, grid.xs, grid.ys, header_rows if header_rows < len(grid.ys) - 1 else 1, compounds)
    return FoundTable(hull([grid.box]), table, frozenset(runs))


def _cells(grid: Grid) -> list[tuple[int, int, int, int]]:
    """Cells as (row, column, row_end, column_end): faces of the grid, joined to rectangles where no line parts them."""
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    middles_y = [(upper + lower) / 2 for upper, lower in zip(grid.ys, grid.ys[1:], strict=False)]
    middles_x = [(left + right) / 2 for left, right in zip(grid.xs, grid.xs[1:], strict=False)]
    wall_right = np.zeros((rows, columns), dtype=np.bool_)  # a line on the right edge of the face
    wall_below = np.zeros((rows, columns), dtype=np.bool_)
    wall_right[:, -1] = True
    wall_below[-1, :] = True
    for line in grid.verticals:
        column = min(range(columns + 1), key=lambda c: abs(grid.xs[c] - line.left)) - 1
        if 0 <= column < columns:
            wall_right[bisect_right(middles_y, line.top) : bisect_right(middles_y, line.bottom), column] = True
    for line in grid.horizontals:
        row = min(range(rows + 1), key=lambda r: abs(grid.ys[r] - line.top)) - 1
        if 0 <= row < rows:
            wall_below[row, bisect_right(middles_x, line.left) : bisect_right(middles_x, line.right)] = True
    return _rectangles(wall_right, wall_below)


def _rectangles(
    wall_right: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]",
    wall_below: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]",
) -> list[tuple[int, int, int, int]]:
    """Grow each face that is not yet in a cell to the right, then downwards as long as the whole width is open."""
    rows, columns = wall_right.shape
    taken = np.zeros((rows, columns), dtype=np.bool_)
    found: list[tuple[int, int, int, int]] = []
    for row in range(rows):
        for column in range(columns):
            if taken[row, column]:
                continue
            right = column
            while not wall_right[row, right] and not taken[row, right + 1]:
                right += 1
            below = row
            while (
                not wall_below[below, column : right + 1].any()
                and not taken[below + 1, column : right + 1].any()
                and not wall_right[below + 1, column:right].any()
                and wall_right[below + 1, right]
            ):
                below += 1
            taken[row : below + 1, column : right + 1] = True
            found.append((row, column, below + 1, right + 1))
    return found
