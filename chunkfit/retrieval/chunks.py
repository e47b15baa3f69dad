"""The chunks of one or several documents as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import offsets


@dataclass(frozen=True, eq=False)
class Chunks:
    """A row per chunk, document by document. The number of a row is the number of the chunk in every ranking."""

    documents: NDArray[np.int64]  # the number of its document, ascending
    starts: NDArray[np.int64]  # code points of that document's text
    ends: NDArray[np.int64]
    tokens: NDArray[np.int64]  # o200k_base, as if the chunk were encoded alone

    @classmethod
    def of(cls, pairs: Sequence[tuple[Evidence, Chunking]]) -> "Chunks":
        """The chunks of each document in the order of the pairs."""
        edges = [offsets(chunking.spans) for _, chunking in pairs]
        tokens = [evidence.tokens.counts(*own) for (evidence, _), own in zip(pairs, edges, strict=True)]
        numbers = np.repeat(np.arange(len(pairs)), [len(starts) for starts, _ in edges])
        starts, ends = ([own[side] for own in edges] for side in (0, 1))
        return cls(numbers, _joined(starts), _joined(ends), _joined(tokens))

    def __len__(self) -> int:
        return len(self.starts)

    def of_document(self, number: int) -> slice:
        """Where the chunks of a document are."""
        first, behind = np.searchsorted(self.documents, [number, number + 1]).tolist()
        return slice(first, behind)

    def enough(self, tokens: int) -> int:
        """How many chunks hold at least so many tokens whichever they are; all chunks where they hold fewer."""
        smallest_first = np.cumsum(np.sort(self.tokens))
        return min(int(np.searchsorted(smallest_first, tokens)) + 1, len(self))


def _joined(columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.empty(0, np.int64), *columns])
