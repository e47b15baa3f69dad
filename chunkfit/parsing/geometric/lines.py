"""Runs of text gathered into lines."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from chunkfit.parsing.geometric.content import Box, Run, hull
from chunkfit.parsing.geometric.typefaces import Typeface

_WORD_GAP = 0.12  # of the font size: a wider gap separates words (a word space is about 0.25)
_CELL_GAP = 0.9  # of the font size
_BOLD_SHARE = 0.85  # of a line's characters: one regular full stop or footnote mark does not count
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f\u0e00-\u0e7f]")  # written without spaces


@dataclass(frozen=True)
class Line:
    """Runs that share a baseline, from left to right."""

    runs: tuple[Run, ...]

    @cached_property
    def box(self) -> Box:
        return hull(run.box for run in self.runs)

    @cached_property
    def text(self) -> str:
        return join(self.runs)

    @cached_property
    def size(self) -> float:
        """Font size of most of its characters."""
        weights: Counter[float] = Counter()
        for run in self.runs:
            weights[run.size] += len(run.text)
        return max(weights, key=lambda size: (weights[size], size))

    @cached_property
    def bold(self) -> bool:
        return self._share(lambda face: face.bold) >= _BOLD_SHARE

    @cached_property
    def monospaced(self) -> bool:
        return self._share(lambda face: face.monospaced) >= _BOLD_SHARE

    @cached_property
    def rightward(self) -> bool:
        return sum(len(run.text) if run.rightward else -len(run.text) for run in self.runs) >= 0

    def _share(self, trait: Callable[[Typeface], bool]) -> float:
        total = sum(len(run.text.strip()) for run in self.runs)
        return sum(len(run.text.strip()) for run in self.runs if trait(run.face)) / total if total else 0.0


def rows(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs that stand beside each other, row by row from the top, each from left to right.

    A run joins the row whose first member it overlaps by at least half of the lower one's height, so raised and lowered
    marks stay with their line.
    """
    found: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: (run.box.y, run.box.left)):
        # Rows come in order of their centres, so only the last few can still be in reach.
        for row in reversed(found[-3:]):
            first = row[0].box
            lower = min(first.height, run.box.height)
            if first.shared_height(run.box) >= 0.5 * lower and (lower > 0 or abs(first.y - run.box.y) < 1):
                row.append(run)
                break
        else:
            found.append([run])
    for row in found:
        row.sort(key=lambda run: run.box.left)
    return found


def stretches(row: Sequence[Run]) -> list[list[Run]]:
    """The runs of one row in groups, parted where the gap is wide enough for two columns or two table cells."""
    gap = _CELL_GAP * max(run.size for run in row)
    found: list[list[Run]] = []
    right = float("-inf")
    for run in row:
        if run.box.left - right > gap:
            found.append([])
        found[-1].append(run)
        right = max(right, run.box.right)
    return found


def lines(runs: Iterable[Run]) -> list[Line]:
    """One line per row, whatever gaps it has: columns and table cells have been told apart before."""
    return [Line(tuple(row)) for row in rows(runs)]


def join(runs: Sequence[Run]) -> str:
    """The text of runs on one baseline, words apart as they are drawn apart. Lines in right-to-left script
    are read from the right."""
    if sum(len(run.text) if run.rightward else -len(run.text) for run in runs) < 0:
        runs = sorted(runs, key=lambda run: -run.box.right)
    parts: list[str] = []
    for index, run in enumerate(runs):
        if index and _apart(runs[index - 1], run):
            parts.append(" ")
        parts.append(run.text)
    return " ".join("".join(parts).split())


def _apart(before: Run, after: Run) -> bool:
    gap = max(after.box.left - before.box.right, before.box.left - after.box.right)
    if written_without_spaces(before.text[-1:]) and written_without_spaces(after.text[:1]):
        return gap > max(before.size, after.size)
    return gap > _WORD_GAP * max(before.size, after.size)


def written_without_spaces(character: str) -> bool:
    """Whether the character belongs to a script that does not put spaces between words."""
    return bool(_UNSPACED.match(character))
