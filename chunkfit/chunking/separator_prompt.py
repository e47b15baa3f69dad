"""What `zchunk` puts before a text so that a language model expects separators in it, and which ones."""

import re
from collections.abc import Iterable

from chunkfit.errors import MethodFailed

CANDIDATES = tuple("段§¶※·†‡◆■●★▲►◊☆○□△▼♦♣♠♥♪♯√∞≈≠¤¦¬µ節章文")
"""Marks that many vocabularies hold as one token and few texts hold at all, the best first."""

_BIG, _SMALL = "{big}", "{small}"

# Base models go on with a copy as instructed ones do. The text stands only behind "Copy": it is read once.
_PROMPT = f"""\
A text is copied here word for word. The copy adds nothing but two marks: {_BIG} where a new section begins, because \
the subject changes, and {_SMALL} where a smaller part begins within a section, such as the next paragraph, step or \
argument. No mark stands inside a sentence.

Example
Copper pans heat evenly. They react with sour food, so most are lined with tin.
{_SMALL}A worn lining can be replaced. A smith melts the old tin off and wipes on new.
{_BIG}Night trains returned to the coast line in May. Two leave each evening.
{_SMALL}Tickets go on sale a month ahead. Beds sell out first.

Copy
"""


def absent_separators(single_tokens: Iterable[str], text: str) -> tuple[str, str]:
    """The first two distinct strings, each one token of the model, that do not occur in the text.

    Raises MethodFailed where there are none.
    """
    absent = []
    for token in single_tokens:
        if token not in text and token not in absent:
            absent.append(token)
        if len(absent) == 2:
            return absent[0], absent[1]
    raise MethodFailed("every separator that the language model has as one token occurs in this text already")


def prompt(big: str, small: str) -> tuple[str, ...]:
    """Instructions and an example, in parts: each separator is a part of its own."""
    marks = {_BIG: big, _SMALL: small}
    return tuple(marks.get(part, part) for part in re.split(f"({_BIG}|{_SMALL})", _PROMPT))
