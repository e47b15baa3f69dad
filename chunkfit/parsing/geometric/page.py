"""The whole story of one page: content and survey in, regions in reading order out."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from chunkfit.parsing.geometric.captions import is_caption
from chunkfit.parsing.geometric.columns import Piece, reading_order
from chunkfit.parsing.geometric.content import Box, PageContent, Run
from chunkfit.parsing.geometric.furniture import Furniture
from chunkfit.parsing.geometric.headings import heading_look
from chunkfit.parsing.geometric.hyphenation import running_text
from chunkfit.parsing.geometric.lines import Line, lines
from chunkfit.parsing.geometric.paragraphs import Paragraph, paragraphs
from chunkfit.parsing.geometric.regions import Region, RegionKind
from chunkfit.parsing.geometric.survey import Survey
from chunkfit.parsing.geometric.tables import FoundTable
from chunkfit.parsing.geometric.tables_aligned import aligned_tables, tables_between_rules
from chunkfit.parsing.geometric.tables_ruled import ruled_tables, straight_lines
from chunkfit.parsing.geometric.turning import OBLIQUE, SIDEWAYS, Turn, as_drawn, upright

_FOOTNOTE_SIZE = 0.92  # times the body size
_FLOATS: frozenset[RegionKind] = frozenset({"table", "caption", "footnote", "picture"})
_FOOTNOTE_MARK = re.compile(r"^(?:\d{1,3}|[*†‡§¶]|[¹²³⁰-⁹]+|[a-z]\))[.)]?\s*\S")
_SMALLEST_PICTURE = 30.0  # points
_MAX_PICTURES = 50  # a page with more is made of tiles
_BLANK_LINE = 1.7  # font sizes between two lines of code with an empty one in between
_FOOTNOTE_ZONE = 0.6  # of the page height: footnotes stand below


def page_regions(content: PageContent, known: Survey) -> tuple[Region, ...]:
    """Everything on the page, each run's text in exactly one region: header, body in reading order, text that is set
    sideways (a wide table turned to fit), footer."""
    furniture = known.furniture.get(content.number, Furniture())
    in_furniture = furniture.runs
    by_turn: dict[Turn, dict[int, Run]] = {}
    for index, run in enumerate(content.runs):
        if index not in in_furniture:
            by_turn.setdefault(run.turn, {})[index] = run
    body = _body(content, by_turn.get(0, {}), known)
    for turn in SIDEWAYS:
        body += _turned_body(content, by_turn.get(turn, {}), turn, known)
    body += [Region("paragraph", run.box, run.text) for run in by_turn.get(OBLIQUE, {}).values()]
    return (
        *_furniture_regions("header", furniture.headers, content),
        *body,
        *_furniture_regions("footer", furniture.footers, content),
    )


def _body(content: PageContent, runs: dict[int, Run], known: Survey) -> list[Region]:
    """Upright text in reading order."""
    rulings = straight_lines(content.rulings)
    tables = ruled_tables(rulings, runs, known.compounds)
    free = _without(runs, tables)
    tables += tables_between_rules(free, rulings[0], known.compounds)
    free = _without(free, tables)
    pieces = [Piece(run.box, run=run) for run in free.values()]
    pieces += [Piece(table.box, solid=Region("table", table.box, table=table.table)) for table in tables]
    pieces += [Piece(box, solid=Region("picture", box)) for box in _pictures(content, runs.values())]
    found: list[Region] = []
    for group in reading_order(pieces, known.body_size, known.left_edges):
        inside = [piece.run for piece in group if piece.run is not None]
        found += _column(inside, [piece.solid for piece in group if piece.solid is not None], content, known)
    return found


def _pictures(content: PageContent, runs: Collection[Run]) -> list[Box]:
    """Bitmaps that show something of their own: not ornaments, and not what lies behind the text (a scanned page)."""
    found = [box for box in content.images if min(box.width, box.height) >= _SMALLEST_PICTURE][:_MAX_PICTURES]
    return [box for box in found if not any(box.holds(run.box.x, run.box.y) for run in runs)]


def _turned_body(content: PageContent, runs: dict[int, Run], turn: Turn, known: Survey) -> list[Region]:
    """Sideways text is read with the page turned; its boxes are turned back."""
    size = content.width, content.height
    upright_runs = {i: replace(run, box=upright(run.box, turn, *size), turn=0) for i, run in runs.items()}
    turned = PageContent(
        number=content.number,
        width=size[turn % 2],
        height=size[1 - turn % 2],
        rulings=tuple(upright(ruling, turn, *size) for ruling in content.rulings),
    )
    return [
        replace(region, box=as_drawn(region.box, turn, *size), open_start=False, open_end=False)
        for region in _body(turned, upright_runs, known)
    ]


def _without(runs: dict[int, Run], tables: Iterable[FoundTable]) -> dict[int, Run]:
    taken = {key for table in tables for key in table.runs}
    return {key: run for key, run in runs.items() if key not in taken}


def _furniture_regions(kind: RegionKind, rows: Iterable[tuple[int, ...]], content: PageContent) -> list[Region]:
    found = [Line(tuple(sorted((content.runs[i] for i in row), key=lambda run: run.box.left))) for row in rows]
    return [Region(kind, line.box, line.text) for line in found]


def _column(runs: Sequence[Run], solids: list[Region], content: PageContent, known: Survey) -> list[Region]:
    """One column from top to bottom: tables as they stand, the lines between them as paragraphs."""
    indexed = dict(enumerate(runs))
    tables = [
        table
        for table in aligned_tables(indexed, known.compounds)
        if known.body_monospaced
        or not all(indexed[key].face.monospaced for key in table.runs)  # a listing lines up too
    ]
    solids += [Region("table", table.box, table=table.table) for table in tables]
    solids.sort(key=lambda solid: solid.box.top)
    stretches: list[list[Line]] = [[] for _ in range(len(solids) + 1)]
    for line in lines(_without(indexed, tables).values()):
        stretches[sum(solid.box.y < line.box.y for solid in solids)].append(line)
    found: list[Region] = []
    for index, stretch in enumerate(stretches):
        found += _text_regions(paragraphs(stretch, known), [solid.box for solid in solids], content, known)
        found += solids[index : index + 1]
    return _closed_within(found)


def _closed_within(column: list[Region]) -> list[Region]:
    """Only the first text of a column may go on from before, only the last one behind; floats do not count."""
    texts = [index for index, region in enumerate(column) if region.kind not in _FLOATS]
    return [
        replace(
            region,
            open_start=region.open_start and index == texts[0],
            open_end=region.open_end and index == texts[-1],
        )
        for index, region in enumerate(column)
    ]


def _text_regions(stretch: Sequence[Paragraph], solids: list[Box], content: PageContent, known: Survey) -> list[Region]:
    found: list[Region] = []
    for paragraph in stretch:
        text = running_text([line.text for line in paragraph.lines], known.compounds)
        found.append(_text_region(paragraph, text, found[-1].kind if found else None, solids, content, known))
    return found


def _text_region(
    paragraph: Paragraph,
    text: str,
    previous: RegionKind | None,
    solids: list[Box],
    content: PageContent,
    known: Survey,
) -> Region:
    if paragraph.code and (len(paragraph.lines) > 1 or previous == "code"):
        return Region("code", paragraph.box, listing(paragraph.lines))
    if is_caption(text, paragraph.box, paragraph.size, solids):
        return Region("caption", paragraph.box, text)
    look = heading_look(paragraph, text, known, follows_heading=previous == "heading")
    if look is not None:
        return Region("heading", paragraph.box, text, look=look)
    if _is_footnote(paragraph, text, content, known):
        return Region("footnote", paragraph.box, text)
    if paragraph.marker is not None and len(text) > paragraph.marker.length:
        rest, marker = text[paragraph.marker.length :], paragraph.marker.plain
        return Region("list_item", paragraph.box, rest, marker, open_end=paragraph.open_end)
    return Region("paragraph", paragraph.box, text, open_start=paragraph.open_start, open_end=paragraph.open_end)


def listing(code: Sequence[Line]) -> str:
    """Lines of code with their indents and blank lines, in characters of the font."""
    left = min(line.box.left for line in code)
    width = max(line.box.width / max(1, len(line.text)) for line in code) or 1.0
    text = ""
    for index, line in enumerate(code):
        if index:
            distance = (line.box.bottom - code[index - 1].box.bottom) / max(1.0, line.size)
            text += "\n\n" if distance > _BLANK_LINE else "\n"
        text += " " * round((line.box.left - left) / width) + line.text
    return text


def _is_footnote(paragraph: Paragraph, text: str, content: PageContent, known: Survey) -> bool:
    low = paragraph.box.top > _FOOTNOTE_ZONE * content.height
    return low and paragraph.size <= _FOOTNOTE_SIZE * known.body_size and _FOOTNOTE_MARK.match(text) is not None
