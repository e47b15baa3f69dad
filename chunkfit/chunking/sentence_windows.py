"""How far each sentence is from the next in meaning, each read with its neighbours."""

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from chunkfit.chunking.sizes import grapheme_floors
from chunkfit.chunking.span_vectors import checked, in_batches
from chunkfit.evidence import Evidence

Windows = Literal["paper", "langchain"]


def require_windows(windows: str) -> None:
    """Raise ValueError for windows that nobody knows."""
    if windows not in get_args(Windows):
        raise ValueError(f"windows must be one of {', '.join(get_args(Windows))}, got {windows!r}")


def sentence_edges(evidence: Evidence) -> NDArray[np.int64]:
    """Where sentences meet, both ends of the text included, none inside a grapheme; none at all in an empty text."""
    text = evidence.document.text
    if not text:
        return np.empty(0, np.int64)
    inner = grapheme_floors(text, (sentence.end for sentence in evidence.sentences[:-1]))
    return np.unique([0, *inner, len(text)]).astype(np.int64)


def window_distances(
    evidence: Evidence, edges: NDArray[np.int64], *, buffer: int, windows: Windows, batch: int
) -> NDArray[np.float64]:
    """Cosine distance between each window and the next: one less than there are sentences.

    A window is a sentence with `buffer` sentences on each side. Those near an end of the text lack neighbours there.
    With "paper" the sentence at the end stands in for each that is missing: its vector is added once for each, so that
    the first window is not merely a part of the second. With "langchain" windows are as short as they come, and the
    blanks behind the last sentence of a window are left out, as where LangChain's SemanticChunker joins sentences.
    """
    number = np.arange(len(edges) - 1)
    buffer = min(buffer, len(number))  # a wider one finds no more
    starts = edges[np.maximum(number - buffer, 0)]
    ends = edges[np.minimum(number + buffer, len(number) - 1) + 1]
    if windows == "langchain":
        return distances(in_batches(evidence, starts, _without_blanks(evidence, starts, ends), batch))
    return distances(_completed(evidence, edges, starts, ends, buffer, batch))


def distances(batches: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Cosine distance between each vector and the next, over batches that make one sequence.

    A zero vector says nothing: it counts as the one before it, the first ones as the first that says something.
    """
    found: list[NDArray[np.float64]] = []
    last: NDArray[np.float64] | None = None
    for batch in batches:
        rows = batch if last is None else np.concatenate([last, batch])
        known = np.flatnonzero(np.linalg.norm(rows, axis=1) > 0)
        if known.size:
            rows = rows[known[np.maximum(np.searchsorted(known, np.arange(len(rows)), "right") - 1, 0)]]
        lengths = np.linalg.norm(rows, axis=1)
        scale = lengths[:-1] * lengths[1:]
        cosines = np.einsum("ij,ij->i", rows[:-1], rows[1:])
        found.append(np.where(scale > 0, 1 - cosines / np.where(scale > 0, scale, 1), 0.0))
        last = rows[-1:]
    # Vectors are single precision: what is left beyond six digits is noise, and would cut an even text anywhere.
    return np.concatenate(found).round(6) if found else np.empty(0)


def _completed(
    evidence: Evidence,
    edges: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    buffer: int,
    batch: int,
) -> Iterator[NDArray[np.float64]]:
    """The vectors of windows with the first and the last sentence added for each neighbour that is missing."""
    if not buffer:
        yield from in_batches(evidence, starts, ends, batch)
        return
    opening, closing = checked(evidence, edges[[0, -2]], edges[[1, -1]])
    number = np.arange(len(starts))
    before = np.maximum(buffer - number, 0)[:, None]
    behind = before[::-1]
    first = 0
    for vectors in in_batches(evidence, starts, ends, batch):
        some = slice(first, first + len(vectors))
        yield vectors + before[some] * opening + behind[some] * closing
        first += len(vectors)


def _without_blanks(evidence: Evidence, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ends moved in front of the blanks there; a blank window keeps nothing."""
    before = evidence.visible_before
    visible = np.append(np.flatnonzero(np.diff(before)), -1)  # a text of blanks alone has none to point at
    trimmed: NDArray[np.int64] = np.maximum(visible[before[ends] - 1] + 1, starts)
    return trimmed
