"""Positions where text may be cut without tearing what a reader sees as one character, or a CRLF.

Extended grapheme clusters as Unicode defines them (UAX #29), by `regex`. Everything is local: a question costs as much
as the way to the nearest pair of characters that can never stick together, and no more than the way to `start`.
"""

from functools import lru_cache
from typing import Literal

import numpy as np
import regex
from numpy.typing import NDArray

# \X alone counts the flags behind it again for each pair of a long run of them.
_CLUSTER = regex.compile(r"\p{Regional_Indicator}{2}(?![\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}])|\X")
_CONTROL = regex.compile(r"[\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]")
_PLAIN = regex.compile(r"\p{GCB=Other}")

_Kind = Literal["control", "plain", "sticky"]


@lru_cache(4096)
def _kind(character: str) -> _Kind:
    if _CONTROL.match(character):
        return "control"
    return "plain" if _PLAIN.match(character) else "sticky"


def _surely_apart(before: str, after: str) -> bool:
    """Whether there is a boundary between two characters, whatever stands around them."""
    if before == "\r":
        return after != "\n"
    kinds = {_kind(before), _kind(after)}
    return "control" in kinds or kinds == {"plain"}


def floor(text: str, position: int, start: int = 0) -> int:
    """The last boundary at or before `position`, given that `start` is one."""
    if position >= len(text):
        return len(text)
    known = position
    while known > start and not _surely_apart(text[known - 1], text[known]):
        known -= 1
    while known < position:
        after = _CLUSTER.match(text, known).end()
        if after > position:
            break
        known = after
    return known


def ceiling(text: str, position: int, start: int = 0) -> int:
    """The first boundary at or behind `position`, given that `start` is one."""
    below = floor(text, position, start)
    return below if below == position else _CLUSTER.match(text, below).end()


def boundaries(text: str, start: int, end: int) -> NDArray[np.int64]:
    """Every boundary in `[start, end]`, given that both are."""
    stretch = text[start:end]
    if stretch.isascii() and "\r" not in stretch:
        return np.arange(start, end + 1, dtype=np.int64)
    ends = (match.end() for match in _CLUSTER.finditer(text, start, end))
    return np.fromiter((start, *ends), np.int64)
