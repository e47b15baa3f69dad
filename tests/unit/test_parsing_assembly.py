"""Text, pages, blocks and titles grow together from pieces in reading order."""

import pytest

from chunkfit.model import Document
from chunkfit.parsing.assembly import Piece, assemble, clean, code, heading, prose
from chunkfit.parsing.tables import markdown_table


def pages(document: Document) -> list[tuple[int, str]]:
    return [(page.number, page.span.of(document.text)) for page in document.pages]


def blocks(document: Document) -> list[str]:
    return [block.span.of(document.text) for block in document.blocks]


def paragraph(text: str, page: int = 1) -> Piece:
    return Piece("paragraph", text, page)


def test_titles_and_blocks_stay_in_place_over_page_breaks() -> None:
    pieces = [piece for page in (1, 2, 3) for piece in (heading(f"H{page}", 1, page), paragraph(f"body {page}", page))]
    document = assemble("x", pieces, (1, 2, 3))
    assert document.text == "# H1\n\nbody 1\n\n# H2\n\nbody 2\n\n# H3\n\nbody 3"
    assert [title.heading.of(document.text) for title in document.titles] == ["# H1", "# H2", "# H3"]
    assert pages(document) == [(1, "# H1\n\nbody 1\n\n"), (2, "# H2\n\nbody 2\n\n"), (3, "# H3\n\nbody 3")]
    assert blocks(document) == ["# H1\n\n", "body 1\n\n", "# H2\n\n", "body 2\n\n", "# H3\n\n", "body 3"]


def test_an_item_of_an_earlier_page_that_comes_later_goes_to_its_page_with_its_offset() -> None:
    document = assemble("x", [paragraph("one", 1), heading("Two", 1, 2), paragraph("late", 1)], (1, 2))
    assert document.text == "one\n\nlate\n\n# Two"
    assert document.titles[0].heading.of(document.text) == "# Two"
    assert pages(document) == [(1, "one\n\nlate\n\n"), (2, "# Two")]


@pytest.mark.parametrize(
    ("blank", "expected"),
    [
        (1, [(1, ""), (2, "two\n\n"), (3, "three")]),
        (2, [(1, "one\n\n"), (2, ""), (3, "three")]),
        (3, [(1, "one\n\n"), (2, "two"), (3, "")]),
    ],
)
def test_blank_pages_are_empty_and_keep_their_numbers(blank: int, expected: list[tuple[int, str]]) -> None:
    words = {1: "one", 2: "two", 3: "three"}
    document = assemble("x", [paragraph(words[page], page) for page in (1, 2, 3) if page != blank], (1, 2, 3))
    assert pages(document) == expected


def test_a_paragraph_over_a_page_break_belongs_to_both_pages() -> None:
    running = Piece("paragraph", "starts here and ends there", 1, page_breaks=((16, 2),))
    document = assemble("x", [running, paragraph("footnote", 1), paragraph("next", 2)], (1, 2))
    assert pages(document) == [(1, "footnote\n\nstarts here and "), (2, "ends there\n\nnext")]
    assert blocks(document) == ["footnote\n\n", "starts here and ends there\n\n", "next"]


def test_items_of_one_list_stand_on_neighbouring_lines() -> None:
    pieces = [paragraph("p"), Piece("list_item", "- a"), Piece("list_item", "- b", tight=True), paragraph("q")]
    assert assemble("x", pieces).text == "p\n\n- a\n- b\n\nq"


def test_equal_titles_each_keep_their_own_place() -> None:
    document = assemble("x", [heading("T", 1), paragraph("a"), heading("T", 1), paragraph("b"), heading("T", 1)])
    assert [title.span.of(document.text) for title in document.titles] == ["# T\n\na\n\n", "# T\n\nb\n\n", "# T"]


def test_headings_are_one_line_and_never_deeper_than_markdown_goes() -> None:
    piece = heading(" a\n wrapped  title ", 8)
    assert (piece.text, piece.level, piece.words) == ("###### a wrapped title", 8, "a wrapped title")


def test_prose_that_looks_like_markup_is_escaped() -> None:
    assert prose("paragraph", "# no title\n```\n#hashtag\n#").text == "\\# no title\n\\```\n#hashtag\n\\#"


def test_a_fence_is_longer_than_any_inside() -> None:
    assert code("a\n````\nb", "python").text == "`````python\na\n````\nb\n`````"


def test_nothing_at_all_is_an_empty_text_with_its_pages() -> None:
    document = assemble("x", [paragraph(" ")], (1, 2))
    assert (document.text, document.blocks) == ("", ())
    assert pages(document) == [(1, ""), (2, "")]


def test_clean_text_has_no_control_characters_and_one_kind_of_line_end() -> None:
    assert clean("\r\na\rb\vc\fd\x00\x07e\tf\ud800") == "a\nb\nc\nde\tf�"


def test_tables_escape_pipes_fill_short_rows_and_stay_on_their_lines() -> None:
    assert markdown_table([["a|b", "two\nlines"], ["1"]]) == "| a\\|b | two lines |\n| --- | --- |\n| 1 |  |"


def test_a_table_without_cells_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        markdown_table([[]])
