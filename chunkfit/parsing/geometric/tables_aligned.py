"""Tables without a full grid: cells that line up in columns, with or without horizontal rules."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chunkfit.parsing.geometric.content import Box, Run, hull
from chunkfit.parsing.geometric.lines import Line, join, rows, stretches
from chunkfit.parsing.geometric.list_items import marker_of
from chunkfit.parsing.geometric.tables import FoundTable, table_from

_MIN_GUTTER = 0.6  # of the font size: what stays clear between two columns, through all rows
_MAX_ROW_DISTANCE = 3.2  # of the font size, baseline to baseline
_MIN_ROWS = 3  # with several cells, where no rule helps
_WRAPPED = 1.5  # of the font size: rows closer than this may be lines of one cell
_LONG = 0.55  # of the column: only a line that long goes on in the next
_PROSE_WORDS = 5  # a cell with that many words reads like running text
_PROSE_ROWS = 0.3  # share of the rows
_SAME_EDGE = 4.0  # points: rules of one table begin and end together
_LEADERS = "..."  # a table of contents, not a table


@dataclass(frozen=True, slots=True)
class Segment:
    """Runs of one row without a gap that could part two cells."""

    runs: tuple[Run, ...]
    keys: tuple[int, ...]
    left: float
    right: float

    @property
    def text(self) -> str:
        return join(self.runs)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of segments, from the left."""

    segments: tuple[Segment, ...]
    top: float
    bottom: float
    size: float

    @property
    def is_open(self) -> bool:
        """Whether it could be a table's row: several cells, the first of which is no list marker."""
        if len(self.segments) < 2:
            return False
        return len(self.segments) > 2 or not _is_marker(self.segments[0])


def _is_marker(segment: Segment) -> bool:
    marker = marker_of(Line(segment.runs))
    return marker is not None and marker.length >= len(segment.text)


def aligned_tables(runs: Mapping[int, Run], compounds: frozenset[str] = frozenset()) -> list[FoundTable]:
    """Tables without rules: at least three rows of several cells that leave the same gaps clear."""
    found: list[FoundTable] = []
    for group in _groups(_rows(runs)):
        open_rows = sum(row.is_open for row in group)
        if open_rows >= _MIN_ROWS and not _has_leaders(group) and not _is_prose(group):
            table = _table(group, group, 1, compounds)
            if table is not None:
                found.append(table)
    return found


def tables_between_rules(
    runs: Mapping[int, Run], horizontals: Sequence[Box], compounds: frozenset[str]
) -> list[FoundTable]:
    """Tables with rules above and below, and perhaps below the header, but none between the columns."""
    found: list[FoundTable] = []
    taken: set[int] = set()
    for rules in _sets_of_rules(horizontals):
        bands = [
            _rows({key: run for key, run in runs.items() if key not in taken and _between(run, upper, lower)})
            for upper, lower in pairwise(rules)
        ]
        for first, last in _tabular_stretches(bands):
            rows_inside = [row for band in bands[first:last] for row in band]
            body = [row for band in bands[first + 1 : last] for row in band] or rows_inside
            header = len(bands[first]) if last - first > 1 else 1
            table = _table(rows_inside, body, header, compounds)
            if table is not None:
                found.append(table)
                taken |= table.runs
    return found


def _rows(runs: Mapping[int, Run]) -> list[Row]:
    keys = {id(run): key for key, run in runs.items()}
    found: list[Row] = []
    for row in rows(runs.values()):
        segments = tuple(
            Segment(
                tuple(group),
                tuple(keys[id(run)] for run in group),
                min(run.box.left for run in group),
                max(run.box.right for run in group),
            )
            for group in stretches(row)
        )
        box = hull(run.box for run in row)
        found.append(Row(segments, box.top, box.bottom, max(run.size for run in row)))
    return found


_Interval = tuple[float, float]


