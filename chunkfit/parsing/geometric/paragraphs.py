"""Lines gathered into paragraphs, headings and list items: by style, spacing, indent and what they say."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from chunkfit.parsing.geometric.content import Box, hull
from chunkfit.parsing.geometric.lines import Line
from chunkfit.parsing.geometric.list_items import Marker, marker_of
from chunkfit.parsing.geometric.survey import Survey, size_class

_SAME_SIZE = 0.07  # relative: fonts of nearly one size are one style
_LOOSE = 1.18  # times the usual distance of baselines: what is farther apart is another paragraph
_LOOSE_CODE = 3.0  # blank lines belong to a listing
_INDENT = 0.7  # of the font size
_CODE_BULLETS = "-*+–—"  # may as well be operators
_INTERLOCKED = 0.25  # of the height: rows that overlap so much are no two lines
_FLUSH = 0.3  # of the font size: a line that ends this close to the edge is filled
_SPACE = 0.35  # of the font size
_RAGGED = 8.0  # of the font size: what a long word may leave free at the end of a line
_SENTENCE_END = re.compile(r"[.!?:;。！？…؟][\"'”’»)\]]*$")


@dataclass(frozen=True)
class Paragraph:
    """Neighbouring lines that belong together."""

    lines: tuple[Line, ...]
    gap: float  # distance of its first baseline from the one above, in usual distances; infinite at the top
    marker: Marker | None = None  # list items
    code: bool = False
    open_start: bool = False  # not set in: could go on from the column before
    open_end: bool = False  # its last line is full: could go on in the next column

    @cached_property
    def box(self) -> Box:
        return hull(line.box for line in self.lines)

    @cached_property
    def size(self) -> float:
        return max(self.lines, key=lambda line: len(line.text)).size

    @cached_property
    def bold(self) -> bool:
        return all(line.bold for line in self.lines)


def paragraphs(lines: Sequence[Line], known: Survey) -> list[Paragraph]:
    """Split the lines of one column, sorted from the top, where a new paragraph begins."""
    splitter = _Splitter(lines, known)
    return [splitter.paragraph(start, end) for start, end in splitter.groups()]


def ends_sentence(text: str) -> bool:
    return bool(_SENTENCE_END.search(text))


class _Splitter:
    """One column's lines with what decides where a paragraph begins."""

    def __init__(self, lines: Sequence[Line], known: Survey) -> None:
        self.lines = lines
        self.known = known
        self.marks = [marker_of(line) for line in lines]
        self.edges = _edges(lines)
        self.counted: dict[str, int | None] = {}  # kind of marker -> last ordinal
        self.items: set[int] = set()  # lines that open a list item

    def groups(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        start = 0
        for index in range(len(self.lines)):
            if index and self._begins(start, index):
                found.append((start, index))
                start = index
            if index == start:
                self._open_item(index)
        if self.lines:
            found.append((start, len(self.lines)))
        return found

    def paragraph(self, start: int, end: int) -> Paragraph:
        gap = self._distance(start) / self.known.leading(self.lines[start - 1].size) if start else float("inf")
        return Paragraph(
            lines=tuple(self.lines[start:end]),
            gap=gap,
            marker=self.marks[start] if start in self.items else None,
            code=all(map(self._is_code, range(start, end))),
            open_start=self._indent(start) < _INDENT * self.lines[start].size,
            open_end=self._may_go_on(end - 1),
        )

    def _open_item(self, index: int) -> None:
        marker = self.marks[index]
        if marker is None:
            return
        if marker.weak and not marker.follows(self.counted.get(marker.kind)):
            return
        if marker.weak and marker.ordinal == 1 and not self._goes_on(index, marker):
            return
        self.items.add(index)
        self.counted[marker.kind] = marker.ordinal

    def _goes_on(self, index: int, marker: Marker) -> bool:
        """Whether a later line has the next marker of the kind."""
        return any(
            other is not None and other.kind == marker.kind and other.ordinal == 2 for other in self.marks[index + 1 :]
        )

    def _begins(self, start: int, index: int) -> bool:
        """Whether a new paragraph begins at the line `index`, the current one having begun at `start`."""
        upper, lower = self.lines[index - 1], self.lines[index]
        if upper.box.bottom - lower.box.top > _INTERLOCKED * min(upper.box.height, lower.box.height):
            return False  # the parts of a formula
        if abs(upper.size - lower.size) > _SAME_SIZE * max(upper.size, lower.size):
            return True
        if self._is_code(index - 1) != self._is_code(index):
            return True
        distance = self._distance(index) / self.known.leading(lower.size)
        if self._is_code(index):
            return distance > _LOOSE_CODE
        if distance > _LOOSE:
            return True
        unfinished = self._is_full(index - 1) and not ends_sentence(upper.text)
        if upper.bold != lower.bold and not (unfinished and lower.text[:1].islower()):
            return True
        if self._next_item(start, index, unfinished):
            return True
        if start in self.items:
            return self._leaves_item(start, index, unfinished)
        if self._is_indented_anew(start, index, unfinished):
            return True
        if index == start + 1 and self._indent(start) > self._indent(index) + _INDENT * lower.size:
            return False  # the first line was set in, this one is not
        return ends_sentence(upper.text) and not self._is_full(index - 1) and not lower.text[:1].islower()

    def _is_code(self, index: int) -> bool:
        """Whether a line is set in type of one width, unlike the body, and is no item of a list of such words."""
        marker = self.marks[index]
        bulleted = marker is not None and marker.kind == "•" and marker.text not in _CODE_BULLETS
        return self.lines[index].monospaced and not self.known.body_monospaced and not bulleted

    def _next_item(self, start: int, index: int, unfinished: bool) -> bool:
        """Whether a list item begins at the line `index`, and not a line of text with a number at its start."""
        marker, first = self.marks[index], self.marks[start] if start in self.items else None
        if marker is None:
            return False
        last = self.counted.get(marker.kind)
        beside = abs(self._indent(index) - self._indent(start)) < 0.3 * self.lines[index].size
        if first is not None and first.kind == marker.kind and beside and (last is None or marker.ordinal == last + 1):
            return True
        return not unfinished and (marker.follows(last) or marker.text_left is not None)

    def _leaves_item(self, start: int, index: int, unfinished: bool) -> bool:
        """Whether a line stands where the item's text does not: left of its marker, or no longer indented."""
        tolerance = _INDENT * self.lines[index].size
        here, marker_at = self._indent(index), self._indent(start)
        if here < marker_at - tolerance:
            return True
        text_at = self._indent(start + 1) if index > start + 1 else None
        if text_at is not None and text_at > marker_at + tolerance / 2:
            return here < text_at - tolerance / 2 and not unfinished
        return not unfinished and not self._is_full(index - 1) and here <= marker_at + tolerance / 2

    def _is_indented_anew(self, start: int, index: int, unfinished: bool) -> bool:
        tolerance = _INDENT * self.lines[index].size
        if self._is_centred(index - 1) and self._is_centred(index):  # full lines count, they are both
            return False
        if unfinished and self.lines[index].text[:1].islower():
            return False
        here, above = self._indent(index), self._indent(index - 1)
        if here > above + tolerance:  # a first line set in; or a hanging indent below an unfinished line
            return not (unfinished and index == start + 1)
        if here < above - tolerance:  # back at the margin: below a first line that was set in, or a new entry
            return index > start + 1
        return False

    def _distance(self, index: int) -> float:
        return self.lines[index].box.bottom - self.lines[index - 1].box.bottom

    def _indent(self, index: int) -> float:
        line = self.lines[index]
        left, right = self.edges[size_class(line.size)]
        return line.box.left - left if line.rightward else right - line.box.right

    def _room(self, index: int) -> float:
        line = self.lines[index]
        left, right = self.edges[size_class(line.size)]
        return right - line.box.right if line.rightward else line.box.left - left

    def _is_full(self, index: int) -> bool:
        """Whether the first word of the next line would not have fitted on this one, its width estimated generously."""
        following = self.lines[index + 1]
        word = len(following.text.split(" ", 1)[0]) / max(1, len(following.text)) * following.box.width
        return self._room(index) < 1.1 * word + _SPACE * following.size

    def _may_go_on(self, index: int) -> bool:
        """Whether a paragraph's last line leaves it open: a sentence goes on, or the line is filled."""
        line = self.lines[index]
        if not ends_sentence(line.text):
            return self._room(index) < _RAGGED * line.size
        # Where a sentence ends too, only a filled line among filled lines tells.
        alike = [i for i, other in enumerate(self.lines) if size_class(other.size) == size_class(line.size)]
        flush = sum(self._room(i) < _FLUSH * line.size for i in alike)
        return self._room(index) < _FLUSH * line.size and flush > max(2, 0.4 * len(alike))

    def _is_centred(self, index: int) -> bool:
        indent, room = self._indent(index), self._room(index)
        return abs(indent - room) < self.lines[index].size


def _edges(lines: Sequence[Line]) -> dict[float, tuple[float, float]]:
    """Left and right edge of the text by font size."""
    found: dict[float, tuple[float, float]] = {}
    for line in lines:
        key = size_class(line.size)
        left, right = found.get(key, (line.box.left, line.box.right))
        found[key] = min(left, line.box.left), max(right, line.box.right)
    return found
