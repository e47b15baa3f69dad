"""The protocols that engines follow, and the set of engines that one run uses."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkfit.model import Document, Mentions, Span


class SpanVectors(Protocol):
    """Vectors of spans of one document."""

    def __call__(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float32]:
        """A row per span `[starts[i], ends[i])` in code points: a unit vector, or zeros where there are no tokens."""
        ...


class Embedder(Protocol):
    @property
    def id(self) -> str:
        """Model and revision, for instance "wordllama/l2_supercat_256"."""
        ...

    def embed(self, document: Document) -> SpanVectors:
        """Read the document once; any of its spans can be asked for afterwards."""
        ...


class Segmenter(Protocol):
    @property
    def id(self) -> str: ...

    def sentences(self, text: str) -> tuple[Span, ...]:
        """Sentences that tile the text: each owns the blanks behind it. () for an empty text."""
        ...


class CoreferenceResolver(Protocol):
    @property
    def id(self) -> str: ...

    def resolve(self, document: Document) -> Mentions: ...


@dataclass(frozen=True)
class Engines:
    """The engines of one run."""

    embedder: Embedder
    segmenter: Segmenter
    coreference: CoreferenceResolver