def _clear(row: Row) -> list[_Interval]:
    """Where a row has no text, the margins included."""
    edges = [float("-inf"), *(x for segment in row.segments for x in (segment.left, segment.right)), float("inf")]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _common(some: Sequence[_Interval], others: Sequence[_Interval], width: float) -> list[_Interval]:
    """Intersections of two sorted lists of intervals that are at least so wide."""
    found: list[_Interval] = []
    i = j = 0
    while i < len(some) and j < len(others):
        left, right = max(some[i][0], others[j][0]), min(some[i][1], others[j][1])
        if right - left >= width:
            found.append((left, right))
        if some[i][1] < others[j][1]:
            i += 1
        else:
            j += 1
    return found


def _gutters(clear: Sequence[_Interval]) -> list[_Interval]:
    """Clear stretches with text on both sides: all but the margins."""
    return [interval for interval in clear if interval[0] > float("-inf") and interval[1] < float("inf")]


def _groups(all_rows: Sequence[Row]) -> list[list[Row]]:
    """Neighbouring rows that keep the same gutters clear, from the first to the last with several cells."""
    found: list[list[Row]] = []
    group: list[Row] = []
    clear: list[_Interval] = []
    for row in all_rows:
        if group:
            common = _common(clear, _clear(row), _MIN_GUTTER * row.size)
            near = row.bottom - group[-1].bottom <= _MAX_ROW_DISTANCE * max(row.size, group[-1].size)
            if near and len(_gutters(common)) >= len(_gutters(clear)):
                group.append(row)
                clear = common
                continue
            found.append(group)
        group = [row] if row.is_open else []
        clear = _clear(row)
    found.append(group)
    return [trimmed for group in found if (trimmed := _trimmed(group))]


def _trimmed(group: list[Row]) -> list[Row]:
    last = max((index for index, row in enumerate(group) if row.is_open), default=-1)
    while 0 <= last < len(group) - 1 and _is_close(group[last], group[last + 1], _pitch(group[: last + 1])):
        last += 1
    return group[: last + 1]


