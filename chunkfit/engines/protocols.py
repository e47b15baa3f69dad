"""The protocols that engines follow, and the set of engines that one run uses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.language_models import LanguageModel
from chunkfit.model import Document, Mentions, Span
from chunkfit.usage import Usage

Spend = Callable[[Usage], None]
"""Told of what a model has read, as soon as it has."""


class SpanVectors(Protocol):
    """Vectors of spans of one document."""

    def __call__(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float32]:
        """A row per span `[starts[i], ends[i])` in code points: a unit vector, or zeros where there are no tokens."""
        ...

    @property
    def usage(self) -> Usage:
        """What has been read so far for this document's vectors."""
        ...


class Embedder(Protocol):
    @property
    def id(self) -> str:
        """Model and revision, for instance "wordllama/l2_supercat_256"."""
        ...

    def embed(self, document: Document) -> SpanVectors:
        """Read the document once; any of its spans can be asked for afterwards."""
        ...

    def queries(self, texts: Sequence[str], spend: Spend | None = None) -> NDArray[np.float32]:
        """Vectors of search queries, to be compared with those of spans: [texts, dimensions].

        Unit vectors, or zeros for a text without tokens. A model that reads queries under another prompt than
        documents does so here. `spend` is told what was read; what was known already is no part of it.
        """
        ...


@dataclass(frozen=True, eq=False)
class Embedded:
    """What a text model gives for a list of texts."""

    vectors: NDArray[np.float32]  # [texts, dimensions], as the model gives them, not yet of length 1
    usage: Usage  # characters and texts read, and for a service calls, tokens and cost


class TextModel(Protocol):
    """Any model that turns texts into vectors, local or remote. `TextEmbedder` makes an embedder of it."""

    @property
    def id(self) -> str:
        """Model and revision, and every setting that changes a vector."""
        ...

    def vectors(self, texts: Sequence[str]) -> Embedded:
        """A row per text, in order; no text is blank.

        A text above the model's length is read in windows, and their vectors pooled: nothing is cut off. Raises
        EngineUnavailable where the model cannot be reached.
        """
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
class Question:
    """What a chat model is asked. Equal questions have equal answers in a replayed run."""

    system: str
    user: str
    schema: Mapping[str, Any] | None = None  # JSON schema of the answer, for servers that keep to one
    attempt: int = 0  # counts up where the same is asked again after a useless answer


@dataclass(frozen=True)
class Answer:
    text: str
    usage: Usage = Usage()  # noqa: RUF009 - frozen


class ChatModel(Protocol):
    @property
    def id(self) -> str: ...

    def ask(self, question: Question) -> Answer:
        """The model's answer, empty where it is of no use.

        Raises EngineUnavailable where the server cannot be reached, EngineRefused where it will not answer, BudgetSpent
        where the run may ask no more, MethodFailed where it can never answer this: the question is too long.
        """
        ...


@dataclass(frozen=True)
class Engines:
    """The engines of one run. Those that are None are not configured: methods that ask for them are skipped."""

    embedder: Embedder
    segmenter: Segmenter
    coreference: CoreferenceResolver
    chat: ChatModel | None = None
    language_model: LanguageModel | None = None
