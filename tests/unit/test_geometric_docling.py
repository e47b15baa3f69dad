"""PDFs through docling with the geometric stages: what a reader of the page sees is what the document holds."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    FrameBreak,
    PageTemplate,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from chunkfit.parsing.geometric import layout_weights_present, pdf_format_option

pytestmark = pytest.mark.slow

WIDTH, HEIGHT = A4
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10, leading=12, alignment=TA_JUSTIFY, spaceAfter=6)
TITLE = ParagraphStyle("title", fontName="Times-Bold", fontSize=20, leading=24, spaceAfter=16)
HEADINGS = [
    ParagraphStyle(f"h{n}", fontName="Times-Bold", fontSize=size, leading=size * 1.2, spaceBefore=10, spaceAfter=5)
    for n, size in enumerate((15, 12.5, 10), 1)
]
GRID = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
RULES = TableStyle([("LINEABOVE", (0, 0), (-1, 0), 1, "black"), ("LINEBELOW", (0, 0), (-1, 0), 0.5, "black"),
                    ("LINEBELOW", (0, -1), (-1, -1), 1, "black")])  # fmt: skip


@pytest.fixture(scope="module")
def convert(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Callable[[str], Any]], Any]]:
    """One converter for all; a test hands over what draws its PDF and gets docling's document."""
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import DocumentConverter

    folder = tmp_path_factory.mktemp("pdf")
    converter = DocumentConverter(
        allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: pdf_format_option()}
    )

    def document_of(draw: Callable[[str], Any]) -> Any:
        path = folder / f"{draw.__name__}.pdf"
        draw(str(path))
        return converter.convert(path).document

    yield document_of


def items(document: Any) -> list[tuple[str, str]]:
    """Label and text of the body in reading order; a table gives its cells, row by row."""
    found = []
    for item, _ in document.iterate_items():
        text = getattr(item, "text", "")
        if item.label == "table":
            text = " | ".join(cell.text for cell in item.data.table_cells)
        found.append((item.label.value, text))
    return found


def of_kind(document: Any, label: str) -> list[str]:
    return [text for kind, text in items(document) if kind == label]


def sentence(number: int) -> str:
    return f"Sentence {number} of this document tells the reader about the water in the harbour and its boats."


def prose(first: int, count: int) -> str:
    return " ".join(sentence(number) for number in range(first, first + count))


def report(path: str) -> None:
    def furniture(canvas: Canvas, template: Any) -> None:
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(72, HEIGHT - 36, "Harbour report")
        canvas.drawCentredString(WIDTH / 2, 30, f"Page {template.page}")

    story: list[Any] = [Paragraph("A report on the harbour whose title needs two lines of the page", TITLE)]
    for chapter in range(1, 5):
        story += [
            Paragraph(f"{chapter} Chapter about works", HEADINGS[0]),
            Paragraph(prose(100 * chapter, 6), BODY),
            Paragraph(f"{chapter}.1 Section about walls", HEADINGS[1]),
            Paragraph(prose(100 * chapter + 10, 9), BODY),
            Paragraph("In the board's own words", HEADINGS[2]),
            Paragraph(f"<b>Bold words</b> open this paragraph. {prose(100 * chapter + 30, 3)}", BODY),
            Paragraph(prose(100 * chapter + 40, 31), BODY),
        ]
    SimpleDocTemplate(path, pagesize=A4).build(story, onFirstPage=furniture, onLaterPages=furniture)


def test_headings_of_three_levels_and_a_wrapped_title(convert):
    document = convert(report)
    levels = [(item.text, item.level) for item in document.texts if item.label == "section_header"]
    assert levels[:4] == [
        ("A report on the harbour whose title needs two lines of the page", 1),
        ("1 Chapter about works", 2),
        ("1.1 Section about walls", 3),
        ("In the board's own words", 4),
    ]
    assert len(levels) == 1 + 3 * 4  # no bold words at the start of a paragraph among them


def test_running_headers_and_page_numbers_leave_the_body(convert):
    document = convert(report)
    pages = len(document.pages)
    assert pages > 1
    furniture = [(item.label.value, item.text) for item in document.texts if item.content_layer.value == "furniture"]
    assert [text for label, text in furniture if label == "page_header"] == ["Harbour report"] * pages
    assert [text for label, text in furniture if label == "page_footer"] == [f"Page {n + 1}" for n in range(pages)]


