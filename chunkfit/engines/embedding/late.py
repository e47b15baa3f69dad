"""Late chunking: read the whole document first, then pool the vectors of each span's tokens."""

import hashlib
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.spans import checked
from chunkfit.engines.embedding.text_vectors import TextVectors, unnoted
from chunkfit.engines.embedding.token_encoder import TokenEncoder, Tokens
from chunkfit.engines.embedding.token_means import TokenMeans
from chunkfit.engines.embedding.token_sums import TokenSums, summed
from chunkfit.engines.embedding.windows import Window, owned, windows
from chunkfit.engines.protocols import SpanVectors, Spend
from chunkfit.errors import EngineRefused, MethodFailed
from chunkfit.model import Document
from chunkfit.storage import Store
from chunkfit.usage import Usage

Offsets = NDArray[np.int64]

_VERSION = 1  # of the vectors, and of how they are kept; part of the id
_TOKENS_AT_ONCE = 16_384  # in one call of the model: short windows go together
_WINDOW_WITHOUT_LIMIT = 8192  # tokens, for models that have none


class Plan(Protocol):
    """How a document is laid before the model."""

    @property
    def name(self) -> str:
        """Part of the embedder's id."""
        ...

    def windows(self, tokens: int, room: int | None) -> list[Window]:
        """Windows that cover the tokens, each within the model's room. Raises MethodFailed where that cannot be."""
        ...


@dataclass(frozen=True)
class Whole:
    """All of a document at once. A longer one fails: what the model does not read has no vector."""

    name = "late"

    def windows(self, tokens: int, room: int | None) -> list[Window]:
        if room is not None and tokens > room:
            raise MethodFailed(
                f"it has {tokens} tokens, and the model reads {room} at once; use late_windowed, which reads it in "
                "overlapping windows"
            )
        return [(0, tokens)]


