"""Vectors of texts from a server's embeddings API."""

import base64
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.protocols import Embedded
from chunkfit.engines.remote.batches import batches
from chunkfit.engines.remote.connection import Connection
from chunkfit.engines.remote.failures import Garbled, Refused
from chunkfit.engines.remote.text import sendable
from chunkfit.engines.remote.windows import Window, pooled, windows
from chunkfit.usage import Usage

logger = logging.getLogger(__name__)

_SHORTEST_WINDOW = 8  # tokens: a server that refuses even this does not refuse it for its length


@dataclass(frozen=True)
class Reading:
    """How texts are sent."""

    dimensions: int | None
    batch_size: int  # texts a request
    max_batch_tokens: int  # tokens (o200k_base) a request
    max_tokens: int  # tokens (o200k_base) a text; longer ones go in windows
    concurrency: int  # requests at once
    price: float  # of a million tokens


class RemoteTextModel:
    """A text model behind an OpenAI-compatible embeddings API.

    A text above `max_tokens` is sent in windows, whose vectors are averaged by their tokens. A server that still finds
    a request too large gets it in halves. Each answer has to hold one finite vector of the same length for each text,
    told apart by its index; any other is asked for again, and in the end EngineUnavailable says what was wrong with it.
    Tokens are as the server counts them, or as o200k_base does where it does not say. Threads may share it.
    """

    def __init__(self, id: str, connection: Connection, reading: Reading) -> None:
        self.id = id
        self._connection = connection
        self._reading = reading
        self._as_base64 = True  # a quarter of the bytes; servers that do not know it send numbers, or refuse
        self._length = _Length(reading.dimensions)

    def vectors(self, texts: Sequence[str]) -> Embedded:
        """A row per text. Raises EngineUnavailable where the server cannot be reached or does not do what it should."""
        of_texts = [windows(sendable(text), self._reading.max_tokens) for text in texts]
        asked = [window for of_text in of_texts for window in of_text]
        limits = self._reading.batch_size, self._reading.max_batch_tokens
        parts = [asked[some] for some in batches([window.tokens for window in asked], *limits)]
        got = _together(self._embedded, parts, self._reading.concurrency)
        edges = accumulate(map(len, of_texts), initial=0)
        rows = np.concatenate([one.vectors for one in got]) if got else np.empty((0, 0), np.float32)
        found = [
            pooled(rows[start:end], [window.tokens for window in asked[start:end]]) for start, end in pairwise(edges)
        ]
        read = Usage(characters=sum(map(len, texts)), texts=len(texts))
        vectors = np.stack(found) if found else rows
        return Embedded(vectors, sum((one.usage for one in got), read))

    def _embedded(self, asked: Sequence[Window]) -> Embedded:
        """A row per window."""
        try:
            return self._once(asked)
        except Refused as refusal:
            smaller = self._milder(refusal, asked)
        got = [self._embedded(half) for half in smaller]
        vectors = np.concatenate([half.vectors for half in got])
        if len(asked) == 1 and len(smaller) > 1:
            vectors = pooled(vectors, [window.tokens for half in smaller for window in half])[None]
        return Embedded(vectors, sum((half.usage for half in got), Usage()))

    def _milder(self, refusal: Refused, asked: Sequence[Window]) -> list[Sequence[Window]]:
        """The requests to try instead of one that was refused. Raises the refusal where there are none."""
        if self._as_base64 and "encoding_format" in refusal.failure.words:
            self._as_base64 = False
            return [asked]
        smaller = _halves(asked) if refusal.failure.is_too_large else []
        if not smaller:
            raise refusal
        logger.warning("%s; it is sent in parts. Lower batch_size or max_tokens in the embedder's settings", refusal)
        return smaller

    def _once(self, asked: Sequence[Window]) -> Embedded:
        body: dict[str, Any] = {"model": self._connection.model, "input": [window.text for window in asked]}
        body["encoding_format"] = "base64" if self._as_base64 else "float"
        if self._reading.dimensions is not None:
            body["dimensions"] = self._reading.dimensions
        answer = self._connection.ask(
            lambda client: client.embeddings.with_raw_response.create(**body),
            lambda payload: (self._length.checked(vectors_in(payload, len(asked))), tokens_in(payload)),
        )
        vectors, told = answer.value
        tokens = sum(window.tokens for window in asked) if told is None else told
        return Embedded(
            vectors, Usage(calls=answer.calls, tokens_in=tokens, cost=tokens * self._reading.price / 1_000_000)
        )