def test_each_sentence_stands_in_the_document_once_and_in_order(convert):
    text = " ".join(text for _, text in items(convert(report)))
    wanted = [
        sentence(100 * c + n) for c in range(1, 5) for n in [*range(6), *range(10, 19), *range(30, 33), *range(40, 48)]
    ]
    positions = [text.find(one) for one in wanted]
    assert min(positions) >= 0
    assert positions == sorted(positions)
    assert all(text.count(one) == 1 for one in wanted)


def test_a_paragraph_over_a_page_break_is_one_item_whose_places_tile_its_text(convert):
    over = [item for item in convert(report).texts if len(item.prov) > 1]
    assert over
    for item in over:
        first, second = (place.charspan for place in item.prov)
        assert first[0] == 0
        assert second[1] == len(item.text)
        assert item.text[first[1] : second[0]] in ("", " ")
        assert item.prov[0].page_no + 1 == item.prov[1].page_no


def paper(path: str) -> None:
    gap, margin, foot = 18, 60, 60
    column = (WIDTH - 2 * margin - gap) / 2
    height = HEIGHT - 2 * foot
    frames = [
        Frame(margin, foot + height - 70, WIDTH - 2 * margin, 70, 0, 0, 0, 0),
        Frame(margin, foot, column, height - 80, 0, 0, 0, 0),
        Frame(margin + column + gap, foot, column, height - 80, 0, 0, 0, 0),
    ]
    rows = [
        ["Method", "Recall", "Size"],
        ["fixed", "0.71", "512"],
        ["page", "0.64", "931"],
        ["semantic", "0.70", "407"],
    ]
    table = Table(rows)
    table.setStyle(RULES)
    story = [
        Paragraph("Reading a page in the order in which it was meant to be read", TITLE),
        FrameBreak(),
        *(Paragraph(prose(n, 4), BODY) for n in range(0, 24, 4)),
        Paragraph("1 Results", HEADINGS[0]),
        Paragraph("Table 1: what three methods reach", BODY),
        table,
        Spacer(1, 12),
        *(Paragraph(prose(n, 4), BODY) for n in range(24, 36, 4)),
    ]
    BaseDocTemplate(path, pagesize=A4, pageTemplates=[PageTemplate(frames=frames)]).build(story)


def test_two_columns_are_read_in_order_with_their_table(convert):
    document = convert(paper)
    text = " ".join(text for _, text in items(document))
    positions = [text.find(sentence(number)) for number in range(36)]
    assert min(positions) >= 0
    assert positions == sorted(positions)
    assert text.startswith("Reading a page in the order")
    assert of_kind(document, "caption") == ["Table 1: what three methods reach"]
    (table,) = document.tables
    assert [[cell.text for cell in row] for row in table.data.grid] == [
        ["Method", "Recall", "Size"],
        ["fixed", "0.71", "512"],
        ["page", "0.64", "931"],
    ]
    assert [cell.column_header for cell in table.data.grid[0]] == [True] * 3


def only_a_table(path: str) -> None:
    table = Table([[f"cell {row}{column}" for column in range(3)] for row in range(3)], colWidths=90)
    table.setStyle(GRID)
    SimpleDocTemplate(path, pagesize=A4).build([table])


def test_a_page_that_is_one_table_holds_each_cell_once(convert):
    markdown = convert(only_a_table).export_to_markdown()
    assert all(markdown.count(f"cell {row}{column}") == 1 for row in range(3) for column in range(3))
    assert markdown.splitlines()[1].startswith("|--")


def borderless(path: str) -> None:
    table = Table([["Region", "Length", "Share"], ["North and East", "1,200", "41%"], ["South", "", "28%"]])
    story = [Paragraph(prose(0, 3), BODY), table, Paragraph(prose(3, 3), BODY)]
    SimpleDocTemplate(path, pagesize=A4).build(story)


