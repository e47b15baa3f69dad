"""Words as the PDF draws them, gathered into runs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chunkfit.parsing.geometric.content import Box, Run, hull
from chunkfit.parsing.geometric.pdfium_fonts import FontMap
from chunkfit.parsing.geometric.turning import Turn, as_drawn, upright
from chunkfit.parsing.geometric.typefaces import typeface

_MAX_GAP = 0.6  # of the height: a wider one may part two columns or two cells
_WORD_GAP = 0.12  # of the height: a wider one parts two words, which is about half a word space
_SAME_BASELINE = 0.2  # of the height
_SMALLEST = 0.5  # points: text of no size takes part as if it had some


@dataclass(frozen=True, slots=True)
class Word:
    """Text without a gap, in one font."""

    text: str
    box: Box
    font: str
    height: float  # of the font at its size: ascent and descent together
    turn: Turn = 0
    rightward: bool = True  # False: written from right to left


def runs_of(words: Iterable[Word], fonts: FontMap, width: float, height: float) -> list[Run]:
    """Join words that follow each other closely on one baseline, in drawing order; upright ones first.

    `width` and `height` are the page's.
    """
    by_turn: dict[Turn, list[Word]] = defaultdict(list)
    for word in words:
        by_turn[word.turn].append(replace(word, box=upright(word.box, word.turn, width, height)))
    found: list[Run] = []
    for turn, turned in sorted(by_turn.items()):
        groups: list[list[Word]] = []
        for word in turned:
            if groups and _follows(groups[-1], word):
                groups[-1].append(word)
            else:
                groups.append([word])
        for run in (_run(group, fonts) for group in groups):
            found.append(replace(run, box=as_drawn(run.box, turn, width, height)) if turn else run)
    return found


def _follows(group: Sequence[Word], word: Word) -> bool:
    last = group[-1]
    if (last.font, last.rightward) != (word.font, word.rightward):
        return False
    reach = _MAX_GAP * max(last.height, word.height)
    if abs(last.box.bottom - word.box.bottom) > _SAME_BASELINE * max(last.height, word.height):
        return False
    gap = word.box.left - last.box.right
    if not word.rightward:  # drawn from either end
        gap = max(gap, last.box.left - word.box.right)
    return -reach / 2 <= gap <= reach


def _run(group: Sequence[Word], fonts: FontMap) -> Run:
    box = hull(word.box for word in group)
    first = group[0]
    known = fonts.under(box, first.turn)
    # Without the font at hand its name must do, and its height, which is about one font size.
    face, size = known or (typeface(first.font), round(max(word.height for word in group), 1))
    return Run(_text(group), box, max(size, _SMALLEST), face, first.turn, first.rightward)


def _text(group: Sequence[Word]) -> str:
    ordered = sorted(group, key=lambda word: word.box.left if word.rightward else -word.box.right)
    text = ordered[0].text
    for last, word in pairwise(ordered):
        gap = max(word.box.left - last.box.right, last.box.left - word.box.right)
        text += f" {word.text}" if gap > _WORD_GAP * word.height else word.text
    return text
