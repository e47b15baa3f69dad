"""Texts above a model's length in windows, and their vectors pooled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit import graphemes
from chunkfit.tokens import TokenIndex


@dataclass(frozen=True, slots=True)
class Window:
    text: str
    tokens: int  # o200k_base


def windows(text: str, most: int) -> list[Window]:
    """The text in windows of at most `most` tokens that tile it, less those that are blank; itself if it is shorter.

    A window ends before blanks where its second half has any, else at the edge of a grapheme cluster where it has one.
    """
    index = TokenIndex(text)
    if index.total <= most:
        return [Window(text, index.total)]
    found, start = [], 0
    while start < len(text):
        end = _end(text, start, max(index.longest(start, most), start + 1))
        if not text[start:end].isspace():
            found.append(Window(text[start:end], index.count(start, end)))
        start = end
    return found


def pooled(vectors: NDArray[np.float32], tokens: Sequence[int]) -> NDArray[np.float32]:
    """Their mean weighted by tokens: [windows, dimensions] to [dimensions]. One vector alone stays as it is."""
    if len(vectors) == 1:
        only: NDArray[np.float32] = vectors[0]
        return only
    mean: NDArray[np.float64] = np.average(vectors.astype(np.float64), axis=0, weights=tokens)
    return mean.astype(np.float32)


def _end(text: str, start: int, furthest: int) -> int:
    if furthest == len(text):
        return furthest
    for end in range(furthest, (start + furthest) // 2, -1):
        if text[end].isspace() and not text[end - 1].isspace():
            return end
    edge = graphemes.floor(text, furthest, start)
    return edge if edge > start else furthest
