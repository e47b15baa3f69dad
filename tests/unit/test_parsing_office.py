"""Word, PowerPoint and HTML keep their words, titles and tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chunkfit.errors import BadDocument
from chunkfit.model import Document
from chunkfit.parsing import parse

pytestmark = pytest.mark.slow  # docling is imported in a child

docx = pytest.importorskip("docx")
pptx = pytest.importorskip("pptx")
WD_BREAK = pytest.importorskip("docx.enum.text").WD_BREAK


@pytest.fixture
def word(tmp_path: Path) -> Callable[[Callable[[Any], None]], Document]:
    def read(fill: Callable[[Any], None]) -> Document:
        file = docx.Document()
        fill(file)
        file.save(tmp_path / "x.docx")
        return parse(tmp_path / "x.docx")

    return read


@pytest.fixture
def html(tmp_path: Path) -> Callable[[str | bytes], Document]:
    def read(markup: str | bytes) -> Document:
        (tmp_path / "x.html").write_bytes(markup.encode() if isinstance(markup, str) else markup)
        return parse(tmp_path / "x.html")

    return read


def titles(document: Document) -> list[tuple[int, str]]:
    for title in document.titles:
        assert title.heading.of(document.text).lstrip("# ") == title.text
    return [(title.level, title.text) for title in document.titles]


def test_word_headings_have_their_levels_and_governed_text(word: Any) -> None:
    def fill(file: Any) -> None:
        for text, level in (("R", 1), ("S", 3), ("In/Out tray", 2)):
            file.add_heading(text, level)
        file.add_paragraph("x")

    document = word(fill)
    assert document.text == "# R\n\n### S\n\n## In/Out tray\n\nx"
    assert [title.span.of(document.text) for title in document.titles] == [
        document.text,
        "### S\n\n",
        "## In/Out tray\n\nx",
    ]


def test_a_word_title_stands_above_its_headings(word: Any) -> None:
    def fill(file: Any) -> None:
        file.add_heading("Book", 0)
        file.add_heading("Chapter", 1)

    assert titles(word(fill)) == [(1, "Book"), (2, "Chapter")]


def test_changes_of_typeface_do_not_cut_words(word: Any) -> None:
    def fill(file: Any) -> None:
        heading = file.add_heading("", 1)
        heading.add_run("v").bold = True
        heading.add_run("1 notes")
        line = file.add_paragraph("un")
        line.add_run("believ").bold = True
        line.add_run("able, H")
        line.add_run("2").font.subscript = True
        line.add_run("O.")

    assert word(fill).text == "# v1 notes\n\nunbelievable, H2O."


def test_word_lists_tables_and_lines_that_look_like_titles(word: Any) -> None:
    def fill(file: Any) -> None:
        file.add_paragraph("# no title")
        for text in ("a", "b"):
            file.add_paragraph(text, style="List Bullet")
        table = file.add_table(2, 2)
        for cell, text in zip(
            table.rows[0].cells + table.rows[1].cells, ("h|1", "h2", "v1", "two\nlines"), strict=True
        ):
            cell.text = text

    document = word(fill)
    assert document.text == "\\# no title\n\n- a\n- b\n\n| h\\|1 | h2 |\n| --- | --- |\n| v1 | two lines |"
    assert document.titles == ()
    assert [block.kind for block in document.blocks] == ["paragraph", "list_item", "list_item", "table"]


def test_slides_are_pages_and_an_empty_one_keeps_its_number(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    for layout, words in ((0, "First"), (6, None), (5, "Third")):
        slide = deck.slides.add_slide(deck.slide_layouts[layout])
        if words:
            slide.shapes.title.text = words
    deck.save(tmp_path / "x.pptx")
    document = parse(tmp_path / "x.pptx")
    assert [(page.number, page.span.of(document.text)) for page in document.pages] == [
        (1, "# First\n\n"),
        (2, ""),
        (3, "# Third"),
    ]
    assert titles(document) == [(1, "First"), (1, "Third")]


def test_speaker_notes_are_left_out_and_told(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Seen"
    slide.notes_slide.notes_text_frame.text = "Say this slowly."
    deck.save(tmp_path / "x.pptx")
    document = parse(tmp_path / "x.pptx")
    assert document.text == "# Seen"
    assert document.unread == ("notes: 1",)


def test_a_chart_is_the_table_it_draws(tmp_path: Path) -> None:
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE

    deck = pptx.Presentation()
    figures = CategoryChartData()
    figures.categories = ["spring", "autumn"]
    figures.add_series("boats", (3, 5))
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 3_000_000, 2_000_000, figures)
    deck.save(tmp_path / "x.pptx")
    assert "| spring | 3" in parse(tmp_path / "x.pptx").text


def test_a_page_break_inside_a_word_paragraph_glues_no_words(word: Any) -> None:
    def fill(file: Any) -> None:
        runs = file.add_paragraph("before")
        runs.add_run().add_break(WD_BREAK.PAGE)
        runs.add_run("after").add_break(WD_BREAK.COLUMN)
        runs.add_run("last")

    assert word(fill).text.split() == ["before", "after", "last"]


def test_a_heading_without_words_leaves_the_text_below_it_alone(word: Any, html: Any) -> None:
    def fill(file: Any) -> None:
        file.add_heading("", 1)
        file.add_paragraph("body")

    for document in (word(fill), html("<h1></h1><h2> </h2><p>body</p>")):
        assert document.text == "body"
        assert document.titles == ()


def test_the_foot_of_a_table_and_of_an_article_are_text(html: Any) -> None:
    document = html(
        "<article><table><thead><tr><th>a<th>b</thead><tfoot><tr><td>sum<td>3</tfoot><tbody><tr><td>1<td>2</tbody>"
        "</table><footer>By Ann</footer></article><footer>Imprint</footer>"
    )
    assert document.text == "| a | b |\n| --- | --- |\n| 1 | 2 |\n| sum | 3 |\n\nBy Ann"


def test_html_keeps_what_stands_before_the_first_heading_and_drops_navigation(html: Any) -> None:
    document = html("<nav>menu</nav><p>before</p><h2>Two</h2><p>after</p><script>alert(1)</script>")
    assert document.text == "before\n\n## Two\n\nafter"
    assert titles(document) == [(2, "Two")]


def test_inline_tags_do_not_cut_words_and_typography_is_kept(html: Any) -> None:
    document = html("<h1><a href='u'>v1</a> notes</h1><p>un<b>believ</b>able, H<sub>2</sub>O – “so” it <i>is</i>.</p>")
    assert document.text == "# v1 notes\n\nunbelievable, H2O – “so” it is."


def test_code_and_paragraphs_that_look_like_titles_are_none(html: Any) -> None:
    document = html("<h1>T</h1><pre><code># note\n  x = 1</code></pre><p># hash</p>")
    assert document.text == "# T\n\n```\n# note\n  x = 1\n```\n\n\\# hash"
    assert titles(document) == [(1, "T")]


def test_each_cell_of_an_html_table_stands_once_under_its_caption(html: Any) -> None:
    document = html(
        "<table><caption>Table 1</caption><tr><th>a<th>b|c"
        "<tr><td colspan=2>wide<tr><td>1<td><p>two</p><p>parts</p></table>"
    )
    assert document.text == "Table 1\n\n| a | b\\|c |\n| --- | --- |\n| wide |  |\n| 1 | two parts |"


def test_html_is_decoded_as_it_declares_and_never_by_guessing(html: Any) -> None:
    page = "<html><head><meta charset='windows-1252'></head><body><p>café</p></body></html>"
    assert html(page.encode("windows-1252")).text == "café"
    assert html("<p>café שלום עולם 12</p>").text == "café שלום עולם 12"
    with pytest.raises(BadDocument, match="not UTF-8"):
        html("<p>café</p>".encode("windows-1252"))
    with pytest.raises(BadDocument, match="unknown encoding 'klingon'"):
        html("<meta charset=klingon><p>x</p>")


@pytest.mark.parametrize("markup", ["<html><body> </body></html>", "<img src='x.png'>"])
def test_a_page_without_text_is_refused(html: Any, markup: str) -> None:
    with pytest.raises(BadDocument, match="no text"):
        html(markup)


def test_absurd_nesting_is_refused(html: Any) -> None:
    with pytest.raises(BadDocument, match="nested too deeply"):
        html("<ul><li>" * 3000 + "x")
