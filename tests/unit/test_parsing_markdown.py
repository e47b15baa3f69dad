"""Markdown keeps its text; titles and blocks are where CommonMark sees them."""

import pytest

from chunkfit.model import Document
from chunkfit.parsing.markdown import markdown


def read(content: str) -> Document:
    return markdown(content.encode(), "x.md", 1_000_000)


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(block.kind, block.span.of(document.text)) for block in document.blocks]


def titles(document: Document) -> list[tuple[int, str, str]]:
    return [(title.level, title.text, title.heading.of(document.text)) for title in document.titles]


def test_lines_in_fences_are_no_titles() -> None:
    document = read("# T\n```\n# note\n```\n~~~ python\n## x\n```\n# y\n~~~\n## End\n")
    assert [title.text for title in document.titles] == ["T", "End"]
    assert [kind for kind, _ in blocks(document)] == ["heading", "code", "code", "heading"]


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert [title.text for title in read("# T\n````\n# a\n```\n# b\n").titles] == ["T"]


def test_lines_in_indented_code_in_html_and_in_comments_are_no_titles() -> None:
    document = read("# T\n\n    # code\n\n<!--\n# comment\n-->\n\n<pre>\n# pre\n</pre>\n")
    assert [title.text for title in document.titles] == ["T"]
    assert [kind for kind, _ in blocks(document)] == ["heading", "code", "other", "other"]


def test_headings_in_quotes_and_lists_are_no_titles_of_the_document() -> None:
    assert titles(read("> # quoted\n\n- # item\n\n# own\n")) == [(1, "own", "# own")]


def test_two_headings_in_a_row_and_inline_markup_are_kept() -> None:
    assert titles(read("# A\n## B\n## [v1](u) notes\ntext")) == [
        (1, "A", "# A"),
        (2, "B", "## B"),
        (2, "[v1](u) notes", "## [v1](u) notes"),
    ]


def test_both_styles_of_headings_are_found_at_their_offsets() -> None:
    document = read("One\n===\n\n   ## Two ##  \nThree\nlines\n---\n#nospace\n####### seven\n")
    assert titles(document) == [
        (1, "One", "One\n==="),
        (2, "Two", "## Two ##"),
        (2, "Three lines", "Three\nlines\n---"),
    ]


def test_a_title_governs_up_to_the_next_of_its_level_or_above_even_when_levels_are_skipped() -> None:
    # R governs all; S ends where In/Out begins, though its level is two below R's
    text = "# R\n### S\n## In/Out tray\nx"
    document = read(text)
    assert [(title.text, title.span.of(text)) for title in document.titles] == [
        ("R", text),
        ("S", "### S\n"),
        ("In/Out tray", "## In/Out tray\nx"),
    ]


def test_an_empty_heading_is_a_block_and_no_title() -> None:
    document = read("#\n\ntext")
    assert document.titles == ()
    assert blocks(document) == [("heading", "#\n\n"), ("paragraph", "text")]


def test_blocks_tile_the_text_and_own_the_blank_lines_behind_them() -> None:
    text = "\n# T\n\npara\ngoes on\n\n- a\n- b\n  - nested\n\n  more b\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n***\n\nend"
    assert blocks(read(text)) == [
        ("heading", "\n# T\n\n"),
        ("paragraph", "para\ngoes on\n\n"),
        ("list_item", "- a\n"),
        ("list_item", "- b\n"),
        ("list_item", "  - nested\n\n"),
        ("paragraph", "  more b\n\n"),
        ("table", "| A | B |\n|---|---|\n| 1 | 2 |\n\n"),
        ("other", "***\n\n"),
        ("paragraph", "end"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_kept(end: str) -> None:
    text = f"# A{end}b{end}{end}## C{end}d"
    document = read(text)
    assert document.text == text
    assert titles(document) == [(1, "A", "# A"), (2, "C", "## C")]
    assert [block for _, block in blocks(document)] == [f"# A{end}", f"b{end}{end}", f"## C{end}", "d"]


def test_tabs_blank_lines_and_code_survive() -> None:
    text = "# T\n\n\n\ta\n\n```\nx = 1\n```\n"
    assert read(text).text == text


def test_front_matter_is_one_block_and_its_comments_are_no_titles() -> None:
    document = read("---\ntitle: x\n# comment\n---\n# T\n")
    assert blocks(document) == [("other", "---\ntitle: x\n# comment\n---\n"), ("heading", "# T\n")]
    assert titles(document) == [(1, "T", "# T")]


@pytest.mark.parametrize(
    "front",
    [
        "---\n# comment\n\ntitle: x\n---\n",  # a comment first
        "---\ntitle: x\n# comment\n...\n",  # YAML may close its document so
        "---\r\n'og:title': x\r\n# comment\r\n---\r\n",
        '+++\ntitle = "x"\n# comment\n+++\n',  # TOML
    ],
)
def test_front_matter_has_several_spellings(front: str) -> None:
    document = read(f"{front}# T\n")
    assert blocks(document) == [("other", front), ("heading", "# T\n")]
    assert titles(document) == [(1, "T", "# T")]


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert [title.text for title in read("---\n# T\n---\n").titles] == ["T"]


def test_a_form_feed_ends_a_page_and_hides_no_heading() -> None:
    document = read("# One\na\n\f# Two\nb")
    assert titles(document) == [(1, "One", "# One"), (1, "Two", "# Two")]
    assert [page.span.of(document.text) for page in document.pages] == ["# One\na\n\f", "# Two\nb"]
    assert [block for _, block in blocks(document)] == ["# One\n", "a\n\f", "# Two\n", "b"]


def test_a_text_of_nothing_but_definitions_is_one_block() -> None:
    assert blocks(read("[a]: http://b\n")) == [("other", "[a]: http://b\n")]


@pytest.mark.parametrize("text", [">" * 20_000, "- " * 20_000, "[" * 20_000, "a" * 100_000, "|" * 20_000, "`" * 20_000])
def test_hostile_texts_are_read_in_time(text: str) -> None:
    assert read(text).text == text
