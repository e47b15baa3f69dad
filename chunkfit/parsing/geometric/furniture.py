"""Running headers, footers and page numbers: lines at the edge of the page that come back on other pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chunkfit.parsing.geometric.content import PageContent, Run
from chunkfit.parsing.geometric.lines import Line, rows

Edge = Literal["top", "bottom"]
_Place = tuple[int, Edge, int]  # page, edge, how many rows from it
_Look = tuple[Edge, str, int]  # edge, text without its numbers, height

_ROWS_PER_EDGE = 4
_MARGIN = 0.15  # of the page height: furniture stands this close to the edge
_OUTER_MARGIN = 0.06  # text much larger than the body is furniture only this close to it
_LARGE = 1.15  # times the body size
_SMALL = 0.95
_FAR = 2.0  # times the body size
_SAME_PLACE = 4.0  # points: how far furniture may move from page to page
_GAP = 0.8  # of the body size: what at least separates furniture from the text
_LEFT_AT_LEAST = 0.3  # share of the characters; where less would be left, the repetition is the text itself
_NUMBER = re.compile(r"\d+")
_PLAIN_NUMBER = re.compile(r"^[0-9]{1,4}$")
_NUMBERED_PAGES = 0.4  # share of the pages whose edge row must count, whatever else it says
_ROMAN = re.compile(r"^(?=[ivxl])(xl|l?x{0,3})(ix|iv|v?i{0,3})$", re.I)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}
_PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:(?:page|p\.|pg\.?|seite|página|pagina|sida|side|стр\.?)\s*)?(\d{1,4})(?:\s*(?:/|of|von|de|di|av|из)\s*\d{1,4})?[\W_]*$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Furniture:
    """Indices into a page's runs, one tuple per line, from the top."""

    headers: tuple[tuple[int, ...], ...] = ()
    footers: tuple[tuple[int, ...], ...] = ()

    @property
    def runs(self) -> frozenset[int]:
        return frozenset(index for line in self.headers + self.footers for index in line)


@dataclass(frozen=True, slots=True)
class _EdgeRow:
    """One of the outermost rows of a page."""

    page: int
    edge: Edge
    depth: int  # rows between it and the edge
    y: float
    text: str
    size: float
    indices: tuple[int, ...]
    room: float  # distance to the next row inwards; infinite where there is none
    outer: bool  # in the outermost part of the margin

    @property
    def place(self) -> _Place:
        return self.page, self.edge, self.depth

    @property
    def height_class(self) -> int:
        return round(self.y / _SAME_PLACE)

    @property
    def pattern(self) -> str:
        """The text without its numbers."""
        return "#" if _ROMAN.match(self.text) else _NUMBER.sub("#", self.text)

    @property
    def look(self) -> _Look:
        """Equal for rows that are the same line of furniture on different pages."""
        return self.edge, self.pattern, self.height_class

    @property
    def counts(self) -> list[tuple[int, int]]:
        """How far each number in the text is ahead of the page: equal for rows that count with the pages."""
        if _ROMAN.match(self.text):
            return [(0, _roman(self.text) - self.page)]
        numbers = _NUMBER.findall(self.text)
        return [(position, int(number) - self.page) for position, number in enumerate(numbers) if len(number) <= 6]

    @property
    def outer_counts(self) -> set[int]:
        """The same for a number that begins or ends the text, as a page number beside a chapter's title does."""
        tokens = self.text.split()
        return {int(token) - self.page for token in (tokens[0], tokens[-1]) if _PLAIN_NUMBER.match(token)}


def find_furniture(pages: Sequence[PageContent], body_size: float) -> dict[int, Furniture]:
    """Furniture by page number, for the pages that have any.

    A line is furniture when the same words stand in the same place of the margin on another page (on three pages of a
    longer document), where counting numbers are taken as equal if they count with the pages; or when it is nothing but
    the page's own number. Everything between it and the edge must be furniture too, and a gap must part it from the
    text, on this page or on another one that has the same line there.
    """
    edge_rows = [row for page in pages for row in _edge_rows(page)]
    repeated = _repeated(edge_rows, len(pages), body_size)
    apart = {row.look for row in edge_rows if row.place in repeated and row.room >= _GAP * body_size}
    found: dict[int, Furniture] = {}
    by_page: dict[int, list[_EdgeRow]] = defaultdict(list)
    for row in edge_rows:
        by_page[row.page].append(row)
    for page in pages:
        headers = _from_the_edge([row for row in by_page[page.number] if row.edge == "top"], repeated, apart)
        footers = _from_the_edge([row for row in by_page[page.number] if row.edge == "bottom"], repeated, apart)
        taken = {index for row in headers for index in row.indices}
        footers = [row for row in footers if not taken.intersection(row.indices)]
        if headers or footers:
            found[page.number] = Furniture(
                tuple(row.indices for row in headers), tuple(row.indices for row in reversed(footers))
            )
    return found if _enough_is_left(pages, found) else {}


