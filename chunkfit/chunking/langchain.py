"""LangChain's RecursiveCharacterTextSplitter on spans: the most used splitter, to compare with.

It splits by the first separator that occurs, merges runs of small pieces, and splits each large piece by the separators
that are left. Chunks are stripped of blanks. Here nothing is lost: the blanks go with the chunk behind them, the last
ones with the last chunk. A chunk that lies inside its neighbour is left out. Where it would tear a grapheme, the cut
moves in front of it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkfit import graphemes
from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.separators import PAPER, Separator, before
from chunkfit.chunking.sizes import require_room
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Flag, Span
from chunkfit.spans import offsets, without_gaps

Sizes = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
"""How large the stretches from starts to ends are, in what the splitter's limit counts."""

_AS_SHIPPED = (before("\n\n"), before("\n"), before(" "))


@chunkers.register("langchain_default", version=1, bounds_size=True, cost=1)
def langchain_default(evidence: Evidence) -> Chunking:
    """RecursiveCharacterTextSplitter as shipped: 4000 characters, 200 of them shared with the chunk before."""
    return langchain(
        evidence,
        "langchain_default",
        limit=4000,
        overlap=200,
        separators=_AS_SHIPPED,
        sizes=lambda starts, ends: ends - starts,
        unit="code points",
    )


@chunkers.register("langchain_1100", version=1, bounds_size=True, cost=1)
def langchain_1100(evidence: Evidence) -> Chunking:
    """RecursiveCharacterTextSplitter with the separators of recursive_1100 and 1100 tokens."""
    return langchain(
        evidence, "langchain_1100", limit=1100, overlap=0, separators=PAPER, sizes=evidence.tokens.counts, unit="tokens"
    )


def langchain(
    evidence: Evidence,
    method: str,
    *,
    limit: int,
    overlap: int,
    separators: Sequence[Separator],
    sizes: Sizes,
    unit: str,
) -> Chunking:
    """Split a document as LangChain does with `chunk_size=limit`, `chunk_overlap=overlap` and a kept separator.

    LangChain adds up the sizes of pieces, strips, and keeps what it cannot split: a chunk above the limit, its blanks
    included, is flagged. Raises ValueError unless 0 <= overlap < limit.
    """
    require_room(limit, overlap, name="limit")
    text = evidence.document.text
    runs = _split(text, 0, len(text), sizes, limit, overlap, separators)
    spans = without_gaps(_whole_graphemes(text, _stripped(text, runs)), len(text))
    found = sizes(*offsets(spans))
    flags = tuple(
        Flag(int(i), f"{found[i]} {unit}, above {limit}: blanks are kept here, and a grapheme is never cut")
        for i in np.flatnonzero(found > limit)
    )
    return Chunking(method, spans, overlap=overlap, flags=flags)


def _split(
    text: str, start: int, end: int, sizes: Sizes, limit: int, overlap: int, separators: Sequence[Separator]
) -> Iterator[tuple[int, int]]:
    """The chunks of `text[start:end]` before they are stripped."""
    edges = np.array([start, end], np.int64)
    while separators and len(edges) == 2:
        separator, *separators = separators
        edges = np.array([start, *(cut for cut in separator(text, start, end) if start < cut < end), end], np.int64)
    by_character = len(edges) == 2
    if by_character:
        edges = graphemes.boundaries(text, start, end)
    found = sizes(edges[:-1], edges[1:])
    run = 0
    for large in [*np.flatnonzero(found >= limit).tolist(), len(found)]:
        yield from _merged(edges[run : large + 1].tolist(), found[run:large], limit, overlap)
        if large < len(found):
            piece = int(edges[large]), int(edges[large + 1])
            if by_character:
                yield piece
            else:
                yield from _split(text, *piece, sizes, limit, overlap, separators)
        run = large + 1


def _merged(edges: list[int], sizes: NDArray[np.int64], limit: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Neighbouring pieces as far as the sum of their sizes stays within the limit, each run overlapping the last."""
    total = [0, *np.cumsum(sizes).tolist()]
    first = last = 0
    while last < len(sizes):
        last = bisect_right(total, total[first] + limit) - 1
        yield edges[first], edges[last]
        if last < len(sizes):
            repeated = bisect_left(total, total[last] - overlap)
            fitting = bisect_left(total, total[last + 1] - limit)
            first = min(last, max(repeated, fitting))


def _stripped(text: str, runs: Iterator[tuple[int, int]]) -> Iterator[Span]:
    """The runs without the blanks at their ends; nothing where that is all there is."""
    for start, end in runs:
        run = text[start:end]
        if content := run.strip():
            start += len(run) - len(run.lstrip())
            yield Span(start, start + len(content))


def _whole_graphemes(text: str, spans: Iterator[Span]) -> list[Span]:
    """The spans with edges moved in front of the graphemes that they would tear, less those inside a neighbour."""
    found: list[Span] = []
    known = 0
    for span in spans:
        start = graphemes.floor(text, span.start, known)
        end = graphemes.floor(text, span.end, start)
        if found and start == found[-1].start:
            found.pop()
        if not found or end > found[-1].end:
            found.append(Span(start, end))
        known = start
    return found
