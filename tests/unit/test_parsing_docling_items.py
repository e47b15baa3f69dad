"""A docling document becomes pieces: every item of its body once, in reading order."""

import pytest

pytest.importorskip("docling_core")

from docling_core.types.doc.base import BoundingBox
from docling_core.types.doc.document import ContentLayer, DoclingDocument, ProvenanceItem, TableCell, TableData
from docling_core.types.doc.labels import DocItemLabel, GroupLabel

from chunkfit.model import Document
from chunkfit.parsing.assembly import assemble
from chunkfit.parsing.docling_items import docling_pieces, page_numbers

BOX = BoundingBox(l=0, t=0, r=1, b=1)


def on(page: int, start: int = 0, end: int = 0) -> ProvenanceItem:
    return ProvenanceItem(page_no=page, bbox=BOX, charspan=(start, end))


def table(*rows: list[str]) -> TableData:
    cells = [
        TableCell(
            text=text,
            start_row_offset_idx=row,
            end_row_offset_idx=row + 1,
            start_col_offset_idx=column,
            end_col_offset_idx=column + 1,
        )
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    ]
    return TableData(num_rows=len(rows), num_cols=len(rows[0]), table_cells=cells)


def read(document: DoclingDocument) -> Document:
    return assemble("x", docling_pieces(document), page_numbers(document))


def test_sections_rank_below_a_title_and_from_the_top_without_one() -> None:
    titled, untitled = DoclingDocument(name="x"), DoclingDocument(name="y")
    titled.add_title("Book")
    for document in (titled, untitled):
        document.add_heading("A", level=1)
        document.add_heading("B", level=2)
    assert read(titled).text == "# Book\n\n## A\n\n### B"
    assert read(untitled).text == "# A\n\n## B"


def test_a_heading_made_of_several_runs_is_one_title() -> None:
    document = DoclingDocument(name="x")
    head = document.add_heading("", level=1)
    runs = document.add_inline_group(parent=head)
    for text in ("v1", "notes", "."):
        document.add_text(DocItemLabel.TEXT, text, parent=runs)
    document.add_text(DocItemLabel.TEXT, "body")
    found = read(document)
    assert found.text == "# v1 notes.\n\nbody"
    assert [title.text for title in found.titles] == ["v1 notes."]


def test_a_heading_without_words_makes_no_title_of_the_paragraph_below_it() -> None:
    document = DoclingDocument(name="x")
    head = document.add_heading("", level=1)
    document.add_text(DocItemLabel.TEXT, "body", parent=head)
    found = read(document)
    assert found.text == "body"
    assert found.titles == ()


def test_text_below_a_heading_follows_it() -> None:
    document = DoclingDocument(name="x")
    head = document.add_heading("H", level=1)
    document.add_text(DocItemLabel.TEXT, "under", parent=head)
    assert read(document).text == "# H\n\nunder"


def test_furniture_and_notes_are_not_part_of_the_body() -> None:
    document = DoclingDocument(name="x")
    document.add_text(DocItemLabel.PAGE_HEADER, "header", content_layer=ContentLayer.FURNITURE)
    document.add_text(DocItemLabel.TEXT, "body")
    document.add_text(DocItemLabel.TEXT, "note", content_layer=ContentLayer.NOTES)
    assert read(document).text == "body"


def test_a_caption_stands_once_and_right_before_its_table_wherever_it_hangs() -> None:
    document = DoclingDocument(name="x")
    document.add_text(DocItemLabel.TEXT, "before")
    caption = document.add_text(DocItemLabel.CAPTION, "Table 1: x")
    item = document.add_table(table(["A", "B"], ["1", "2"]))
    document.add_text(DocItemLabel.TEXT, "after")
    item.captions.append(caption.get_ref())
    document.body.children.append(document.body.children.pop(1))  # the caption comes last now
    found = read(document)
    assert found.text == "before\n\nTable 1: x\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nafter"
    assert [block.kind for block in found.blocks] == ["paragraph", "caption", "table", "paragraph"]


def test_the_text_of_a_merged_cell_stands_once() -> None:
    data = table(["A", "B", "C"], ["1", "2", "3"])
    data.table_cells = [cell for cell in data.table_cells if cell.text != "B"]
    data.table_cells[0].col_span, data.table_cells[0].end_col_offset_idx = 2, 2
    document = DoclingDocument(name="x")
    document.add_table(data)
    assert read(document).text == "| A |  | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |"


def test_a_page_that_is_one_table_has_each_cell_once() -> None:
    document = DoclingDocument(name="x")
    document.add_table(table(["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i|j"]))
    text = read(document).text
    assert all(text.count(letter) == 1 for letter in "abcdefghij")
    assert "i\\|j" in text


def test_a_frame_around_text_is_a_paragraph() -> None:
    document = DoclingDocument(name="x")
    document.add_table(table(["framed"]))
    assert read(document).text == "framed"


def test_nested_and_numbered_lists_keep_their_marks() -> None:
    document = DoclingDocument(name="x")
    outer = document.add_list_group()
    first = document.add_list_item("a\nb", parent=outer)
    inner = document.add_list_group(parent=first)
    document.add_list_item("one", enumerated=True, parent=inner)
    document.add_list_item("two", enumerated=True, marker="(ii)", parent=inner)
    document.add_list_item("c", marker="•", parent=outer)
    assert read(document).text == "- a\n    b\n    1. one\n    (ii) two\n- c"


def test_code_is_fenced_and_formulas_are_marked() -> None:
    document = DoclingDocument(name="x")
    document.add_code("# no title\n  x = 1")
    document.add_formula("a^2")
    found = read(document)
    assert found.text == "```\n# no title\n  x = 1\n```\n\n$$\na^2\n$$"
    assert found.titles == ()


def test_pages_without_items_keep_their_numbers() -> None:
    document = DoclingDocument(name="x")
    for number in (1, 2, 3):
        document.add_page(page_no=number, size={"width": 1, "height": 1})
    document.add_text(DocItemLabel.TEXT, "three", prov=on(3))
    document.add_text(DocItemLabel.TEXT, "one", prov=on(1))
    found = read(document)
    assert [(page.number, page.span.of(found.text)) for page in found.pages] == [(1, "one\n\n"), (2, ""), (3, "three")]


def test_a_paragraph_over_a_page_break_is_cut_where_docling_says_even_behind_an_escape() -> None:
    document = DoclingDocument(name="x")
    text = "# one two"
    item = document.add_text(DocItemLabel.TEXT, text, prov=on(1, 0, 5))
    item.prov.append(on(2, 6, 9))
    found = read(document)
    assert [page.span.of(found.text) for page in found.pages] == ["\\# one ", "two"]


def test_an_item_is_given_once_however_often_it_is_referred_to() -> None:
    document = DoclingDocument(name="x")
    item = document.add_text(DocItemLabel.TEXT, "once")
    document.body.children.append(item.get_ref())
    group = document.add_group(label=GroupLabel.SECTION)
    group.children.append(item.get_ref())
    assert read(document).text == "once"