def _edge_rows(page: PageContent) -> list[_EdgeRow]:
    upright = [(index, run) for index, run in enumerate(page.runs) if not run.turn]
    margin = _MARGIN * page.height
    near = [(i, run) for i, run in upright if run.box.y <= 2 * margin or run.box.y >= page.height - 2 * margin]
    index_of = {id(run): index for index, run in near}
    all_rows = [(Line(tuple(row)), row) for row in rows(run for _, run in near)]
    found: list[_EdgeRow] = []
    edges: tuple[tuple[Edge, list[tuple[Line, list[Run]]]], ...] = (("top", all_rows), ("bottom", all_rows[::-1]))
    for edge, ordered in edges:
        for depth, (line, row) in enumerate(ordered[:_ROWS_PER_EDGE]):
            inwards = line.box.top if edge == "top" else page.height - line.box.bottom
            if inwards > margin:
                break
            room = float("inf")
            if depth + 1 < len(ordered):
                other = ordered[depth + 1][0].box
                room = other.top - line.box.bottom if edge == "top" else line.box.top - other.bottom
            found.append(
                _EdgeRow(
                    page.number,
                    edge,
                    depth,
                    line.box.y,
                    line.text,
                    line.size,
                    tuple(index_of[id(run)] for run in row),
                    room,
                    inwards <= _OUTER_MARGIN * page.height,
                )
            )
    return found


def _repeated(edge_rows: list[_EdgeRow], pages: int, body_size: float) -> set[_Place]:
    """Which edge rows stand in the same place on enough pages, and those that are the page's number alone."""
    enough = 2 if pages <= 4 else 3
    same: Counter[tuple[Edge, str, int]] = Counter()
    counting: Counter[tuple[Edge, str, int, int, int]] = Counter()
    numbered: Counter[tuple[Edge, int, int]] = Counter()  # whatever words stand beside the page number
    for row in edge_rows:
        numbered.update((row.edge, row.height_class, offset) for offset in row.outer_counts)
        same[row.edge, row.text, row.height_class] += 1
        counting.update((row.edge, row.pattern, row.height_class, *count) for count in row.counts)
    found: set[_Place] = set()
    for row in edge_rows:
        around = [row.height_class + step for step in (-1, 0, 1)]
        repeated = sum(same[row.edge, row.text, height] for height in around) >= enough
        counts = any(sum(counting[row.edge, row.pattern, h, *count] for h in around) >= enough for count in row.counts)
        often = max(enough, _NUMBERED_PAGES * pages)
        counts |= any(sum(numbered[row.edge, h, offset] for h in around) >= often for offset in row.outer_counts)
        large = row.size > _LARGE * body_size
        alone = pages == 1 and _stands_apart(row, body_size)
        if (repeated and (row.outer or not large)) or (counts and not large) or alone or _is_page_number(row):
            found.add(row.place)
    return found


def _is_page_number(row: _EdgeRow) -> bool:
    """Nothing but this page's number, as the outermost row."""
    match = _PAGE_NUMBER.match(row.text)
    return row.depth == 0 and match is not None and int(match[1]) == row.page


def _stands_apart(row: _EdgeRow, body_size: float) -> bool:
    """What one page alone can tell: small print at its very edge, far from the text."""
    return row.outer and row.size < _SMALL * body_size and row.room > _FAR * body_size


def _from_the_edge(edge_rows: list[_EdgeRow], repeated: set[_Place], apart: set[_Look]) -> list[_EdgeRow]:
    """The furniture of one edge: repeated rows without a break, the last of which stands apart from the text."""
    found: list[_EdgeRow] = []
    for row in edge_rows:  # from the edge inwards
        if row.place not in repeated:
            break
        found.append(row)
    while found and found[-1].look not in apart:
        found.pop()
    return found


def _enough_is_left(pages: Sequence[PageContent], found: dict[int, Furniture]) -> bool:
    total = sum(len(run.text) for page in pages for run in page.runs)
    taken = sum(
        len(page.runs[index].text) for page in pages if page.number in found for index in found[page.number].runs
    )
    return total - taken >= _LEFT_AT_LEAST * total


def _roman(text: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in text.lower()]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))