def test_a_table_without_any_line_between_two_paragraphs(convert):
    document = convert(borderless)
    assert [label for label, _ in items(document)] == ["text", "table", "text"]
    assert items(document)[1][1] == "Region | Length | Share | North and East | 1,200 | 41% | South |  | 28%"


def listed(path: str) -> None:
    style = ParagraphStyle("item", parent=BODY, leftIndent=20, bulletIndent=5)
    story: list[Any] = [Paragraph(prose(0, 3), BODY)]
    story += [Paragraph(prose(10 + n, 2), style, bulletText="•") for n in range(3)]
    story += [Paragraph(prose(20, 2), BODY)]
    story += [Paragraph(f"Step {n}", style, bulletText=f"({n})") for n in (1, 2, 3)]
    SimpleDocTemplate(path, pagesize=A4).build(story)


def test_bullets_and_numbers_are_list_items(convert):
    document = convert(listed)
    labels = [label for label, _ in items(document)]
    assert labels == ["text", *["list_item"] * 3, "text", *["list_item"] * 3]
    markers = [(item.marker, item.enumerated) for item in document.texts if item.label == "list_item"]
    assert markers == [("•", False)] * 3 + [(f"({n})", True) for n in (1, 2, 3)]
    assert of_kind(document, "list_item")[3:] == ["Step 1", "Step 2", "Step 3"]


def plain_sizes(path: str) -> None:
    canvas = Canvas(path, pagesize=A4)
    canvas.setFont("Helvetica", 18)
    canvas.drawString(72, 760, "A title that is long enough to need")
    canvas.drawString(72, 738, "two lines on the page")
    canvas.setFont("Helvetica", 12)
    for row, text in enumerate(
        ("The body is set in twelve points and each of its lines", "is as large as another's title.")
    ):
        canvas.drawString(72, 700 - 15 * row, text)
    canvas.drawString(72, 650, "A short last paragraph.")
    canvas.save()


def test_twelve_point_lines_are_no_titles_below_one_of_eighteen(convert):
    assert items(convert(plain_sizes)) == [
        ("section_header", "A title that is long enough to need two lines on the page"),
        ("text", "The body is set in twelve points and each of its lines is as large as another's title."),
        ("text", "A short last paragraph."),
    ]


def blank_in_the_middle(path: str) -> None:
    canvas = Canvas(path, pagesize=A4)
    for number in (1, 2, 3):
        canvas.setFont("Helvetica", 8)
        canvas.drawString(72, 810, "Minutes")
        canvas.setFont("Helvetica", 11)
        if number != 2:
            canvas.drawString(72, 700, f"What was said under point {number}.")
        canvas.showPage()
    canvas.save()


def test_a_blank_page_keeps_its_number_and_its_header(convert):
    document = convert(blank_in_the_middle)
    assert sorted(document.pages) == [1, 2, 3]
    body = [(item.text, item.prov[0].page_no) for item, _ in document.iterate_items()]
    assert body == [("What was said under point 1.", 1), ("What was said under point 3.", 3)]


def headings_that_repeat(path: str) -> None:
    canvas = Canvas(path, pagesize=A4)
    for number in (1, 2, 3):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 770, f"Section {number}")
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 740, "The same words stand on every page of this document.")
        canvas.showPage()
    canvas.save()


def test_headings_and_text_that_repeat_on_every_page_stay(convert):
    assert items(convert(headings_that_repeat)) == [
        pair
        for number in (1, 2, 3)
        for pair in (
            ("section_header", f"Section {number}"),
            ("text", "The same words stand on every page of this document."),
        )
    ]


def other_scripts(path: str) -> None:
    canvas = Canvas(path, pagesize=A4)
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas.setFont("STSong-Light", 12)
    canvas.drawString(72, 700, "海港的水位由潮汐决定，我们每天记录两次。")
    canvas.drawString(72, 684, "记录保存在旧书中。")
    try:
        pdfmetrics.registerFont(TTFont("Hebrew", "DejaVuSans.ttf"))
    except TTFError:
        pytest.skip("DejaVu Sans is not installed: no font with Hebrew letters")
    canvas.setFont("Hebrew", 12)
    canvas.drawRightString(310, 600, "12 " + "שלום עולם"[::-1])  # as it stands on the page, from the left
    canvas.save()