class _Length:
    """The one length that all vectors of a model have."""

    def __init__(self, dimensions: int | None) -> None:
        self._dimensions = dimensions
        self._wanted = dimensions
        self._lock = threading.Lock()

    def checked(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """The vectors. Raises Garbled where they are of another length."""
        got = vectors.shape[1]
        with self._lock:
            self._dimensions = self._dimensions or got
            if got == self._dimensions:
                return vectors
        if self._wanted:
            raise Garbled(
                f"vectors of {got} dimensions instead of {self._wanted}; does it know the setting dimensions?"
            )
        raise Garbled(f"vectors of {got} dimensions after some of {self._dimensions}")


def vectors_in(payload: Any, count: int) -> NDArray[np.float32]:
    """The vectors of an answer by their index: [count, dimensions].

    Raises Garbled unless there is exactly one finite vector for each index and all are of the same length.
    """
    items = payload.get("data") if isinstance(payload, dict) else None
    if not isinstance(items, list):
        raise Garbled("no list of vectors")
    if len(items) != count:
        raise Garbled(f"{len(items)} vectors for {count} texts")
    by_index = {
        item["index"]: item.get("embedding")
        for item in items
        if isinstance(item, dict) and isinstance(item.get("index"), int)
    }
    if set(by_index) != set(range(count)):
        raise Garbled(f"vectors that do not have the indices 0 to {count - 1}, each once")
    rows = [_vector(by_index[number]) for number in range(count)]
    if len({len(row) for row in rows}) > 1:
        raise Garbled("vectors of different lengths")
    vectors = np.stack(rows)
    if not np.isfinite(vectors).all():
        raise Garbled("a vector with values that are not finite")
    return vectors


def tokens_in(payload: Any) -> int | None:
    """The tokens that the server counted; None where it does not say."""
    usage = payload.get("usage") or {}
    counts = [usage.get(name) for name in ("prompt_tokens", "total_tokens")] if isinstance(usage, dict) else []
    return next((count for count in counts if isinstance(count, int) and count > 0), None)


def _vector(embedding: Any) -> NDArray[np.float32]:
    """From a list of numbers, or base64 of little-endian 32-bit floats, which the client asks for by default."""
    try:
        if isinstance(embedding, str):
            vector = np.frombuffer(base64.b64decode(embedding, validate=True), "<f4").astype(np.float32)
        else:
            with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused as that
                vector = np.asarray(embedding, np.float32)
    except (ValueError, TypeError, OverflowError):
        raise Garbled("a vector that is no list of numbers") from None
    if vector.ndim != 1 or not vector.size:
        raise Garbled("a vector that is no list of numbers")
    return vector


def _halves(asked: Sequence[Window]) -> list[Sequence[Window]]:
    """Smaller requests: half of the windows each, or of the only one; none where that ends."""
    if len(asked) > 1:
        middle = len(asked) // 2
        return [asked[:middle], asked[middle:]]
    if asked[0].tokens <= _SHORTEST_WINDOW:
        return []
    return [[half] for half in windows(asked[0].text, (asked[0].tokens + 1) // 2)]


def _together(
    work: Callable[[Sequence[Window]], Embedded], parts: Sequence[Sequence[Window]], at_once: int
) -> list[Embedded]:
    """The work on each part, in order. The first failure is raised, and what has not begun by then never does."""
    if len(parts) < 2 or at_once == 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(min(at_once, len(parts)), "embeddings") as pool:
        futures = [pool.submit(work, part) for part in parts]
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
