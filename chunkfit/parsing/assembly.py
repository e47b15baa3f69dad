"""Pieces in reading order become one text; pages, blocks and titles are noted while it grows, never searched for."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chunkfit.model import Block, BlockKind, Document, Page, Span
from chunkfit.parsing.headings import Heading, titles


@dataclass(frozen=True, slots=True)
class Piece:
    """One block of a document to be: what a parser saw as a unit, as Markdown.

    `text` is final: it stands in the document as it is. A heading has its `level` and its words without markup.
    `page_breaks` tells where in `text` further pages begin: a paragraph may run over the page's end.
    """

    kind: BlockKind
    text: str
    page: int = 1
    level: int = 0
    words: str = ""
    page_breaks: tuple[tuple[int, int], ...] = ()  # (offset in text, page number), both rising
    tight: bool = False  # one line end instead of a blank line towards the piece before: items of one list


def heading(words: str, level: int, page: int = 1) -> Piece:
    """A heading as Markdown, which has six levels; deeper ones keep their number and share the mark of the sixth."""
    words = " ".join(words.split())
    return Piece("heading", f"{'#' * min(level, 6)} {words}", page, level, words)


def prose(kind: BlockKind, text: str, page: int = 1) -> Piece:
    """Running text; lines that Markdown would take for a heading or a code fence are escaped."""
    return Piece(kind, escape_lines(text), page)


def escape_lines(text: str) -> str:
    return _MARKUP_AT_LINE_START.sub(r"\1\\", text)


def code(text: str, language: str = "", page: int = 1) -> Piece:
    """A fenced block, its fence longer than any inside."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return Piece("code", f"{fence}{language}\n{text}\n{fence}", page)


def clean(text: str) -> str:
    """Text from a file's innards: line ends as `\\n`, without control characters, halves of letters replaced."""
    text = _LINE_END.sub("\n", text)
    return _HALF_LETTER.sub("�", _CONTROL.sub("", text)).strip("\n")


def assemble(name: str, pieces: Iterable[Piece], page_numbers: Sequence[int] = (1,)) -> Document:
    """The document of these pieces, blank lines between them.

    `page_numbers` are all pages there are, rising: those without a piece are empty and keep their numbers. Pieces are
    put in the order of their pages, and stay in the given order within one: text and pages cannot run criss-cross.
    Each block owns the blank line behind it. Pieces without text are left out. Without pieces the text is empty.
    """
    with_text = [piece for piece in pieces if piece.text.strip()]
    # What runs over the end of its page comes last on it, behind the footnotes that a parser gives after it.
    ordered = sorted(with_text, key=lambda piece: (piece.page, bool(piece.page_breaks)))
    parts: list[str] = []
    starts: list[int] = []
    headings: list[Heading] = []
    page_starts: dict[int, int] = {}
    length = 0
    for position, piece in enumerate(ordered):
        if position:
            parts.append("\n" if piece.tight else "\n\n")
            length += len(parts[-1])
        starts.append(length)
        for offset, page in ((0, piece.page), *piece.page_breaks):
            page_starts.setdefault(page, length + offset)
        if piece.kind == "heading":
            headings.append(Heading(piece.words, piece.level, Span(length, length + len(piece.text))))
        parts.append(piece.text)
        length += len(piece.text)
    ends = [*starts, length][1:]
    blocks = tuple(Block(piece.kind, Span(start, end)) for piece, start, end in zip(ordered, starts, ends, strict=True))
    return Document(name, "".join(parts), _pages(page_numbers, page_starts, length), blocks, titles(headings, length))


def _pages(numbers: Sequence[int], starts: dict[int, int], length: int) -> tuple[Page, ...]:
    """Pages that tile the text; one without a start of its own is empty where the next begins."""
    pages: list[Page] = []
    end = length
    for number in sorted({*numbers, *starts}, reverse=True):
        start = min(starts.get(number, end), end)
        pages.append(Page(number, Span(start, end)))
        end = start
    return tuple(reversed(pages))


_MARKUP_AT_LINE_START = re.compile(r"^([ \t]{0,3})(?=#{1,6}(?:[ \t]|$)|```|~~~)", re.MULTILINE)
_LINE_END = re.compile(r"\r\n|[\r\v\f]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_HALF_LETTER = re.compile(r"[\ud800-\udfff]")