def test_right_to_left_text_keeps_its_logical_order_and_chinese_gets_no_spaces(convert):
    assert [text for _, text in items(convert(other_scripts))] == [
        "海港的水位由潮汐决定，我们每天记录两次。记录保存在旧书中。",
        "שלום עולם 12",
    ]


def turned(path: str) -> None:
    import pypdfium2

    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(72, 760, "Drawn upright, shown sideways")
    canvas.setFont("Helvetica", 11)
    for row in range(4):
        canvas.drawString(72, 730 - 14 * row, f"line {row} of a paragraph that goes on and on,")
    canvas.save()
    pdf = pypdfium2.PdfDocument(buffer.getvalue())
    pdf[0].set_rotation(90)
    pdf.save(path)


def test_sideways_text_is_read_as_if_the_page_were_turned(convert):
    assert items(convert(turned)) == [
        ("section_header", "Drawn upright, shown sideways"),
        ("text", " ".join(f"line {row} of a paragraph that goes on and on," for row in range(4))),
    ]


def hostile(path: str) -> None:
    canvas = Canvas(path, pagesize=A4)
    canvas.setFont("Helvetica", 0.0001)
    canvas.drawString(72, 700, "no size")
    canvas.setFont("Helvetica", 5000)
    canvas.drawString(0, 0, "HUGE")
    canvas.setFont("Helvetica", 10)
    for x, y in ((-500, 700), (72, 5000), (1e7, 1e7)):
        canvas.drawString(x, y, "far outside")
    canvas.drawString(72, 600, "A normal line of text stays here.")
    canvas.showPage()
    canvas.setFont("Helvetica", 2)
    for i in range(5000):
        canvas.drawString(10 + 11 * (i % 50), 10 + 8 * (i // 50), f"x{i}")
    canvas.showPage()
    canvas.setLineWidth(0.1)
    for i in range(300):
        canvas.line(20, 20 + 2.7 * i, 570, 20 + 2.7 * i)
        canvas.line(20 + 1.8 * i, 20, 20 + 1.8 * i, 830)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(100, 400, "text on squared paper")
    canvas.save()


def test_hostile_pages_neither_fail_nor_lose_the_text_that_can_be_seen(convert):
    text = " ".join(text for _, text in items(convert(hostile)))
    assert "A normal line of text stays here." in text
    assert "text on squared paper" in text
    assert all(f"x{i}" in text for i in range(0, 5000, 500))


def test_the_stages_are_found_through_doclings_own_factories():
    from docling.models.factories import get_layout_factory, get_table_structure_factory

    assert "chunkfit_geometric" in get_layout_factory(allow_external_plugins=True).registered_kind
    assert "chunkfit_geometric_table" in get_table_structure_factory(allow_external_plugins=True).registered_kind


def test_doclings_own_backend_works_with_the_layout_stage(tmp_path: Path):
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.pipeline_options import ThreadedPdfPipelineOptions
    from docling.document_converter import DocumentConverter, PdfFormatOption

    from chunkfit.parsing.geometric.docling_model import GeometricLayoutOptions, GeometricTableOptions

    options = ThreadedPdfPipelineOptions(
        allow_external_plugins=True,
        do_ocr=False,
        layout_options=GeometricLayoutOptions(),
        table_structure_options=GeometricTableOptions(),
    )
    converter = DocumentConverter(format_options={InputFormat.PDF: PdfFormatOption(pipeline_options=options)})
    only_a_table(str(tmp_path / "table.pdf"))
    (table,) = converter.convert(tmp_path / "table.pdf").document.tables
    assert table.data.grid[2][1].text == "cell 21"


def test_weights_are_looked_for_where_docling_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DOCLING_ARTIFACTS_PATH", str(tmp_path))
    assert not layout_weights_present()
    folder = tmp_path / "docling-project--docling-layout-heron"
    folder.mkdir()
    (folder / "model.safetensors").touch()
    assert layout_weights_present()
    monkeypatch.delenv("DOCLING_ARTIFACTS_PATH")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    assert not layout_weights_present()
    snapshot = tmp_path / "hub" / "models--docling-project--docling-layout-heron" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "model.safetensors").touch()
    assert layout_weights_present()
