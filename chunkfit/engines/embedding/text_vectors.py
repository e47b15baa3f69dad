"""Vectors of texts from a model that reads texts, each distinct text once."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.claims import Claims
from chunkfit.engines.embedding.vector_store import KEY_BYTES, VectorStore
from chunkfit.engines.protocols import Spend, TextModel
from chunkfit.errors import MethodFailed
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.storage import Store
from chunkfit.usage import Usage

_KEPT_AT_ONCE = 512  # texts: what an interrupted run loses at most


class TextVectors:
    """Vectors of texts by one model, each distinct text read once, ever. Threads may share it."""

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

    def rows(self, texts: Sequence[str], of: str, spend: Spend) -> NDArray[np.float32]:
        """A row of length 1 per text, in order; zeros where one is blank, and the model does not see it.

        Where all are blank and no vector is known yet, rows have no numbers at all; `width` makes sure of one.
        `spend` is told what the model has read. Raises MethodFailed, naming what the texts are of, where the model
        gives other than one finite row of the usual length per text. What it gave before is kept.
        """
        visible = [number for number, text in enumerate(texts) if text.strip()]
        if not visible:
            return np.zeros((len(texts), self._kept.dimensions), np.float32)
        found = self._visible_rows([texts[number] for number in visible], of, spend)
        rows = np.zeros((len(texts), found.shape[1]), np.float32)
        rows[visible] = found
        return rows

    def _visible_rows(self, texts: Sequence[str], of: str, spend: Spend) -> NDArray[np.float32]:
        keys = [_key(text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        distinct = list(by_key)
        known, rows = self._kept.find(distinct)
        while not known.all():
            mine, others = self._claims.claim(distinct[number] for number in np.flatnonzero(~known))
            try:
                made, _ = self._kept.find(mine)  # by a thread that released it before it was claimed
                self._read({key: by_key[key] for key, done in zip(mine, made, strict=True) if not done}, of, spend)
            finally:
                self._claims.release(mine)
            for other in others:
                other.wait()
            known, rows = self._kept.find(distinct)
        place = {key: number for number, key in enumerate(distinct)}
        return rows[[place[key] for key in keys]]

    def width(self, of: str, spend: Spend) -> int:
        """How many numbers a vector has. Asks the model for one where that is not known yet."""
        return self._kept.dimensions or self._visible_rows(["a"], of, spend).shape[1]

    def _read(self, texts: dict[bytes, str], of: str, spend: Spend) -> None:
        """Ask the model for vectors, and keep them, some batches at once."""
        keys = sorted(texts, key=lambda key: len(texts[key]))
        together = self._at_once * max(1, _KEPT_AT_ONCE // self._at_once)
        for first in range(0, len(keys), together):
            some = keys[first : first + together]
            made = np.empty((0, self._kept.dimensions), np.float32)
            try:
                for start in range(0, len(some), self._at_once):
                    batch = [texts[key] for key in some[start : start + self._at_once]]
                    rows = self._asked(batch, of, spend, width=made.shape[1])
                    made = np.concatenate([made, rows]) if len(made) else rows
            finally:
                self._kept.add(some[: len(made)], made)

    def _asked(self, batch: list[str], of: str, spend: Spend, width: int) -> NDArray[np.float32]:
        """The model's vectors of a few texts, scaled. `width` is how long they must be, 0 where nothing is known."""
        embedded = self._model.vectors([without_lone_surrogates(text) for text in batch])
        spend(embedded.usage)
        rows = np.asarray(embedded.vectors, np.float64)
        at = f"{of}: the model {self.id}"
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


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:KEY_BYTES]


def unnoted(usage: Usage) -> None:
    """For those who do not ask what was read."""
