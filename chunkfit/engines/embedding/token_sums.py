"""Means over the tokens of any span, from sums of their vectors."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.arrays import Arrays

Offsets = NDArray[np.int64]

_STRETCH = 32  # tokens: as long as a sum may grow in single precision
_STRETCHES_AT_ONCE = 1024


@dataclass(frozen=True, eq=False)
class TokenSums:
    """Sums of token vectors from which those over any run of tokens follow, four bytes a number of each token."""

    begins: Offsets  # of each token: the code point of its first visible character
    near: NDArray[np.float32]  # [tokens and some, dimensions]: the sum of those before it in its stretch of 32
    far: NDArray[np.float64]  # [stretches, dimensions]: the sum of all before the stretch; it grows long

    @classmethod
    def of(cls, arrays: Arrays) -> "TokenSums":
        return cls(arrays["begins"], arrays["near"], arrays["far"])

    def arrays(self) -> Arrays:
        return {"begins": self.begins, "near": self.near, "far": self.far}

    def means(self, starts: Offsets, ends: Offsets) -> NDArray[np.float32]:
        """The mean over the tokens that begin in each span, scaled to length 1: [spans, dimensions].

        Where none does, the last token before it; zeros for an empty span, and where the text has no token.
        """
        first, behind = np.searchsorted(self.begins, starts), np.searchsorted(self.begins, ends)
        inside_one = (starts < ends) & (first == behind)
        first = np.where(inside_one, np.maximum(first - 1, 0), first)
        behind = np.where(inside_one, np.minimum(first + 1, len(self.begins)), behind)
        sums = self._before(behind) - self._before(first)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        means: NDArray[np.float32] = (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return means

    def _before(self, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        before: NDArray[np.float64] = self.far[tokens // _STRETCH] + self.near[tokens]
        return before


def summed(begins: Offsets, rows: Iterable[NDArray[np.float32]], tokens: int) -> TokenSums:
    """The sums of `tokens` vectors that come as blocks of rows, in order."""
    stretches = tokens // _STRETCH + 1
    near, filled = np.zeros((stretches * _STRETCH, 0), np.float32), 0
    for block in rows:
        if not filled:
            near = np.zeros((stretches * _STRETCH, block.shape[1]), np.float32)
        near[filled : filled + len(block)] = block
        filled += len(block)
    by_stretch = near.reshape(stretches, _STRETCH, -1)
    far = np.zeros((stretches + 1, near.shape[1]))
    for first in range(0, stretches, _STRETCHES_AT_ONCE):
        some = by_stretch[first : first + _STRETCHES_AT_ONCE]
        through = np.cumsum(some, axis=1)
        far[first + 1 : first + 1 + len(some)] = through[:, -1]
        some[:, 0] = 0
        some[:, 1:] = through[:, :-1]
    np.cumsum(far, axis=0, out=far)
    return TokenSums(begins, near, far[:-1])
