"""Tables as grids: text put into cells once their edges are known."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chunkfit.parsing.geometric.content import Box, Run
from chunkfit.parsing.geometric.hyphenation import running_text
from chunkfit.parsing.geometric.lines import lines
from chunkfit.parsing.geometric.regions import Cell, Table


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table and the runs that it took its text from."""

    box: Box
    table: Table
    runs: frozenset[int]  # ids given with the runs


def cell_text(runs: Sequence[Run], compounds: frozenset[str]) -> str:
    """The lines of one cell as running text."""
    return running_text([line.text for line in lines(runs)], compounds)


def cut_at(run: Run, edges: Sequence[float]) -> list[Run]:
    """Split a run that crosses an edge between its words, each word going where its middle is drawn.

    Where the words stand is estimated from their lengths: a cell is drawn with one font and about even letters.
    """
    if not any(run.box.left + 1 < edge < run.box.right - 1 for edge in edges):
        return [run]
    total = max(1, len(run.text))
    words: dict[int, list[tuple[int, int]]] = defaultdict(list)
    position = 0
    for word in run.text.split(" "):
        middle = run.box.left + (position + len(word) / 2) / total * run.box.width
        if word:
            words[bisect_right(edges, middle)].append((position, position + len(word)))
        position += len(word) + 1
    parts: list[Run] = []
    for spans in words.values():
        start, end = spans[0][0], spans[-1][1]
        left, right = (run.box.left + at / total * run.box.width for at in (start, end))
        parts.append(replace(run, text=run.text[start:end], box=replace(run.box, left=left, right=right)))
    return parts


def table_from(
    placed: Mapping[tuple[int, int, int, int], Sequence[Run]],
    xs: Sequence[float],
    ys: Sequence[float],
    header_rows: int,
    compounds: frozenset[str],
) -> Table:
    """A table from runs by (row, column, row_end, column_end), empty cells too; the grid's edges are `xs` and `ys`."""
    cells = [
        Cell(
            cell_text(runs, compounds),
            Box(xs[column], ys[row], xs[column_end], ys[row_end]),
            row,
            column,
            row_end,
            column_end,
        )
        for (row, column, row_end, column_end), runs in sorted(placed.items())
    ]
    return Table(len(ys) - 1, len(xs) - 1, header_rows, tuple(cells))
