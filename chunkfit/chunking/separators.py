"""Where text may be cut: the paper's separators, from headings down to single blanks.

Each runs in linear time, whatever the text, and begins with a plain character where it can: then the search for it is
ten times as fast. A cut may tear a CRLF; whoever cuts sees to that as to any other grapheme.
"""

import re
from collections.abc import Callable, Iterator

Separator = Callable[[str, int, int], Iterator[int]]
"""`separator(text, start, end)`: where it would cut `text[start:end]`, in order. It opens the piece behind the cut."""


def before(pattern: str) -> Separator:
    """Cuts before each match of a regular expression."""
    find = re.compile(pattern).finditer

    def cuts(text: str, start: int, end: int) -> Iterator[int]:
        return (match.start() for match in find(text, start, end))

    return cuts


def before_heading(level: int) -> Separator:
    """Cuts before each Markdown heading of one level, which opens a line."""
    find = re.compile(rf"\n{'#' * level}(?=\s)").finditer

    def cuts(text: str, start: int, end: int) -> Iterator[int]:
        return (match.start() + 1 for match in find(text, start, end))

    return cuts


def before_item(marker: str) -> Separator:
    """Cuts before each line that opens with a marker and a blank; the blank lines before it go with it.

    The obvious `(?<=\\n)\\s*marker\\s+` starts anew at each of a thousand blank lines, and reads all the others.
    """
    find = re.compile(rf"\n[^\S\n]*+{marker}(?=\s)").finditer

    def cuts(text: str, start: int, end: int) -> Iterator[int]:
        for match in find(text, start, end):
            blank = match.start()
            while blank > start and text[blank - 1].isspace():
                blank -= 1
            yield text.index("\n", blank) + 1

    return cuts


PAPER: tuple[Separator, ...] = (
    *(before_heading(level) for level in range(1, 7)),
    before_item(r"\(?[A-Za-z0-9]{1,4}[.)]"),
    before_item(r"[-*·•●▪◦‣▸▹○◯‒–—]"),
    before(r"\n(?:\r?\n)+"),
    before(r"\n"),
    before(r"[.!?]\s+"),
    before(r",\s+"),
    before(r"\s+"),
)
"""Those of the paper, in its order."""
