"""Vectors of spans and of queries from a model that reads texts, each distinct text once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.spans import checked
from chunkfit.engines.embedding.text_vectors import TextVectors, unnoted
from chunkfit.engines.protocols import SpanVectors, Spend, TextModel
from chunkfit.model import Document
from chunkfit.storage import Store
from chunkfit.usage import Usage

Offsets = NDArray[np.int64]


class TextEmbedder:
    """An embedder of any text model: the vector of a span is that of its text read alone, scaled to length 1.

    A text is read once per model, ever: within a document, by all documents, threads and later runs, as long as they
    share the store; without one, as long as this object lives. Only two processes that meet a text at the same moment
    may both read it. Spans without a visible character have zeros, and the model never sees them.

    `query_model` reads search queries where the model should not: the same one under another prompt, for instance.
    `texts_at_once` is how many texts the model is given in one call, texts of about one length together. Threads may
    share it, each with documents of its own.
    """

    def __init__(
        self,
        model: TextModel,
        store: Store | None = None,
        *,
        query_model: TextModel | None = None,
        texts_at_once: int = 64,
    ) -> None:
        self._texts = TextVectors(model, store, texts_at_once=texts_at_once)
        self._queries = (
            self._texts if query_model is None else TextVectors(query_model, store, texts_at_once=texts_at_once)
        )

    @property
    def id(self) -> str:
        same = self._queries is self._texts
        return self._texts.id if same else f"{self._texts.id} queries={self._queries.id}"

    def embed(self, document: Document) -> SpanVectors:
        return TextSpanVectors(document, self._texts)

    def queries(self, texts: Sequence[str], spend: Spend | None = None) -> NDArray[np.float32]:
        """A row per text; zeros where it is blank. Raises MethodFailed where the model gives no usable vectors."""
        return self._queries.rows(texts, "queries", spend or unnoted)


class TextSpanVectors:
    """Vectors of any span of one document, each the model's for the text of the span alone."""

    def __init__(self, document: Document, vectors: TextVectors) -> None:
        self._document = document
        self._vectors = vectors
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What the model has read for this document; what was known already is no part of it."""
        return self._usage

    def __call__(self, starts: Offsets, ends: Offsets) -> NDArray[np.float32]:
        """One row per span. Raises ValueError where a span leaves the text, MethodFailed as the embedder does."""
        text, name = self._document.text, self._document.name
        starts, ends = checked(starts, ends, len(text))
        texts = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        of = f"document {name!r}"
        if text.strip() and not any(one.strip() for one in texts):
            return np.zeros((len(texts), self._vectors.width(of, self._spend)), np.float32)
        return self._vectors.rows(texts, of, self._spend)

    def _spend(self, usage: Usage) -> None:
        self._usage += usage
