"""Excel workbooks: every sheet is a page, every table in it a Markdown table."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from itertools import zip_longest
from typing import Any

from chunkfit.errors import BadDocument
from chunkfit.model import Document
from chunkfit.parsing.archives import check_archive
from chunkfit.parsing.assembly import Piece, assemble, clean, heading, prose
from chunkfit.parsing.tables import markdown_table

Grid = Mapping[tuple[int, int], str]  # the cells with text, by row and column


def excel(data: bytes, name: str, max_bytes: int) -> Document:
    """Sheets in order, each under its name as a heading; blank and hidden ones are empty pages.

    Blank rows and blank columns part the tables of a sheet. A single cell is a paragraph. Cells hold the stored values:
    dates as ISO 8601, a formula's last result, or the formula where no program has calculated it yet. Merged cells
    stand once. Raises BadDocument for a corrupt, an oversized and an empty workbook.
    """
    check_archive(data, "xl/workbook.xml", max_bytes)
    pieces: list[Piece] = []
    sheets, unread = _sheets(data)
    for number, (title, grid) in enumerate(sheets, start=1):
        if grid:
            pieces.append(heading(title, 1, number))
            pieces.extend(piece for region in _regions(grid) for piece in _pieces(region, number))
    if not pieces:
        raise BadDocument(f"no text: nothing stands in the visible sheets of this workbook ({len(sheets)} in all)")
    return replace(assemble(name, pieces, range(1, len(sheets) + 1)), unread=tuple(unread))


def _sheets(data: bytes) -> tuple[list[tuple[str, Grid]], list[str]]:
    """Every sheet with its cells, and those whose cells are not read."""
    import openpyxl

    try:
        values = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False)
    except MemoryError:
        raise
    except Exception as error:  # it raises whatever its XML happens to break
        said = str(error).partition("\n")[0].rstrip(".")
        raise BadDocument(f"a corrupt workbook: {said or type(error).__name__}; save it again") from error
    unread = {title: why for title in values.sheetnames if (why := _why_unread(values[title]))}
    grids = [(title, {} if title in unread else _grid(values[title], formulas[title])) for title in values.sheetnames]
    return grids, [f"{why} {title!r}" for title, why in unread.items()]


def _why_unread(sheet: Any) -> str:
    if not hasattr(sheet, "iter_rows"):
        return "chart sheet"
    return "" if sheet.sheet_state == "visible" else "hidden sheet"


def _grid(values: Any, formulas: Any) -> Grid:
    cells: dict[tuple[int, int], str] = {}
    for sheet in (values, formulas):
        sheet.reset_dimensions()  # programs write wrong ones
    rows = zip_longest(values.iter_rows(values_only=True), formulas.iter_rows(values_only=True), fillvalue=())
    for row, (results, sources) in enumerate(rows):
        for column, (result, source) in enumerate(zip_longest(results, sources)):
            text = _text(source if result is None else result)
            if text:
                cells[row, column] = text
    return cells


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"  # what Excel keeps: 0.1 + 0.2 is 0.3 there
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    return clean(str(getattr(value, "text", value))).strip()  # an array formula is an object with a text


def _regions(grid: Grid) -> Iterator[Grid]:
    """Cut at blank rows, else at blank columns, until nothing parts any more. Each cell is in one region."""
    for axis in (0, 1):  # rows, columns
        bands = _bands(grid, axis)
        if len(bands) > 1:
            for band in bands:
                yield from _regions(band)
            return
    yield grid


def _bands(grid: Grid, axis: int) -> list[Grid]:
    lines: dict[int, dict[tuple[int, int], str]] = {}
    for place, text in grid.items():
        lines.setdefault(place[axis], {})[place] = text
    bands: list[dict[tuple[int, int], str]] = []
    last = None
    for line in sorted(lines):
        if last is None or line > last + 1:
            bands.append({})
        bands[-1].update(lines[line])
        last = line
    return list(bands)


def _pieces(region: Grid, page: int) -> Iterator[Piece]:
    rows = _rows(region)
    while len(rows) > 1 and _is_caption(rows[0], rows[1]):
        yield prose("caption", rows[0][0], page)
        rows = rows[1:]
    if len(rows) == 1 and len(rows[0]) == 1:
        yield prose("paragraph", rows[0][0], page)
    else:
        yield Piece("table", markdown_table(rows), page)


def _rows(region: Grid) -> list[list[str]]:
    top, left = (min(place[axis] for place in region) for axis in (0, 1))
    bottom, right = (max(place[axis] for place in region) for axis in (0, 1))
    return [[region.get((row, column), "") for column in range(left, right + 1)] for row in range(top, bottom + 1)]


def _is_caption(row: Sequence[str], following: Sequence[str]) -> bool:
    """A line above a table: text in its first cell alone, over a row of column names."""
    return len(row) > 1 and bool(row[0]) and not any(row[1:]) and all(_is_name(text) for text in following)


def _is_name(text: str) -> bool:
    return bool(text) and not _NUMBER.fullmatch(text)


_NUMBER = re.compile(r"[-+\d.,:%/ ]+")