def _pitch(group: Sequence[Row]) -> float:
    """The usual distance between rows; infinite where there is only one."""
    distances = sorted(lower.bottom - upper.bottom for upper, lower in pairwise(group))
    return distances[len(distances) // 2] if distances else float("inf")


def _is_close(upper: Row, lower: Row, pitch: float) -> bool:
    """Whether a row stands nearer to the one above than rows do: then it is the next line of its cells."""
    distance = lower.bottom - upper.bottom
    return distance <= _WRAPPED * lower.size and distance < 0.85 * pitch


def _has_leaders(group: Sequence[Row]) -> bool:
    return sum(any(_LEADERS in segment.text for segment in row.segments) for row in group) > 0.5 * len(group)


def _is_prose(group: Sequence[Row]) -> bool:
    """Whether many rows hold two cells as long as lines of running text: a table has one such column at most."""
    open_rows = [row for row in group if row.is_open]
    long = sum(sum(len(segment.text.split()) >= _PROSE_WORDS for segment in row.segments) >= 2 for row in open_rows)
    return long > _PROSE_ROWS * len(open_rows)


def _table(
    all_rows: Sequence[Row], body: Sequence[Row], header_lines: int, compounds: frozenset[str]
) -> FoundTable | None:
    """Columns from the gutters of the body, one logical row per row that does not continue the one above."""
    gutters = max((_shared_gutters(all_rows), _shared_gutters(body)), key=len)
    if not gutters:
        return None
    left = min(row.segments[0].left for row in all_rows)
    right = max(segment.right for row in all_rows for segment in row.segments)
    xs = [left, *((a + b) / 2 for a, b in gutters), right]
    logical: list[list[Row]] = []
    pitch = _pitch([row for row in all_rows if row.is_open])
    header_rows = 0
    for index, row in enumerate(all_rows):
        if logical and _continues(logical[-1][-1], row, xs, pitch):
            logical[-1].append(row)
        else:
            logical.append([row])
            header_rows += index < header_lines
    ys = [all_rows[0].top]
    ys += [(upper[-1].bottom + lower[0].top) / 2 for upper, lower in pairwise(logical)]
    ys.append(all_rows[-1].bottom)
    placed: dict[tuple[int, int, int, int], list[Run]] = {}
    for index, group in enumerate(logical):
        for (first, last), found in _cells(group, xs).items():
            placed[index, first, index + 1, last + 1] = found
    keys = frozenset(key for row in all_rows for segment in row.segments for key in segment.keys)
    box = Box(left, all_rows[0].top, right, all_rows[-1].bottom)
    return FoundTable(box, table_from(placed, xs, ys, header_rows, compounds), keys)


def _shared_gutters(group: Sequence[Row]) -> list[_Interval]:
    clear: list[_Interval] = [(float("-inf"), float("inf"))]
    for row in group:
        clear = _common(clear, _clear(row), _MIN_GUTTER * row.size)
    return _gutters(clear)


def _columns_of(segment: Segment, xs: Sequence[float]) -> tuple[int, int]:
    """First and last column that a segment reaches into."""
    last = len(xs) - 2
    first = min(max(bisect_right(xs, segment.left + 0.5) - 1, 0), last)
    return first, max(first, min(bisect_right(xs, segment.right - 0.5) - 1, last))


def _cells(group: Sequence[Row], xs: Sequence[float]) -> dict[tuple[int, int], list[Run]]:
    """Runs of one logical row by first and last column; what overlaps in columns is one cell. All columns are there."""
    spans: list[tuple[int, int, list[Run]]] = [(column, column, []) for column in range(len(xs) - 1)]
    for row in group:
        for segment in row.segments:
            first, last = _columns_of(segment, xs)
            touched = [span for span in spans if span[0] <= last and first <= span[1]]
            merged = [run for span in touched for run in span[2]] + list(segment.runs)
            spans = [span for span in spans if span not in touched]
            spans.append((min(span[0] for span in touched), max(span[1] for span in touched), merged))
    return {(first, last): runs for first, last, runs in sorted(spans, key=lambda span: span[0])}


def _continues(upper: Row, lower: Row, xs: Sequence[float], pitch: float) -> bool:
    """Whether all cells of a row are further lines of cells above, which leave the first column empty."""
    columns = [_columns_of(segment, xs) for segment in lower.segments]
    if len(columns) >= len(xs) - 1 or lower.bottom - upper.bottom > _WRAPPED * lower.size:
        return False
    above = {_columns_of(segment, xs): segment for segment in upper.segments}
    if any(column not in above for column in columns):
        return False
    if _is_close(upper, lower, pitch):
        return True
    widths = [above[first, last].right - above[first, last].left for first, last in columns]
    rooms = [xs[last + 1] - xs[first] for first, last in columns]
    return columns[0][0] > 0 and all(width >= _LONG * room for width, room in zip(widths, rooms, strict=True))


def _sets_of_rules(horizontals: Sequence[Box]) -> list[list[Box]]:
    """Rules of the same left and right edge, from the top; sets of one are left out."""
    sets: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for rule in sorted(horizontals, key=lambda rule: rule.top):
        left, right = round(rule.left / _SAME_EDGE), round(rule.right / _SAME_EDGE)
        near = [(left + i, right + j) for i in (0, -1, 1) for j in (0, -1, 1)]
        sets[next((key for key in near if key in sets), (left, right))].append(rule)
    return [rules for rules in sets.values() if len(rules) >= 2]


def _between(run: Run, upper: Box, lower: Box) -> bool:
    return upper.top <= run.box.y <= lower.top and upper.left - _SAME_EDGE <= run.box.x <= upper.right + _SAME_EDGE


def _tabular_stretches(bands: Sequence[Sequence[Row]]) -> list[tuple[int, int]]:
    """Half-open ranges of neighbouring bands that hold rows of several cells, and together no running text."""
    found: list[tuple[int, int]] = []
    for index, band in enumerate(bands):
        if not any(len(row.segments) > 1 for row in band):
            continue
        if found and found[-1][1] == index:
            found[-1] = found[-1][0], index + 1
        else:
            found.append((index, index + 1))
    rows_of = {stretch: [row for band in bands[stretch[0] : stretch[1]] for row in band] for stretch in found}
    return [stretch for stretch in found if len(rows_of[stretch]) >= 2 and not _is_prose(rows_of[stretch])]
