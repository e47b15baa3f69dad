"""Where a line break ends what stands before it, and where it only wraps a long sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_END = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
LINE_BREAK = r"(?>\r\n|[\n\r\v\x1c-\x1e\x85\u2028\u2029])"  # what str.splitlines knows, but for the form feed
_BREAKS = re.compile(rf"(?:{LINE_BREAK}|\f)\s*")
_BLANK_LINE = re.compile(rf"{LINE_BREAK}[^\S\n\r\v\x1c-\x1e\x85\u2028\u2029]*{LINE_BREAK}|\u2029")

# A line that starts like this starts something new.
_ITEM = re.compile(
    r"(?:[-*+•●▪◦‣▸▹○◯·–—]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlIVXL]{1,5})[.)]|\(\w{1,4}\)|\d{1,3}(?:\.\d{1,3})+)\s"
    r"|#{1,6}\s|[|>]|</?[A-Za-z!]|<!--|```|~~~|[-=_*]{3,}\s*$"
)
# A line that starts like this, or a rule, is complete in itself.
_STANDS_ALONE = re.compile(r"#{1,6}\s|\||</?[A-Za-z!][^>]{0,80}>\s*$|<!--|```|~~~|[-=_*]{3,}\s*$")

# A heading or a table row, which stops inside it do not cut.
_WHOLE = re.compile(rf"(?:\A|(?<=[{_END}]))[ \t]*+(?:#{{1,6}}[ \t][^{_END}]*|\|[^{_END}]*\|[ \t]*(?=[{_END}]|\Z))")

NARROWEST_WRAP = 40
"""Columns; nobody wraps prose narrower, so shorter lines end where their author ended them."""

WIDEST_WRAP = 200
"""Columns; longer lines are paragraphs written without wrapping."""

FULL = 0.8
"""Share of the width that a wrapped line fills: proportional fonts and unbroken words leave some room."""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int  # behind its indentation
    end: int  # before its break
    next: int  # start of the next line
    paragraph_ends: bool


def line_boundaries(text: str) -> Iterator[int]:
    """Offsets at which a new line or paragraph starts something new, in order; linear in the text.

    A blank line always does. A single break does where the line had room for the next one's first word (its author
    ended it on purpose), or where either line is a heading, list item, table row, quote, fence or tag.
    """
    paragraph: list[_Line] = []
    for line in _lines(text):
        paragraph.append(line)
        if line.paragraph_ends:
            yield from _breaks_on_purpose(text, paragraph)
            yield line.next
            paragraph.clear()
    yield from _breaks_on_purpose(text, paragraph)


def paragraph_starts(text: str) -> Iterator[int]:
    """Offsets of what stands behind a blank line, in order; all of them are line boundaries. Linear in the text."""
    return (line.next for line in _lines(text) if line.paragraph_ends)


def whole_lines(text: str) -> Iterator[tuple[int, int]]:
    """Where headings and table rows start and end, their line breaks left out; linear in the text."""
    return (match.span() for match in _WHOLE.finditer(text))


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for match in _BREAKS.finditer(text):
        if match.end() == len(text):
            break
        yield _Line(start, match.start(), match.end(), _BLANK_LINE.search(text, *match.span()) is not None)
        start = match.end()
    yield _Line(start, len(text), len(text), paragraph_ends=False)


def _breaks_on_purpose(text: str, paragraph: list[_Line]) -> Iterator[int]:
    alone = [_STANDS_ALONE.match(text, line.start, line.end) is not None for line in paragraph]
    lengths = [line.end - line.start for line in paragraph]
    wrapped = (length for length, single in zip(lengths, alone, strict=True) if not single)
    room = FULL * max(NARROWEST_WRAP, *wrapped, 0)
    for index, line in enumerate(paragraph[:-1]):
        following = paragraph[index + 1]
        if (
            alone[index]
            or alone[index + 1]
            or lengths[index] > WIDEST_WRAP
            or _ITEM.match(text, following.start, following.end)
            or (lengths[index] + 1 + _first_word(text, following) <= room and not text[following.start].islower())
        ):
            yield line.next


def _first_word(text: str, line: _Line) -> int:
    """Columns that the line's first word takes; an ideograph is a word of its own."""
    word = text[line.start : min(line.end, line.start + 30)].partition(" ")[0]
    ideograph = next((index for index, character in enumerate(word) if character >= "\u2e80"), len(word))
    return max(1, ideograph)
