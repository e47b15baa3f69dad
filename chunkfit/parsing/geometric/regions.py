"""What a page consists of once it is understood: regions in reading order."""

from dataclasses import dataclass
from typing import Literal

from chunkfit.parsing.geometric.content import Box

RegionKind = Literal[
    "heading", "paragraph", "list_item", "table", "code", "caption", "footnote", "picture", "header", "footer"
]


@dataclass(frozen=True, slots=True)
class Look:
    """What ranks headings among each other: larger above smaller, bold above regular, `1` above `1.1`."""

    size: float  # points
    bold: bool
    depth: int  # of the numbering: 2 for "3.1 Scope", 0 without a number


@dataclass(frozen=True, slots=True)
class Cell:
    """One table cell; spans are half-open in rows and columns."""

    text: str
    box: Box
    row: int
    column: int
    row_end: int
    column_end: int


@dataclass(frozen=True, slots=True)
class Table:
    """A grid of cells. Cells do not overlap; positions that none covers are empty."""

    rows: int
    columns: int
    header_rows: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """One block of a page. A table carries its text in the cells, every other kind in `text`."""

    kind: RegionKind
    box: Box
    text: str = ""
    marker: str = ""  # list items: what stands before the text
    look: Look | None = None  # headings
    table: Table | None = None  # tables
    open_start: bool = False  # first in its column, not set in: may go on from the column or page before
    open_end: bool = False  # last in its column, and its last line is full: may go on in the next one
