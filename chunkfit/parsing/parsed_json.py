"""Parsed documents in the JSON that the Adaptive Chunking paper's data is published in: read and written.

Fields: `document_name`; `pages`, number to Markdown; `full_text`, the pages joined in order; `split_points`, where
blocks begin; `titles`, each with `title` (markup included), `start`, `level` and the `end` of what it governs.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from chunkfit.errors import BadDocument
from chunkfit.model import Block, Document, Page, Span, Title
from chunkfit.parsing.decoding import decode, require_text
from chunkfit.parsing.media import PARSED_FIELDS

_ATX = re.compile(r"#{1,6}(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*", re.DOTALL)
_SETEXT = re.compile(r"(.*)\n[ \t]*(?:=+|-+)[ \t]*", re.DOTALL)


def parsed_json(data: bytes, name: str, max_bytes: int) -> Document:
    """The document as published. Blocks are what lies between split points, of kind "other": the format has no kinds.

    Raises BadDocument that says which field contradicts the text.
    """
    fields = _fields(data)
    text = _string(fields, "full_text")
    require_text(text)
    pages = _pages(fields, text)
    return Document(name, text, pages, _blocks(fields, len(text)), _titles(fields, text))


def document_name(data: bytes) -> str:
    """The name that a parsed document gives itself. Raises BadDocument."""
    return _string(_fields(data), "document_name")


def to_parsed_json(document: Document) -> str:
    """The document in the published format. Kinds of blocks and the source are not part of it."""
    text = document.text
    fields = {
        "document_name": document.name,
        "pages": {str(page.number): page.span.of(text) for page in document.pages},
        "full_text": text,
        "split_points": [block.span.start for block in document.blocks[1:]],
        "titles": [
            {"title": t.heading.of(text), "start": t.heading.start, "level": t.level, "end": t.span.end}
            for t in document.titles
        ],
    }
    return json.dumps(fields, ensure_ascii=False, indent=1)


def _fields(data: bytes) -> Mapping[str, Any]:
    try:
        fields = json.loads(decode(data))
    except json.JSONDecodeError as error:
        raise BadDocument(f"broken JSON at line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise BadDocument("broken JSON: nested too deeply") from error
    if not isinstance(fields, dict):
        raise BadDocument(f"a parsed document is a JSON object, got {type(fields).__name__}")
    missing = [name for name in PARSED_FIELDS if name not in fields]
    if missing:
        raise BadDocument(
            f"a parsed document needs the fields {', '.join(PARSED_FIELDS)}; missing: {', '.join(missing)}"
        )
    return fields


def _string(fields: Mapping[str, Any], name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise BadDocument(f"{name} must be a string, got {type(value).__name__}")
    return value


def _list(fields: Mapping[str, Any], name: str) -> Sequence[Any]:
    value = fields[name]
    if not isinstance(value, list):
        raise BadDocument(f"{name} must be a list, got {type(value).__name__}")
    return value


def _offset(value: object, where: str, length: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= length:
        raise BadDocument(f"{where} must be an offset in the text of {length} code points, got {value!r}")
    return value


def _pages(fields: Mapping[str, Any], text: str) -> tuple[Page, ...]:
    value = fields["pages"]
    if not isinstance(value, dict) or not all(isinstance(page, str) for page in value.values()):
        raise BadDocument("pages must be an object from page numbers to Markdown")
    pages: list[Page] = []
    edge = 0
    for key, content in value.items():
        if not re.fullmatch(r"[1-9][0-9]{0,8}", key) or (pages and int(key) <= pages[-1].number):
            raise BadDocument(f"pages must be numbered upwards from 1, got {key!r}")
        if not text.startswith(content, edge):
            raise BadDocument(
                f"page {key} is not what full_text has from offset {edge} on: pages must join to full_text"
            )
        pages.append(Page(int(key), Span(edge, edge + len(content))))
        edge += len(content)
    if edge != len(text):
        raise BadDocument(f"the pages join to {edge} code points, but full_text has {len(text)}")
    return tuple(pages)


def _blocks(fields: Mapping[str, Any], length: int) -> tuple[Block, ...]:
    points = [_offset(value, "each of split_points", length) for value in _list(fields, "split_points")]
    if not points:
        return ()
    # The ends of the text and repeated points would make empty blocks, which no method can cut.
    edges = sorted({0, length, *points})
    return tuple(Block("other", Span(start, end)) for start, end in pairwise(edges))


def _titles(fields: Mapping[str, Any], text: str) -> tuple[Title, ...]:
    titles = [_title(value, f"titles[{index}]", text) for index, value in enumerate(_list(fields, "titles"))]
    if any(later.heading.start < earlier.heading.start for earlier, later in pairwise(titles)):
        raise BadDocument("titles must come in the order of the text")
    return tuple(title for title in titles if title.text)  # a heading without words is none, as in Markdown


def _title(value: object, where: str, text: str) -> Title:
    if not isinstance(value, dict) or not {"title", "start", "level", "end"} <= value.keys():
        raise BadDocument(f"{where} needs the fields title, start, level, end")
    raw, level = value["title"], value["level"]
    if not isinstance(raw, str) or not isinstance(level, int) or isinstance(level, bool) or level < 1:
        raise BadDocument(f"{where} needs a string as title and a whole number from 1 as level")
    start = _offset(value["start"], f"{where}.start", len(text))
    end = _offset(value["end"], f"{where}.end", len(text))
    if not text.startswith(raw, start):
        found = text[start : start + len(raw)]
        raise BadDocument(f"{where} {raw!r} is not at its offset {start}: the text has {found!r} there")
    if end < start + len(raw):
        raise BadDocument(f"{where} {raw!r} ends at {end}, before its own heading does")
    marked = _ATX.fullmatch(raw) or _SETEXT.fullmatch(raw)
    words = " ".join(((marked.group(1) or "") if marked else raw).split())
    return Title(words, level, Span(start, start + len(raw)), Span(start, end))
