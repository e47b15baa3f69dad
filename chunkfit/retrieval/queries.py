"""Search queries, prepared once for any number of indexes."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines import Embedder
from chunkfit.retrieval.words import terms
from chunkfit.usage import Usage


class Queries:
    """Texts to search for, with the vector and the words of each, made on first use.

    Lexical search never asks the embedder. Making the vectors raises what the embedder raises.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self.texts = tuple(texts)
        self.embedder = embedder
        self.usage = Usage()  # what the embedder has read so far

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """[queries, dimensions]: of length 1, or zeros for a text without tokens."""
        return self.embedder.queries(self.texts, self._spend)

    @cached_property
    def terms(self) -> tuple[tuple[str, ...], ...]:
        """The words of each query."""
        return tuple(map(terms, self.texts))

    def _spend(self, usage: Usage) -> None:
        self.usage += usage
