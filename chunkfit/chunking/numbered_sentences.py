"""The sentences of a document as numbered lines of a prompt, in windows that a chat model can keep in view."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.spans import offsets
from chunkfit.tokens import TokenIndex

LONGEST_SHOWN = 120  # tokens of a sentence; what is longer loses its middle in the prompt
HEAD, TAIL = 80, 40
LABEL = 8  # tokens at most of "[12345] ", the mark of what was left out, and the line end

_BLANKS = re.compile(r"\s+")
_LINE_ENDS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SHOWN_LINE_END = r" \n "


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence as it is shown, and about how many tokens that takes."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences by their indices: those before `first` are known already, those from it to `end` are new."""

    shown_from: int
    first: int
    end: int


def lines(evidence: Evidence) -> tuple[Line, ...]:
    """A line per sentence, `[1] Tea is hot.` for the first: runs of blanks are one blank, line ends become `\\n`."""
    tokens, sentences = evidence.tokens, evidence.sentences
    sizes = tokens.counts(*offsets(sentences)).tolist()
    found = []
    for number, (sentence, size) in enumerate(zip(sentences, sizes, strict=True), start=1):
        if size <= LONGEST_SHOWN:
            shown = _on_one_line(sentence.of(tokens.text))
        else:
            shown = " [...] ".join(_on_one_line(end) for end in _ends(tokens, sentence.start, sentence.end))
        size = min(size, LONGEST_SHOWN) + LABEL + 2 * shown.count(_SHOWN_LINE_END)
        found.append(Line(f"[{number}] {shown}", size))
    return tuple(found)


def windows(lines: Sequence[Line], max_tokens: int) -> tuple[Window, ...]:
    """Windows whose new sentences tile the document: three quarters of the tokens are for them, one for known ones.

    Each has as many sentences as fit, one at least.
    """
    before = np.concatenate([[0], np.cumsum([line.tokens for line in lines])])
    max_tokens = min(max_tokens, 4 * int(before[-1]) + 4)  # a larger window shows no more
    found = []
    first = 0
    while first < len(lines):
        end = int(np.searchsorted(before, before[first] + max_tokens * 3 // 4, "right")) - 1
        shown_from = int(np.searchsorted(before, before[first] - max_tokens // 4, "left"))
        found.append(Window(shown_from, first, max(end, first + 1)))
        first = found[-1].end
    return tuple(found)


def _ends(tokens: TokenIndex, start: int, end: int) -> tuple[str, str]:
    """How a stretch begins and how it ends, in HEAD and in at most TAIL tokens."""
    head = tokens.longest(start, HEAD, end)
    tail = max(head, end - 4 * TAIL)  # an ordinary token has four code points
    while tokens.count(tail, end) > TAIL:
        tail += (end - tail + 1) // 2
    return tokens.text[start:head], tokens.text[tail:end]


def _on_one_line(text: str) -> str:
    return _BLANKS.sub(lambda run: _SHOWN_LINE_END if _LINE_ENDS.search(run[0]) else " ", text.strip())
