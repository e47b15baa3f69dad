"""Every table of every sheet, each cell once."""

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from chunkfit.errors import BadDocument
from chunkfit.model import Document
from chunkfit.parsing import parse
from chunkfit.parsing.excel import excel

openpyxl = pytest.importorskip("openpyxl")


def workbook(fill: Callable[[Any], None]) -> bytes:
    book = openpyxl.Workbook()
    fill(book)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def read(*rows: list[Any]) -> Document:
    """A workbook whose one sheet, called "Sheet", has these rows."""
    return excel(workbook(lambda book: [book.active.append(row) for row in rows]), "x", 1_000_000)


def tables(document: Document) -> list[str]:
    return [block.span.of(document.text).strip() for block in document.blocks if block.kind != "heading"]


def test_a_blank_row_parts_two_tables_and_pipes_are_escaped() -> None:
    assert tables(read(["a", "b"], [1, 2], [], ["c", "d"], [3, "x|y"])) == [
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
        "| c | d |\n| --- | --- |\n| 3 | x\\|y |",
    ]


def test_a_blank_column_parts_two_tables_of_different_height() -> None:
    document = read(["a", "b", None, "c", "d"], [1, 2, None, 3, 4], [5, 6], [7, 8, None, "e", "f"], [9, 0, None, 1, 2])
    assert tables(document) == [
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 5 | 6 |\n| 7 | 8 |\n| 9 | 0 |",
        "| c | d |\n| --- | --- |\n| 3 | 4 |",
        "| e | f |\n| --- | --- |\n| 1 | 2 |",
    ]


def test_a_table_with_holes_stays_one_table() -> None:
    assert tables(read(["k", "v", "w"], ["a", None, 1], ["b", 2, None])) == [
        "| k | v | w |\n| --- | --- | --- |\n| a |  | 1 |\n| b | 2 |  |"
    ]


def test_a_line_above_the_column_names_is_a_caption_and_a_lone_cell_a_paragraph() -> None:
    document = read(["Prices"], ["item", "euro"], ["tea", 3], [], ["source: market"])
    assert [block.kind for block in document.blocks] == ["heading", "caption", "table", "paragraph"]
    assert tables(document)[0] == "Prices"
    assert tables(document)[1].startswith("| item | euro |")


def test_sheets_are_pages_under_their_names_and_blank_ones_keep_their_number() -> None:
    def fill(book: Any) -> None:
        book.active.append(["one"])
        book.create_sheet("Blank")
        book.create_sheet("Third").append(["three"])

    document = excel(workbook(fill), "x", 1_000_000)
    assert [(page.number, page.span.of(document.text)) for page in document.pages] == [
        (1, "# Sheet\n\none\n\n"),
        (2, ""),
        (3, "# Third\n\nthree"),
    ]
    assert [title.text for title in document.titles] == ["Sheet", "Third"]


def test_hidden_sheets_are_left_out_and_told() -> None:
    def fill(book: Any) -> None:
        book.active.append(["seen"])
        hidden = book.create_sheet("Hidden")
        hidden.append(["unseen"])
        hidden.sheet_state = "hidden"

    document = excel(workbook(fill), "x", 1_000_000)
    assert "unseen" not in document.text
    assert len(document.pages) == 2
    assert document.unread == ("hidden sheet 'Hidden'",)


def test_a_merged_cell_stands_once() -> None:
    def fill(book: Any) -> None:
        for row in (["a", None, "c"], [1, 2, 3]):
            book.active.append(row)
        book.active.merge_cells("A1:B1")

    assert tables(excel(workbook(fill), "x", 1_000_000)) == ["| a |  | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |"]


def test_values_are_written_as_stored() -> None:
    document = read(["n", "v"], ["sum", 0.1 + 0.2], ["day", date(2031, 5, 1)], ["at", datetime(2031, 5, 1, 9, 30)])
    assert "| sum | 0.3 |\n| day | 2031-05-01 |\n| at | 2031-05-01 09:30:00 |" in document.text
    assert "| 1 | 2 |" in read(["a", "b"], [1.0, 2]).text
    assert "| TRUE | 09:30:00 |" in read(["a", "b"], [True, time(9, 30)]).text


def test_a_formula_that_nobody_has_calculated_shows_itself() -> None:
    assert "| 1 | =A2+1 |" in read(["a", "b"], [1, "=A2+1"]).text


def test_line_ends_and_markup_inside_cells_stay_inside() -> None:
    assert "| two lines | # no title |" in read(["a", "b"], ["two\nlines", "# no title"]).text


def test_far_corners_cost_nothing() -> None:
    def fill(book: Any) -> None:
        book.active["A1"] = "near"
        book.active["XFD1048576"] = "far"

    assert tables(excel(workbook(fill), "x", 1_000_000)) == ["near", "far"]


@pytest.mark.parametrize("rows", [[], [[None, " "], [""]]])
def test_an_empty_workbook_is_refused(rows: list[list[Any]]) -> None:
    with pytest.raises(BadDocument, match="no text"):
        read(*rows)


def test_a_corrupt_workbook_and_one_that_unpacks_to_too_much_are_refused() -> None:
    data = workbook(lambda book: book.active.append(["text"]))
    with pytest.raises(BadDocument, match="corrupt"):
        excel(data[: len(data) // 2], "x", 1_000_000)
    with pytest.raises(BadDocument, match=r"unpacks to .* bytes, over 16 times the limit parsing\.max_bytes=100"):
        excel(data, "x", 100)
    with pytest.raises(BadDocument, match=r"without xl/workbook\.xml"):
        excel(zipped("word/document.xml", b"<x/>"), "x", 1_000_000)


def zipped(name: str, content: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, content)
    return data.getvalue()


def test_workbooks_are_read_from_files(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(lambda book: book.active.append(["a", "b"])))
    assert parse(path).text == "# Sheet\n\n| a | b |\n| --- | --- |"
