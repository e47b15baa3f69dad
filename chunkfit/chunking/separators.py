"""Where text may be cut: the paper's separators, from headings down to single blanks. Each runs in linear time."""

import re
from collections.abc import Callable, Iterator

Separator = Callable[[str, int, int], Iterator[int]]
"""`separator(text, start, end)`: where it would cut `text[start:end]`, in order. It opens the piece behind the cut."""


def matching(pattern: str) -> Separator:
    """Cuts before each match of a regular expression, which sees nothing behind `end`."""
    find = re.compile(pattern).finditer

    def cuts(text: str, start: int, end: int) -> Iterator[int]:
        return (match.start() for match in find(text, start, end))

    return cuts


def lines_opening_with(marker: str) -> Separator:
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


_LINE_END = r"(?>\r\n|\r|\n)"

PAPER: tuple[Separator, ...] = (
    *(matching(rf"(?<=\n){'#' * level}\s") for level in range(1, 7)),
    lines_opening_with(r"\(?[A-Za-z0-9]{1,4}[.)]"),
    lines_opening_with(r"[-*·•●▪◦‣▸▹○◯‒–—]"),
    matching(rf"{_LINE_END}{{2,}}"),
    matching(_LINE_END),
    matching(r"[.!?]\s+"),
    matching(r",\s+"),
    matching(r"\s+"),
)
"""Those of the paper, in its order. CRLF counts as one line end."""