@dataclass(frozen=True)
class Overlapping:
    """Windows of `size` tokens that share `overlap`: by default all the model reads at once, and a quarter of that.

    Raises ValueError for sizes below 1, and an overlap that is not below the size.
    """

    size: int | None = None
    overlap: int | None = None

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 1:
            raise ValueError(f"window must be at least 1 token, got {self.size}")
        if self.overlap is not None and self.overlap < 0:
            raise ValueError(f"overlap must be at least 0 tokens, got {self.overlap}")
        if self.size is not None and self.overlap is not None and self.overlap >= self.size:
            raise ValueError(f"overlap must be below window={self.size}, got {self.overlap}; try {self.size // 4}")

    @property
    def name(self) -> str:
        given = {"window": self.size, "overlap": self.overlap}
        return " ".join(["late_windowed", *(f"{name}={value}" for name, value in given.items() if value is not None)])

    def windows(self, tokens: int, room: int | None) -> list[Window]:
        """Raises EngineRefused where the model reads less than a window at once."""
        size = self.size or room or _WINDOW_WITHOUT_LIMIT
        if room is not None and size > room:
            raise EngineRefused(
                f"window={size} is more than the model reads at once: {room} tokens; choose at most that"
            )
        return windows(tokens, size, size // 4 if self.overlap is None else self.overlap)


class LateEmbedder:
    """The vector of a span is the mean of its tokens' vectors, each seen beside the rest of the document.

    The model reads the document once, as `plan` lays it out: at once, or in windows, where each token takes its vector
    from the window in which it is furthest from an edge. The mean over a span's tokens is scaled to length 1. A token
    belongs to the span in which its first visible character stands; a span with visible text in which no token begins
    has the token that covers it. Spans without visible text have zeros. So every span has exactly one vector.
    Special tokens of the model belong to no span. A query has the mean over its own tokens, read alone.

    A document's token vectors are kept in the store, four bytes a number: 150 MB for 100,000 tokens of 384 numbers.
    Twice that is the memory needed while it is read; later they are mapped from there. Source: "Late Chunking" (Günther
    et al., arXiv 2409.04701); its long form takes a token from the earlier window instead.
    """

    def __init__(self, encoder: TokenEncoder, plan: Plan, store: Store | None = None) -> None:
        self._encoder = encoder
        self._plan = plan
        self._store = store
        self._queries = TextVectors(TokenMeans(encoder), store)
        self._reading = threading.Lock()  # documents one by one: the model is one, and each takes much memory

    @property
    def id(self) -> str:
        return f"{self._plan.name}/{_VERSION}/{self._encoder.id}"

    def embed(self, document: Document) -> SpanVectors:
        return LateSpanVectors(document, self)

    def queries(self, texts: Sequence[str], spend: Spend | None = None) -> NDArray[np.float32]:
        """A row per text; zeros where it is blank. Raises MethodFailed where the model gives no usable vectors."""
        return self._queries.rows(texts, "queries", spend or unnoted)

    def read(self, document: Document) -> tuple[TokenSums, Usage]:
        """The tokens of a document, from the store where they are, and what the model had to read for it.

        Raises MethodFailed, naming the document, where it cannot be laid out or has vectors that are not finite.
        """
        content = f"{self.id}\0".encode() + document.text.encode("utf-8", "surrogatepass")
        key = hashlib.sha256(content).hexdigest()
        path = f"token_vectors/{key[:2]}/{key}"
        with self._reading:
            kept = self._store.arrays(path) if self._store else None
            if kept is not None:
                return TokenSums.of(kept), Usage()
            sums, usage = self._made(document)
            if self._store:
                self._store.put_arrays(path, sums.arrays())
                kept = self._store.arrays(path)
            return sums if kept is None else TokenSums.of(kept), usage  # mapped: memory is free for the next one

    def _made(self, document: Document) -> tuple[TokenSums, Usage]:
        tokens = self._encoder.tokens(document.text)
        try:
            found = self._plan.windows(len(tokens), self._encoder.room) if len(tokens) else []
        except MethodFailed as problem:
            raise MethodFailed(f"document {document.name!r}: {problem}") from problem
        sums = summed(_begins(tokens, document.text), self._rows(tokens, found, document.name), len(tokens))
        edges = np.append(tokens.starts, len(document.text))
        read = sum(int(edges[behind] - edges[first]) for first, behind in found)
        return sums, Usage(characters=read, texts=len(found))

    def _rows(self, tokens: Tokens, found: list[Window], name: str) -> Iterable[NDArray[np.float32]]:
        """The vectors of all tokens in order, a window's own at once."""
        owns = owned(found) if found else []
        together = max(1, _TOKENS_AT_ONCE // max((behind - first for first, behind in found), default=1))
        for start in range(0, len(found), together):
            some = found[start : start + together]
            given = self._encoder.encode([tokens.ids[first:behind] for first, behind in some])
            for window, own, rows in zip(some, owns[start : start + together], given, strict=True):
                if rows.shape[:1] != (window[1] - window[0],) or not np.isfinite(rows).all():
                    raise MethodFailed(
                        f"document {name!r}: the model {self.id} gave {len(rows)} vectors for {window[1] - window[0]} "
                        "tokens, or NaN or infinity among them; use another model, or another device or precision"
                    )
                yield rows[own[0] - window[0] : own[1] - window[0]]


class LateSpanVectors:
    """Vectors of any span of one document, pooled from the vectors of its tokens."""

    def __init__(self, document: Document, embedder: LateEmbedder) -> None:
        self._document = document
        self._embedder = embedder
        self._sums: TokenSums | None = None
        self._visible = _visible(document.text)
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What the model has read: the document, and what its windows share again; nothing where it was kept."""
        return self._usage

    def __call__(self, starts: Offsets, ends: Offsets) -> NDArray[np.float32]:
        """One row per span. Raises ValueError where a span leaves the text, MethodFailed as the embedder does."""
        starts, ends = checked(starts, ends, len(self._document.text))
        if not len(self._visible):
            return np.zeros((len(starts), 0), np.float32)
        if self._sums is None:
            self._sums, self._usage = self._embedder.read(self._document)
        rows = self._sums.means(starts, ends)
        rows[np.searchsorted(self._visible, starts) == np.searchsorted(self._visible, ends)] = 0
        return rows


def _visible(text: str) -> Offsets:
    return np.flatnonzero(~np.fromiter(map(str.isspace, text), bool, len(text)))


def _begins(tokens: Tokens, text: str) -> Offsets:
    """Where each token begins to be seen: tokens of some models begin with the blank before a word."""
    visible = np.append(_visible(text), len(text))
    seen = visible[np.searchsorted(visible, tokens.starts)]
    begins: Offsets = np.maximum.accumulate(np.where(seen < tokens.ends, seen, tokens.starts))
    return begins
