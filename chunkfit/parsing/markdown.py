"""Markdown: the text unchanged, with its blocks and headings where CommonMark sees them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkfit.model import Block, BlockKind, Document, Span
from chunkfit.parsing.decoding import decode, require_text
from chunkfit.parsing.headings import Heading, titles
from chunkfit.parsing.pages import pages_by_form_feed

if TYPE_CHECKING:
    from markdown_it.token import Token

_KINDS: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "html_block": "other",
    "hr": "other",
    "list_item_open": "list_item",
}
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_BLANKS = " \t\r\n\f"  # those of CommonMark, and the form feeds that count as such here
_KEY = r"""(?:[ \t]*(?:\#.*)?\n)*(?:"[^"\n]+"|'[^'\n]+'|[\w.-]+)[ \t]*"""  # comments may come first
_FRONT_MATTER = re.compile(
    rf"\A(?:---[ \t]*\n(?={_KEY}:)(?:.*\n)*?(?:---|\.\.\.)|\+\+\+[ \t]*\n(?={_KEY}=)(?:.*\n)*?\+\+\+)[ \t]*(?:\n|\Z)"
)
_PAGE_END = re.compile(r"[ \t\f]*\f")


def markdown(data: bytes, name: str, max_bytes: int) -> Document:
    """The file's text unchanged, its byte-order mark apart. Raises BadDocument: see `decode`.

    Blocks are headings, paragraphs, list items (what is nested in them on its own), tables, code and HTML; pages end at
    form feeds. Lines in code and HTML are no headings, those in quotes and lists structure only these; a front
    matter in YAML or TOML is one block.
    """
    content = decode(data)
    require_text(content)
    parts = tuple(_parts(content)) or (_Part("other", 0),)  # nothing but link definitions
    headings = [part.heading for part in parts if part.heading is not None]
    return Document(
        name, content, pages_by_form_feed(content), _blocks(parts, len(content)), titles(headings, len(content))
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """Where a block begins."""

    kind: BlockKind
    start: int
    heading: Heading | None = None


def _blocks(parts: Sequence[_Part], length: int) -> tuple[Block, ...]:
    starts = [0, *(part.start for part in parts[1:]), length]
    return tuple(Block(part.kind, Span(start, end)) for part, (start, end) in zip(parts, pairwise(starts), strict=True))


def _parts(content: str) -> Iterator[_Part]:
    from markdown_it import MarkdownIt

    normalised = _LINE_ENDS.sub("\n", content)
    line_starts = [0, *(match.end() for match in _LINE_ENDS.finditer(content)), len(content)]
    front = _FRONT_MATTER.match(normalised)
    if front:
        yield _Part("other", 0)
        normalised = "\n" * front.group().count("\n") + normalised[front.end() :]

    # Only the block structure is wanted: without the inline rule the cost stays linear in the text. Form feeds, which
    # are letters to CommonMark, become blanks.
    tokens = MarkdownIt("commonmark").enable("table").disable("inline").parse(normalised.replace("\f", " "))
    last_line = -1
    for index, token in enumerate(tokens):
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None or token.map[0] <= last_line:
            continue  # no block, or inside one that begins on the same line, as a paragraph in its list item
        last_line, end_line = token.map
        start = line_starts[last_line]
        if page_end := _PAGE_END.match(content, start):
            start = page_end.end()
        title = tokens[index + 1].content if kind == "heading" and token.level == 0 else ""
        yield _Part(kind, start, _heading(content, title, token, start, line_starts[end_line]))


def _heading(content: str, title: str, token: "Token", start: int, end: int) -> Heading | None:
    words = " ".join(title.split())
    if not words:
        return None
    raw = content[start:end]
    # What CommonMark takes for a letter stays: in "# # ?" with another blank for the ?, the second # is the title.
    return Heading(words, int(token.tag[1:]), Span(end - len(raw.lstrip()), start + len(raw.rstrip(_BLANKS))))
