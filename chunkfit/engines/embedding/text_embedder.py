"""Vectors of spans from a model that reads texts, each distinct text once."""

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.claims import Claims
from chunkfit.engines.embedding.spans import checked
from chunkfit.engines.embedding.vector_store import KEY_BYTES, VectorStore
from chunkfit.engines.protocols import SpanVectors, TextModel
from chunkfit.errors import MethodFailed
from chunkfit.model import Document
from chunkfit.storage import Store
from chunkfit.usage import Usage

Offsets = NDArray[np.int64]
Spend = Callable[[Usage], None]

_KEPT_AT_ONCE = 512  # texts: what an interrupted run loses at most
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class TextEmbedder:
    """An embedder of any text model: the vector of a span is that of its text read alone, scaled to length 1.

    A text is read once per model, ever: within a document, by all documents, threads and later runs, as long as they
    share the store; without one, as long as this object lives. Only two processes that meet a text at the same moment
    may both read it. Spans without a visible character have zeros, and the model never sees them.

    `texts_at_once` is how many texts the model is given in one call, texts of about one length together. Threads may
    share it, each with documents of its own.
    """

    def __init__(self, model: TextModel, store: Store | None = None, *, texts_at_once: int = 64) -> None:
        if texts_at_once < 1:
            raise ValueError(f"texts_at_once must be at least 1, got {texts_at_once}")
        self._model = model
        self._at_once = texts_at_once
        self._kept = VectorStore(store, model.id)
        self._claims = Claims()

    @property
    def id(self) -> str:
        return self._model.id

    def embed(self, document: Document) -> SpanVectors:
        return TextSpanVectors(document, self)

    def vectors(self, texts: Sequence[str], document: str, spend: Spend) -> NDArray[np.float32]:
        """A row of length 1 per text, in order; no text is blank. `spend` is told what the model has read.

        Raises MethodFailed, naming the document, where the model gives other than one finite row of the usual length
        per text. What it gave before is kept.
        """
        keys = [_key(text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        distinct = list(by_key)
        known, rows = self._kept.find(distinct)
        while not known.all():
            mine, others = self._claims.claim(distinct[number] for number in np.flatnonzero(~known))
            try:
                made, _ = self._kept.find(mine)  # by a thread that released it before it was claimed
                self._read(
                    {key: by_key[key] for key, done in zip(mine, made, strict=True) if not done}, document, spend
                )
            finally:
                self._claims.release(mine)
            for other in others:
                other.wait()
            known, rows = self._kept.find(distinct)
        place = {key: number for number, key in enumerate(distinct)}
        return rows[[place[key] for key in keys]]

    def width(self, document: str, spend: Spend) -> int:
        """How many numbers a vector has. Asks the model for one where that is not known yet."""
        return self._kept.dimensions or self.vectors(["a"], document, spend).shape[1]

    def _read(self, texts: dict[bytes, str], document: str, spend: Spend) -> None:
        """Ask the model for vectors, and keep them, some batches at once."""
        keys = sorted(texts, key=lambda key: len(texts[key]))
        together = self._at_once * max(1, _KEPT_AT_ONCE // self._at_once)
        for first in range(0, len(keys), together):
            some = keys[first : first + together]
            made = np.empty((0, self._kept.dimensions), np.float32)
            try:
                for start in range(0, len(some), self._at_once):
                    batch = [texts[key] for key in some[start : start + self._at_once]]
                    rows = self._asked(batch, document, spend, width=made.shape[1])
                    made = np.concatenate([made, rows]) if len(made) else rows
            finally:
                self._kept.add(some[: len(made)], made)

    def _asked(self, batch: list[str], document: str, spend: Spend, width: int) -> NDArray[np.float32]:
        """The model's vectors of a few texts, scaled. `width` is how long they must be, 0 where nothing is known."""
        embedded = self._model.vectors([_LONE_SURROGATE.sub("\ufffd", text) for text in batch])
        spend(embedded.usage)
        rows = np.asarray(embedded.vectors, np.float64)
        at = f"document {document!r}: the model {self.id}"
        if rows.ndim != 2 or len(rows) != len(batch) or not rows.shape[1]:
            raise MethodFailed(
                f"{at} gave an array of shape {rows.shape} for {len(batch)} texts; it must give one vector for each, "
                "in order. A model that leaves texts out cannot be used"
            )
        if width and rows.shape[1] != width:
            raise MethodFailed(
                f"{at} gave vectors of {rows.shape[1]} numbers, and had given {width} before; "
                f"where it has changed under its name, name a revision, or remove {self._kept.folder} from the store"
            )
        unfit = ~np.isfinite(rows).all(axis=1)
        if unfit.any():
            example = batch[int(np.argmax(unfit))]
            raise MethodFailed(
                f"{at} gave NaN or infinity for {int(unfit.sum())} of {len(batch)} texts, such as {example[:60]!r}; "
                "nothing of them was kept"
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


class TextSpanVectors:
    """Vectors of any span of one document, each the model's for the text of the span alone."""

    def __init__(self, document: Document, embedder: TextEmbedder) -> None:
        self._document = document
        self._embedder = embedder
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
        visible = [number for number, one in enumerate(texts) if one.strip()]
        if not visible:
            width = self._embedder.width(name, self._spend) if text.strip() else 0
            return np.zeros((len(texts), width), np.float32)
        rows = self._embedder.vectors([texts[number] for number in visible], name, self._spend)
        result = np.zeros((len(texts), rows.shape[1]), np.float32)
        result[visible] = rows
        return result

    def _spend(self, usage: Usage) -> None:
        self._usage += usage


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:KEY_BYTES]
