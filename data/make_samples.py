"""Make the binary documents in data/samples from the plain texts in data/sources: `make samples`.

The texts are in a small part of Markdown: headings, paragraphs, bullets, numbered items, pipe tables and `\\newpage`.
The same text gives the same document: no dates of today, no random identifiers.
"""

import csv
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape

from docx import Document as Docx
from docx.shared import Cm, Pt
from openpyxl import Workbook
from openpyxl.styles import Font
from pptx import Presentation
from pptx.slide import Slide
from pptx.util import Emu
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    FrameBreak,
    ListFlowable,
    ListItem,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

HERE = Path(__file__).parent
MADE_ON = datetime(2031, 1, 15, 9, 0)  # the formats want a local time

Kind = Literal[
    "heading", "paragraph", "bullet", "sub-bullet", "number", "letter", "table", "caption", "note", "page break"
]  # fmt: skip


@dataclass(frozen=True)
class Part:
    kind: Kind
    text: str
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


MARKS: tuple[tuple[Kind, str], ...] = (
    ("page break", r"\\newpage"),
    ("heading", r"(#+) (.*)"),
    ("sub-bullet", r"  - (.*)"),
    ("bullet", r"- (.*)"),
    ("number", r"\d+\. (.*)"),
    ("letter", r"\([a-z]\) .*"),
    ("note", r"> (.*)"),
    ("caption", r"Table \d+: .*"),
)


def read(name: str) -> list[Part]:
    """The parts of a source text, one a line; the lines of a table become one part."""
    lines = (HERE / "sources" / name).read_text(encoding="utf-8").splitlines()
    parts: list[Part] = []
    for is_table, group in groupby(lines, key=lambda line: line.startswith("|")):
        if is_table:
            rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in group]
            parts.append(Part("table", "", rows=(rows[0], *rows[2:])))
        else:
            parts += [_part(line) for line in group if line.strip()]
    return parts


def _part(line: str) -> Part:
    for kind, pattern in MARKS:
        if match := re.fullmatch(pattern, line):
            level = len(match[1]) if kind == "heading" else 0
            return Part(kind, match[match.lastindex or 0], level)
    return Part("paragraph", line)


# ---------------------------------------------------------------------------------------------------------------- PDF

INK = colors.HexColor("#1b2a38")


@dataclass(frozen=True)
class Look:
    """Fonts and sizes of one PDF."""

    serif: str
    sans: str
    size: float
    headings: tuple[float, ...]  # one size a level

    def body(self, **changes: object) -> ParagraphStyle:
        size = self.size
        return ParagraphStyle(
            "body", fontName=self.serif, fontSize=size, leading=size * 1.32, spaceAfter=size * 0.6, **changes
        )

    def heading(self, level: int) -> ParagraphStyle:
        size = self.headings[level - 1]
        return ParagraphStyle(
            f"heading {level}", fontName=self.sans, fontSize=size, leading=size * 1.2, textColor=INK,
            spaceBefore=size * 0.5, spaceAfter=size * 0.45,
        )  # fmt: skip


def flowables(parts: list[Part], look: Look, *, width: float, justified: bool = False) -> Iterator[Flowable]:
    body = look.body(alignment=TA_JUSTIFY) if justified else look.body()
    for kind, group in groupby(parts, key=lambda part: part.kind):
        if kind in ("bullet", "number"):
            yield _list(list(group), look)
            continue
        for part in group:
            if kind == "heading":
                if part.level > 1:
                    # Room for further headings and two lines. To keep a heading with the whole next paragraph would end
                    # nearly every page between paragraphs, which is not what real documents do.
                    yield CondPageBreak(7 * look.size)
                yield Paragraph(escape(part.text), look.heading(part.level))
            elif kind == "caption":
                yield Paragraph(escape(part.text), look.body(keepWithNext=1))
            elif kind == "table":
                yield _table(part.rows, look, width)
            elif kind == "page break":
                # A spacer no larger than nothing still makes a page: two breaks in a row leave one blank.
                yield from (PageBreak(), Spacer(1, 1))
            else:
                yield Paragraph(escape(part.text), body)


def _list(parts: list[Part], look: Look) -> ListFlowable:
    numbered = parts[0].kind == "number"
    return ListFlowable(
        [ListItem(Paragraph(escape(part.text), look.body())) for part in parts],
        bulletType="1" if numbered else "bullet",
        bulletFormat="%s." if numbered else None,
        start=1 if numbered else "•",
        bulletFontName=look.serif,
        bulletFontSize=look.size,
        leftIndent=16,
    )


