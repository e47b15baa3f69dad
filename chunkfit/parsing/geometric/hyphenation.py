"""Lines joined into running text, words that were divided at a line end made whole."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from chunkfit.parsing.geometric.lines import written_without_spaces

_DIVIDED = re.compile(r"(\w+)[-\u2010\u00ad]$")
_COMPOUND = re.compile(r"\w+(?:-\w+)+")
_SOFT_HYPHEN = "\u00ad"


def compounds(texts: Iterable[str]) -> frozenset[str]:
    """Words that a document writes with a hyphen in mid-line, in lower case: `well-known`, and `state-of` and
    `of-the` out of `state-of-the-art`."""
    found: set[str] = set()
    for text in texts:
        if "-" in text:
            for word in _COMPOUND.findall(text):
                parts = word.lower().split("-")
                found.update(f"{left}-{right}" for left, right in pairwise(parts))
    return frozenset(found)


def running_text(lines: Sequence[str], known_compounds: frozenset[str] = frozenset()) -> str:
    """Join lines with spaces. A hyphen at a line end goes where it divides a word and stays where it belongs to one.

    It belongs to the word where the document writes the same compound in mid-line, and before a capital or a digit
    (`GPT-` / `4`). Scripts without spaces between words get none.
    """
    text = ""
    for line in lines:
        if not text:
            text = line
            continue
        divided = _DIVIDED.search(text)
        follower = re.match(r"\w+", line)
        if divided and follower:
            compound = f"{divided[1]}-{follower[0]}".lower()
            soft = text.endswith(_SOFT_HYPHEN)
            kept = not soft and (compound in known_compounds or not line[0].islower())
            text = text + line if kept else text[:-1] + line
        elif written_without_spaces(text[-1]) and written_without_spaces(line[0]):
            text += line
        else:
            text += f" {line}"
    return text
