"""Chunks as they are handed over for indexing: text, offsets, pages, titles, tokens."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from chunkfit.evidence import Evidence
from chunkfit.model import Chunk, Chunking, Document, Title
from chunkfit.spans import offsets

_VISIBLE = re.compile(r"\S")


def chunks(chunking: Chunking, evidence: Evidence) -> tuple[Chunk, ...]:
    """The chunks of a document with what an index wants to know about each.

    `pages` are the numbers of the pages that share a character with the chunk; an empty chunk has none. `titles` is the
    path of headings, highest level first, that governs the chunk's first non-blank character.
    """
    document = evidence.document
    flags: dict[int, list[str]] = {}
    for flag in chunking.flags:
        flags.setdefault(flag.chunk_index, []).append(flag.reason)
    paths = _TitlePaths(document.titles)
    pages = _Pages(document)
    sizes = evidence.tokens.counts(*offsets(chunking.spans)).tolist()
    return tuple(
        Chunk(
            document=document.name,
            method=chunking.method,
            index=index,
            text=span.of(document.text),
            start=span.start,
            end=span.end,
            pages=pages.between(span.start, span.end),
            titles=paths.at(_first_visible(document.text, span.start, span.end)),
            tokens=size,
            flags=tuple(flags.get(index, ())),
        )
        for index, (span, size) in enumerate(zip(chunking.spans, sizes, strict=True))
    )


def _first_visible(text: str, start: int, end: int) -> int:
    """The first non-blank character; `start` where all are blank."""
    found = _VISIBLE.search(text, start, end)
    return found.start() if found else start


class _Pages:
    """Page numbers by offset."""

    def __init__(self, document: Document) -> None:
        pages = [page for page in document.pages if page.span]  # a blank page holds no character to share
        self._numbers = [page.number for page in pages]
        self._starts = [page.span.start for page in pages]
        self._ends = [page.span.end for page in pages]

    def between(self, start: int, end: int) -> tuple[int, ...]:
        """The pages that share a character with `[start, end)`."""
        if start == end:
            return ()
        return tuple(self._numbers[bisect_right(self._ends, start) : bisect_left(self._starts, end)])


class _TitlePaths:
    """Heading paths by offset."""

    def __init__(self, titles: tuple[Title, ...]) -> None:
        ordered = sorted(titles, key=lambda title: title.span.start)
        self._starts = [title.span.start for title in ordered]
        self._paths = list(_paths(ordered))

    def at(self, offset: int) -> tuple[str, ...]:
        """The texts of the titles that govern the character at `offset`, highest level first."""
        last = bisect_right(self._starts, offset) - 1
        return tuple(title.text for title in self._paths[last] if offset < title.span.end) if last >= 0 else ()


def _paths(titles: list[Title]) -> Iterator[tuple[Title, ...]]:
    """For each title, itself below the titles of higher levels that are open where it stands."""
    path: tuple[Title, ...] = ()
    for title in titles:
        path = (*(above for above in path if above.level < title.level), title)
        yield path
