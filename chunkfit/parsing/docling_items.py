"""A docling document as pieces in reading order: every item of its body once, as Markdown.

docling's own Markdown export gives no offsets, and repeats the text of merged cells. Walking the items ourselves keeps
text and structure one thing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from chunkfit.model import BlockKind
from chunkfit.parsing.assembly import Piece, clean, code, escape_lines, heading, prose
from chunkfit.parsing.tables import markdown_table

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

_KINDS: dict[str, BlockKind] = {"caption": "caption", "footnote": "footnote"}
_CHECKBOXES = {"checkbox_selected": "[x] ", "checkbox_unselected": "[ ] "}
_OUTSIDE = {"furniture": "running headers, footers and navigation", "notes": "notes", "invisible": "hidden parts"}
_TABLES = ("table", "document_index")
_BULLET = re.compile(r"[-*+·•●▪◦‣▸▹○◯‒–—]?")
_NO_BLANK_BEFORE = tuple(",.;:!?)]}%»”’")
_NO_BLANK_AFTER = tuple("([{«“‘")


def docling_pieces(
    document: "DoclingDocument", *, highest_section: int | None = None, wording: Literal["text", "orig"] = "text"
) -> Iterator[Piece]:
    """The pieces of the document's body.

    A docling title is a heading of level 1; a section header of docling's level n gets level
    `highest_section` + n - 1, by default right below the title where there is one, else from level 1 on. Headers and
    footers of pages, notes and hidden parts are not part of the body. `wording` says which of docling's two versions of
    an item's text to take: tidied up, or as it was.
    """
    if highest_section is None:
        highest_section = 2 if any(item.label.value == "title" for item in document.texts) else 1
    return _Walk(document, highest_section, wording).pieces()


def page_numbers(document: "DoclingDocument") -> tuple[int, ...]:
    """All pages of the document, blank ones too; one page where the format has none."""
    return tuple(sorted(document.pages)) or (1,)


def outside_the_body(document: "DoclingDocument") -> tuple[str, ...]:
    """What docling found beside the body, which `docling_pieces` leaves out: kinds with their numbers."""
    items = [*document.texts, *document.tables, *document.pictures]
    layers = Counter(item.content_layer.value for item in items if getattr(item, "text", "content").strip())
    return tuple(f"{name}: {layers[layer]}" for layer, name in _OUTSIDE.items() if layers[layer])


class _Walk:
    def __init__(self, document: Any, highest_section: int, wording: str) -> None:
        self._document = document
        self._highest_section = highest_section
        self._wording = wording
        self._seen: set[str] = set()
        self._page = 1  # an item without a place of its own is where the one before it was
        # A caption belongs to its picture or table, wherever else docling hangs it.
        floats = [item for item in (*document.tables, *document.pictures) if item.content_layer.value == "body"]
        self._captions = {caption.cref for item in floats for caption in item.captions}

    def pieces(self) -> Iterator[Piece]:
        yield from self._children(self._document.body)

    def _children(self, node: Any) -> Iterator[Piece]:
        for reference in node.children:
            if reference.cref not in self._captions:
                yield from self._once(reference)

    def _once(self, reference: Any) -> Iterator[Piece]:
        if reference.cref in self._seen:
            return
        self._seen.add(reference.cref)
        item = reference.resolve(self._document)
        if item.content_layer.value == "body":
            yield from self._item(item)

    def _item(self, item: Any) -> Iterator[Piece]:
        if getattr(item, "prov", None):
            self._page = item.prov[0].page_no
        label = item.label.value
        if label in ("list", "ordered_list"):
            yield from self._list(item, depth=0)
        elif label == "inline":
            yield prose("paragraph", self._inline(item), self._page)
        elif label in ("title", "section_header"):
            yield from self._heading(item)
        elif label in _TABLES:
            yield from self._table(item)
        elif label == "picture":
            yield from self._floats(item)
            if chart := getattr(item.meta, "tabular_chart", None):
                yield from self._grid(chart.chart_data)
            yield from self._children(item)
        elif label == "code":
            yield from self._floats(item)
            yield code(clean(item.text), _language(item), self._page)
        elif label == "formula":
            yield Piece("formula", f"$$\n{formula}\n$$" if (formula := self._words(item)) else "", self._page)
        elif label == "list_item":
            yield from self._list_item(item, "-", depth=0)
        else:
            if text := self._words(item):
                yield self._prose(item, _KINDS.get(label, "paragraph"), _CHECKBOXES.get(label, ""), text)
            yield from self._children(item)

    def _prose(self, item: Any, kind: BlockKind, mark: str, text: str) -> Piece:
        breaks = []
        for place in item.prov[1:]:
            start = place.charspan[0]
            if place.page_no > self._page and 0 < start < len(text):
                breaks.append((len(mark + escape_lines(text[:start])), place.page_no))
        return Piece(kind, mark + escape_lines(text), self._page, page_breaks=tuple(breaks))

    def _heading(self, item: Any) -> Iterator[Piece]:
        words = self._words(item)
        if not words and item.children and self._label(item.children[0]) == "inline":  # made of several runs
            words = self._below(item.children[:1])
        level = 1 if item.label.value == "title" else self._highest_section + item.level - 1
        if words:
            yield heading(words, level, self._page)
        yield from self._children(item)

    def _list(self, group: Any, depth: int) -> Iterator[Piece]:
        number = 0
        for reference in group.children:
            item = reference.resolve(self._document)
            if item.label.value != "list_item":
                yield from self._once(reference)
            elif reference.cref not in self._seen and item.content_layer.value == "body":
                self._seen.add(reference.cref)
                number += 1
                yield from self._list_item(item, _marker(item, number), depth, first=depth == 0 and number == 1)

    def _list_item(self, item: Any, marker: str, depth: int, first: bool = True) -> Iterator[Piece]:
        if item.prov:
            self._page = item.prov[0].page_no
        words = self._words(item)
        if not words and item.children and self._label(item.children[0]) in ("inline", "text", "paragraph"):
            words = self._below(item.children[:1])
        indent = "    " * depth
        if words:
            text = f"{indent}{marker} " + words.replace("\n", f"\n{indent}    ")
            yield Piece("list_item", text, self._page, tight=not first)
        for reference in item.children:
            if self._label(reference) in ("list", "ordered_list") and reference.cref not in self._seen:
                self._seen.add(reference.cref)
                yield from self._list(reference.resolve(self._document), depth + 1)
            else:
                yield from self._once(reference)

    def _table(self, item: Any) -> Iterator[Piece]:
        yield from self._floats(item)
        yield from self._grid(item.data)
        yield from self._children(item)

    def _grid(self, data: Any) -> Iterator[Piece]:
        # The text of a merged cell stands in its first place alone.
        cells = {(c.start_row_offset_idx, c.start_col_offset_idx): self._cell(c) for c in data.table_cells}
        if len(cells) == 1:  # a frame around text, or a single value
            yield prose("paragraph", next(iter(cells.values())), self._page)
        elif any(cells.values()):
            rows, columns = (1 + max(place[axis] for place in cells) for axis in (0, 1))
            grid = [[cells.get((row, column), "") for column in range(columns)] for row in range(rows)]
            yield Piece("table", markdown_table(grid), self._page)

    def _cell(self, cell: Any) -> str:
        reference = getattr(cell, "ref", None)
        return (self._below([reference]) if reference else "") or clean(cell.text).strip()

    def _floats(self, item: Any) -> Iterator[Piece]:
        page = self._page
        for reference in (*item.captions, *getattr(item, "footnotes", ())):
            yield from self._once(reference)
        self._page = page

    def _inline(self, group: Any) -> str:
        return _joined(self._texts(group.children))

    def _below(self, references: Iterable[Any]) -> str:
        return _joined(self._texts(references))

    def _texts(self, references: Iterable[Any]) -> Iterator[str]:
        """The plain texts of items and of what hangs below them, marked as seen."""
        for reference in references:
            if reference.cref in self._seen:
                continue
            self._seen.add(reference.cref)
            item = reference.resolve(self._document)
            if item.label.value in _TABLES:
                yield from (self._cell(cell) for cell in item.data.table_cells)
            elif words := self._words(item):
                yield f"${words}$" if item.label.value == "formula" else words
            yield from self._texts(item.children)

    def _words(self, item: Any) -> str:
        return clean(getattr(item, self._wording, "")).strip()

    def _label(self, reference: Any) -> str:
        return str(reference.resolve(self._document).label.value)


def _language(item: Any) -> str:
    language = str(getattr(item.code_language, "value", "") or "")
    return "" if language == "unknown" else language.lower()


def _marker(item: Any, number: int) -> str:
    marker = str(item.marker or "").strip()
    if item.enumerated:
        return marker or f"{number}."
    return "-" if _BULLET.fullmatch(marker) else marker


def _joined(texts: Iterable[str]) -> str:
    """Runs of one line, a blank between them except around punctuation: docling has stripped what was there."""
    line = ""
    for text in texts:
        glued = not line or text.startswith(_NO_BLANK_BEFORE) or line.endswith(_NO_BLANK_AFTER)
        line += text if glued else f" {text}"
    return line