def _table(rows: tuple[tuple[str, ...], ...], look: Look, width: float) -> Table:
    columns = list(zip(*rows, strict=True))
    # Long texts wrap, so a column's share grows slower than its text; words do not, so it has a floor.
    shares = [max(max(map(len, column)) ** 0.6, max(len(word) for text in column for word in text.split()) * 0.55)
              for column in columns]  # fmt: skip
    cell = ParagraphStyle("cell", fontName=look.serif, fontSize=look.size - 1, leading=(look.size - 1) * 1.25)
    head = ParagraphStyle("head", parent=cell, fontName=look.sans)
    return Table(
        [[Paragraph(escape(text), cell if number else head) for text in row] for number, row in enumerate(rows)],
        colWidths=[width * share / sum(shares) for share in shares],
        repeatRows=1,
        spaceBefore=4,
        spaceAfter=10,
        style=TableStyle(
            [
                ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
                ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#e8edf2")),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        ),
    )


def _save_pdf(target: Path, templates: list[PageTemplate], story: list[Flowable], title: str) -> None:
    # Uncompressed streams: the bytes then do not depend on the version of zlib.
    document = BaseDocTemplate(
        str(target), pagesize=A4, pageTemplates=templates, title=title, author="chunkfit samples",
        invariant=1, pageCompression=0,
    )  # fmt: skip
    document.build(story)


def report(target: Path) -> None:
    """Eight pages, headings of three levels, lists, a table; the same header and footer on all pages but the first."""
    look = Look("Times-Roman", "Helvetica-Bold", 11, (20, 15, 12.5, 11))
    width, height = A4

    def edges(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.saveState()
        canvas.setFont("Helvetica", 8.5)
        canvas.setFillColor(colors.grey)
        canvas.drawString(2.5 * cm, height - 1.5 * cm, "Aldermoor Harbour Board")
        canvas.drawRightString(width - 2.5 * cm, height - 1.5 * cm, "State of the works")
        canvas.line(2.5 * cm, height - 1.65 * cm, width - 2.5 * cm, height - 1.65 * cm)
        canvas.drawString(2.5 * cm, 1.3 * cm, "Draft for discussion")
        canvas.drawRightString(width - 2.5 * cm, 1.3 * cm, f"Page {document.page}")
        canvas.restoreState()

    column = width - 5 * cm
    frame = Frame(2.5 * cm, 2.6 * cm, column, height - 4.8 * cm, 0, 0, 0, 0)
    parts = read("harbour-report.md")
    story = [NextPageTemplate("text"), *flowables(parts, look, width=column)]
    templates = [PageTemplate("first", [frame]), PageTemplate("text", [frame], onPage=edges)]
    _save_pdf(target, templates, story, parts[0].text)


def two_columns(target: Path) -> None:
    """A paper: title across the page, then two justified columns, with a table in one of them."""
    look = Look("Times-Roman", "Times-Bold", 10, (18, 12, 10.5))
    width, height = A4
    gap, margin, head = 0.8 * cm, 2 * cm, 2.2 * cm
    column = (width - 2 * margin - gap) / 2
    lefts = (margin, margin + column + gap)
    title = Frame(margin, height - margin - head, width - 2 * margin, head, 0, 0, 0, 0)

    def columns(top: float) -> list[Frame]:
        return [Frame(left, margin, column, top - margin, 0, 0, 0, 0) for left in lefts]

    parts = read("tide-paper.md")
    body = flowables(parts[2:], look, width=column, justified=True)
    story = [NextPageTemplate("next"), *flowables(parts[:2], look, width=width), FrameBreak(), *body]
    templates = [
        PageTemplate("first", [title, *columns(height - margin - head)]),
        PageTemplate("next", columns(height - margin)),
    ]
    _save_pdf(target, templates, story, parts[0].text)


def blank_page(target: Path) -> None:
    """Three pages, the middle one without a mark on it."""
    look = Look("Helvetica", "Helvetica-Bold", 11, (18, 13))
    column = A4[0] - 5 * cm
    frame = Frame(2.5 * cm, 2.5 * cm, column, A4[1] - 5 * cm, 0, 0, 0, 0)
    parts = read("allotment-minutes.md")
    _save_pdf(target, [PageTemplate("page", [frame])], list(flowables(parts, look, width=column)), parts[0].text)


# ------------------------------------------------------------------------------------------------------------- Office


def contract(target: Path) -> None:
    """Clauses numbered 1., 1.1 and (a) in the text itself, the first two levels as headings or run-in paragraphs."""
    document = Docx()
    document.styles["Normal"].font.name = "Times New Roman"
    document.styles["Normal"].font.size = Pt(11)
    for part in read("lease.md"):
        if part.kind == "heading" and part.level < 3:
            document.add_heading(part.text, part.level)
        elif part.kind == "table":
            table = document.add_table(0, len(part.rows[0]), style="Table Grid")
            for row in part.rows:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        else:
            paragraph = document.add_paragraph(part.text)
            if part.kind == "letter":
                paragraph.paragraph_format.left_indent = Cm(1)
    _stamp(document.core_properties)
    document.save(str(target))
    _freeze(target)


def slides(target: Path) -> None:
    """A title slide, bullets on two levels, a table, and a speaker's note on each slide."""
    deck = Presentation()
    groups: list[list[Part]] = []
    for part in read("slides.md"):
        if part.kind == "heading":
            groups.append([])
        groups[-1].append(part)
    for number, parts in enumerate(groups):
        has_table = any(part.kind == "table" for part in parts)
        layout = deck.slide_layouts[5 if has_table else 1 if number else 0]
        _fill(deck.slides.add_slide(layout), parts)
    _stamp(deck.core_properties)
    deck.save(str(target))
    _freeze(target)


def _fill(slide: Slide, parts: list[Part]) -> None:
    lines = [part for part in parts if part.kind in ("paragraph", "bullet", "sub-bullet")]
    slide.shapes.title.text = parts[0].text
    if lines:
        frame = slide.placeholders[1].text_frame
        frame.text = lines[0].text
        for part in lines[1:]:
            paragraph = frame.add_paragraph()
            paragraph.text, paragraph.level = part.text, int(part.kind == "sub-bullet")
    for part in parts:
        if part.kind == "note":
            slide.notes_slide.notes_text_frame.text = part.text
        elif part.kind == "table":
            size = (len(part.rows), len(part.rows[0]))
            place = (Emu(600_000), Emu(1_700_000), Emu(7_900_000), Emu(2_500_000))
            table = slide.shapes.add_table(*size, *place).table
            for row, texts in enumerate(part.rows):
                for column, text in enumerate(texts):
                    table.cell(row, column).text = text


def sheet(target: Path) -> None:
    """Two tables on one sheet, with blank rows between them; one cell holds a pipe."""
    book = Workbook()
    page = book.active
    page.title = "Seeds"
    with (HERE / "sources" / "seeds.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        page.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    for number, row in enumerate(rows, start=1):
        if len(row) == 1 or row[:1] in (["No."], ["Date"]):
            for cell in page[number]:
                cell.font = Font(bold=True)
    for column, letters in zip("ABCDEFG", (12, 16, 16, 18, 11, 10, 60), strict=True):
        page.column_dimensions[column].width = letters
    book.properties.creator = "chunkfit samples"
    book.properties.created = MADE_ON
    book.save(target)
    _freeze(target)


def _stamp(properties: object) -> None:
    properties.author = "chunkfit samples"
    properties.created = properties.modified = MADE_ON
    properties.last_modified_by = ""


def _freeze(target: Path) -> None:
    """Pack the file again with one fixed time for every member: the libraries write the time of saving."""
    with zipfile.ZipFile(target) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            if name == "docProps/core.xml":
                content = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2031-01-15T09:00:00Z", content)
            archive.writestr(zipfile.ZipInfo(name, MADE_ON.timetuple()[:6]), content, zipfile.ZIP_DEFLATED)


# --------------------------------------------------------------------------------------------------------------- JSON


def parsed(target: Path) -> None:
    """A document that something else has parsed: pages of Markdown, their concatenation, and titles with spans."""
    pages = (HERE / "sources" / "handbook.md").read_text(encoding="utf-8").replace("\\newpage\n", "\n\f").split("\f")
    text = "".join(pages)
    headings = [(match.start(), len(match[1]), match[2]) for match in re.finditer(r"^(#+) (.*)$", text, re.MULTILINE)]
    titles = [
        {
            "title": f"{'#' * level} {title}",
            "start": start,
            "end": _governed_until(start, level, headings, len(text)),
            "level": level,
        }
        for start, level, title in headings
    ]
    blocks = [match.end() for match in re.finditer(r"\n\n+|\n(?=- )", text)]
    content = {
        "document_name": "workshop-handbook",
        "pages": {str(number): page for number, page in enumerate(pages, start=1)},
        "full_text": text,
        "split_points": blocks,
        "titles": titles,
    }
    target.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _governed_until(start: int, level: int, headings: list[tuple[int, int, str]], length: int) -> int:
    return next((other for other, rank, _ in headings if other > start and rank <= level), length)


SAMPLES: dict[str, Callable[[Path], None]] = {
    "harbour-report.pdf": report,
    "tide-paper.pdf": two_columns,
    "allotment-minutes.pdf": blank_page,
    "sawmill-lease.docx": contract,
    "swift-slides.pptx": slides,
    "seed-library.xlsx": sheet,
    "workshop-handbook.json": parsed,
}


def make(folder: Path) -> None:
    """Write every made sample into `folder`."""
    for name, maker in SAMPLES.items():
        maker(folder / name)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "samples")
