"""Split by separators in order until each piece fits, then merge neighbours while they fit."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from chunkfit import graphemes
from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.separators import PAPER, Separator
from chunkfit.chunking.sizes import longest_prefix, oversize_flags, require_room
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Span
from chunkfit.spans import shared
from chunkfit.tokens import TokenIndex

Cutter = Callable[[int, int], Iterator[int]]
"""`cutter(start, end)`: where to cut `[start, end)`, in order and strictly inside."""

SHORTEST = 10  # code points: a piece shorter than this says too little to stand alone


@chunkers.register("recursive_1100", version=1, bounds_size=True, cost=1)
def recursive_1100(evidence: Evidence) -> Chunking:
    """Split by headings, lists, paragraphs, sentences ... until pieces fit, then merge up to 1100 tokens."""
    return replace(recursive(evidence, size=1100), method="recursive_1100")


@chunkers.register("recursive_600", version=1, bounds_size=True, cost=1)
def recursive_600(evidence: Evidence) -> Chunking:
    """As recursive_1100, up to 600 tokens."""
    return replace(recursive(evidence, size=600), method="recursive_600")


@chunkers.register("recursive", version=1, bounds_size=True, cost=1, on_request=True)
def recursive(evidence: Evidence, *, size: int = 1100, overlap: int = 0, shortest: int = SHORTEST) -> Chunking:
    """The paper's split-then-merge over a whole document, with any size and overlap.

    No chunk has more than `size` tokens, the `overlap` (in tokens, at most) with the chunk before it included;
    only a single grapheme that is larger still becomes a chunk of its own, flagged. A piece shorter than `shortest`
    code points joins the next piece of the same split. An empty text has no chunks; a blank one is cut like any other.
    Raises ValueError unless 0 <= overlap < size and shortest >= 1.
    """
    text = evidence.document.text
    spans = split_recursively(evidence.tokens, Span(0, len(text)), size, overlap=overlap, shortest=shortest)
    return Chunking("recursive", spans, overlap=shared(spans), flags=oversize_flags(evidence.tokens, spans, size))


def split_recursively(
    tokens: TokenIndex,
    span: Span,
    max_tokens: int,
    *,
    overlap: int = 0,
    separators: Sequence[Separator] = PAPER,
    shortest: int = SHORTEST,
) -> tuple[Span, ...]:
    """`recursive` for one span of a text, by any separators."""
    require_room(max_tokens, overlap)
    if shortest < 1:
        raise ValueError(f"shortest must be at least 1 code point, got {shortest}")
    if not span:
        return ()
    cutters: list[Cutter] = [partial(_at_separators, tokens.text, separator, shortest) for separator in separators]
    # Pieces cut by force are as large as the overlap where there is one, or nothing could be repeated.
    cutters.append(partial(_by_force, tokens, overlap or max_tokens))
    edges, sizes = _pieces(tokens, span, max_tokens, cutters)
    return tuple(_merged(tokens, edges, sizes, max_tokens, overlap))


def _at_separators(text: str, separator: Separator, shortest: int, start: int, end: int) -> Iterator[int]:
    """Cuts between graphemes, and none that leaves a short piece before it."""
    for cut in separator(text, start, end):
        if cut - start < shortest or cut == end:
            continue
        if (cut := graphemes.floor(text, cut, start)) - start >= shortest:
            yield cut
            start = cut


def _by_force(tokens: TokenIndex, max_tokens: int, start: int, end: int) -> Iterator[int]:
    """Cuts between graphemes, so that each piece is as long as fits."""
    while (start := longest_prefix(tokens, start, end, max_tokens)) < end:
        yield start


def _pieces(
    tokens: TokenIndex, span: Span, max_tokens: int, cutters: list[Cutter]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Edges between pieces of at most `max_tokens` tokens each, and the pieces' token counts.

    One cutter after the other cuts all pieces that are too large by then; only their parts are counted again.
    """
    edges = np.array([span.start, span.end], np.int64)
    sizes = tokens.counts(edges[:-1], edges[1:])
    for cutter in cutters:
        is_large = sizes > max_tokens
        large = np.flatnonzero(is_large)
        if not large.size:
            break
        pieces = zip(edges[large].tolist(), edges[large + 1].tolist(), strict=True)
        cuts = np.array([cut for start, end in pieces for cut in cutter(start, end)], np.int64)
        finer = np.sort(np.concatenate([edges, cuts]))
        parents = np.searchsorted(edges, finer[:-1], "right") - 1
        edges, sizes = finer, sizes[parents]
        new = is_large[parents]
        sizes[new] = tokens.counts(edges[:-1][new], edges[1:][new])
    return edges, sizes


def _merged(
    tokens: TokenIndex, edges: NDArray[np.int64], sizes: NDArray[np.int64], max_tokens: int, overlap: int
) -> Iterator[Span]:
    """Runs of pieces, each as long as the sum of their sizes fits, opening with what fits of the run before."""
    total = [0, *np.cumsum(sizes).tolist()]
    at = edges.tolist()

    # Sums lead to where to look, but pieces of one word may need more tokens together than alone.
    def fits(first: int, last: int) -> bool:
        return tokens.count(at[first], at[last]) <= max_tokens

    def may_repeat(last: int, first: int) -> bool:
        return tokens.count(at[first], at[last]) <= overlap and fits(first, last + 1)

    first = last = 0
    while True:
        longest = max(bisect_right(total, total[first] + max_tokens) - 1, last + 1)
        last = longest - bisect_left(range(longest, last + 1, -1), True, key=partial(fits, first))
        yield Span(at[first], at[last])
        if last == len(sizes):
            return
        earliest = max(
            first + 1, bisect_left(total, total[last] - overlap), bisect_left(total, total[last + 1] - max_tokens)
        )
        candidates = range(min(earliest, last), last)
        first = candidates.start + bisect_left(candidates, True, key=partial(may_repeat, last))
