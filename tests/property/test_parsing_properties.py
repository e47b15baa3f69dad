"""Whatever a text holds, its parsers keep it, and structure never leaves it."""

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkfit.errors import BadDocument
from chunkfit.model import Document, Span
from chunkfit.parsing import to_parsed_json
from chunkfit.parsing.assembly import Piece, assemble, heading, prose
from chunkfit.parsing.headings import Heading, titles
from chunkfit.parsing.markdown import markdown
from chunkfit.parsing.parsed_json import parsed_json
from chunkfit.parsing.tables import markdown_table
from chunkfit.parsing.text import text

LIMIT = 1_000_000
FRAGMENTS = st.sampled_from(
    [
        *(
            "# ",
            "## ",
            "###### ",
            "#",
            "===",
            "---",
            "- ",
            "* ",
            "1. ",
            "> ",
            "    ",
            "\t",
            "```",
            "~~~",
            "````",
            "|",
            "|-|",
        ),
        *(
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "\f",
            "\u2028",
            "\x85",
            "\x0b",
            " ",
            "a",
            "word",
            "two words",
            "|a|b|\n|-|-|\n|1|2|\n",
        ),
        *(
            "<!--",
            "-->",
            "<pre>",
            "</pre>",
            "<div>",
            "[x]: y",
            "\\",
            "é",
            "e\u0301",
            "👨‍👩‍👧",
            "שלום",
            "漢字",
            "<|endoftext|>",
            "İ",
        ),
    ]
)
HOSTILE = st.one_of(st.lists(FRAGMENTS, max_size=40).map("".join), st.text(max_size=200))


def check(document: Document, content: str) -> None:
    assert document.text == content
    assert "".join(block.span.of(content) for block in document.blocks) == content
    assert "".join(page.span.of(content) for page in document.pages) == content
    assert all(block.span for block in document.blocks)
    starts = [title.heading.start for title in document.titles]
    assert starts == sorted(set(starts))
    for title in document.titles:
        assert title.text and title.text in " ".join(title.heading.of(content).split())
        assert not title.heading.of(content)[:1].isspace()


@settings(max_examples=300, deadline=None)
@given(HOSTILE)
def test_markdown_and_text_are_kept_or_refused_for_a_reason(content: str) -> None:
    content = content.removeprefix("\ufeff")
    for parser in (markdown, text):
        try:
            document = parser(content.encode("utf-8", "surrogatepass"), "x", LIMIT)
        except BadDocument as refusal:
            assert not content.strip() or "\x00" in content or any("\ud800" <= c <= "\udfff" for c in content), refusal
            continue
        check(document, content)
        assert parser(content.encode(), "x", LIMIT) == document


@settings(max_examples=200, deadline=None)
@given(HOSTILE)
def test_lines_inside_a_fence_are_never_titles(content: str) -> None:
    fenced = "# T\n\n``````text\n" + content.replace("`", "'") + "\n``````\n"
    if "\x00" not in fenced:
        assert [title.text for title in markdown(fenced.encode("utf-8", "replace"), "x", LIMIT).titles] == ["T"]


@settings(max_examples=200, deadline=None)
@example("# # \u2028")
@given(HOSTILE)
def test_the_published_format_brings_a_document_back(content: str) -> None:
    try:
        document = markdown(content.encode("utf-8", "surrogatepass"), "x", LIMIT)
    except BadDocument:
        return
    written = to_parsed_json(document)
    back = parsed_json(written.encode(), "x", LIMIT)
    assert back.text == document.text
    assert back.pages == document.pages
    if len(document.blocks) > 1:
        assert [block.span for block in back.blocks] == [block.span for block in document.blocks]
    assert [(t.level, t.heading, t.span) for t in back.titles] == [
        (t.level, t.heading, t.span) for t in document.titles
    ]
    assert json.loads(to_parsed_json(back)) == json.loads(written)


PIECES = st.lists(
    st.one_of(
        st.builds(heading, st.text(max_size=8), st.integers(1, 8), st.integers(1, 4)),
        st.builds(prose, st.just("paragraph"), HOSTILE, st.integers(1, 4)),
        st.builds(Piece, st.just("list_item"), st.text(max_size=9), st.integers(1, 4), tight=st.booleans()),
    ),
    max_size=12,
)


@settings(max_examples=300, deadline=None)
@given(PIECES)
def test_every_piece_stands_in_the_text_once_in_the_order_of_pages(pieces: list[Piece]) -> None:
    document = assemble("x", pieces, (1, 2, 3, 4))
    ordered = sorted((piece for piece in pieces if piece.text.strip()), key=lambda piece: piece.page)
    assert len(document.blocks) == len(ordered)
    for piece, block in zip(ordered, document.blocks, strict=True):
        stands = block.span.of(document.text)
        assert stands.startswith(piece.text) and not stands[len(piece.text) :].strip("\n")
        page = next(page for page in document.pages if page.number == piece.page)
        assert page.span.contains(block.span)
    assert [page.number for page in document.pages] == [1, 2, 3, 4]


@given(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 5)), max_size=20))
def test_governed_spans_are_nested_or_apart(steps: list[tuple[int, int]]) -> None:
    position, headings = 0, []
    for level, gap in steps:
        headings.append(Heading("t", level, Span(position, position + 1)))
        position += gap
    found = titles(headings, position + 1)
    for index, title in enumerate(found):
        # by the definition itself, in quadratic time
        later = [other.heading.start for other in found[index + 1 :] if other.level <= title.level]
        assert title.span.end == min(later, default=position + 1)


@given(st.lists(st.lists(st.text(max_size=6), min_size=1, max_size=4), min_size=1, max_size=4))
def test_a_table_has_a_line_per_row_and_equally_many_cells_in_each(rows: list[list[str]]) -> None:
    lines = markdown_table(rows).split("\n")
    assert len(lines) == len(rows) + 1
    bare = {line.replace("\\|", "").count("|") for line in lines}
    assert bare == {max(map(len, rows)) + 1}
