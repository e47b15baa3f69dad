"""Any sentence-transformers model as a text model: texts above its length are read in windows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.encoder import Encoder
from chunkfit.engines.protocols import Embedded
from chunkfit.errors import EngineRefused
from chunkfit.usage import Usage

_VERSION = 1  # of how long texts are read; part of the id
_OVERLAP = 1 / 16  # of a window: a sentence at its edge is rarely cut in both


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    tokens: int


class SentenceModel:
    """The vectors that `SentenceTransformer.encode` gives, and for a text above the model's length a pooled one.

    Such a text is read in windows as long as the model takes beside its prompt and its special tokens, each reaching
    back over a sixteenth of a window; its vector is

        sum(tokens of a window * vector of the window) / sum(tokens of a window)

    with the vectors as the model gives them. Windows end between tokens and never inside a character. Unlike `encode`,
    a special token that is spelt in a text is plain text.
    """

    def __init__(self, encoder: Encoder, *, batch_size: int = 32, prompt_name: str | None = None) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, got {batch_size}")
        self._encoder = encoder
        self._batch_size = batch_size
        self._prompt_name = prompt_name

    @property
    def id(self) -> str:
        prompt = "" if self._prompt_name is None else f" prompt={self._prompt_name}"
        return f"sentence_transformers/{_VERSION}/{self._encoder.id}{prompt}"

    def vectors(self, texts: Sequence[str]) -> Embedded:
        """A row per text. Raises EngineUnavailable where the model cannot be had, or does not know the prompt."""
        prompt = self._encoder.prompt(self._prompt_name)
        pieces = [list(self._pieces(text, prompt)) for text in texts]
        flat = [piece.text for some in pieces for piece in some]
        rows = self._encoder.vectors(flat, prompt, self._batch_size)
        edges = np.cumsum([0, *map(len, pieces)])[:-1]
        weights = np.array([piece.tokens for some in pieces for piece in some], np.float32)
        sums = np.add.reduceat(rows * weights[:, None], edges, axis=0)
        pooled = sums / np.add.reduceat(weights, edges)[:, None]
        return Embedded(pooled.astype(np.float32), Usage(characters=sum(map(len, flat)), texts=len(texts)))

    def _pieces(self, text: str, prompt: str) -> Iterator[_Piece]:
        """The text where it fits, else windows of it that do."""
        limit = self._encoder.limit
        if limit is None:
            yield _Piece(text, 1)
            return
        whole, around = self._encoder.count([prompt + text, prompt])
        if whole <= limit:
            yield _Piece(text, max(1, whole - around))
            return
        room = limit - around
        if room < 1:
            raise EngineRefused(f"the prompt leaves no room for a text: the model reads {limit} tokens at once")
        starts = self._encoder.tokens(text).starts
        if len(np.unique(starts)) < 2:
            yield _Piece(text, 1)  # one character of more tokens than there is room for: no window is smaller
            return
        for window in _windows(text, starts, min(room, len(starts) - 1)):
            if window.strip():
                # Read alone, what begins or ends inside a word may have more tokens than it had within the text.
                yield from self._pieces(window, prompt)


def _windows(text: str, starts: NDArray[np.int64], size: int) -> Iterator[str]:
    """The text in windows of at most `size` tokens, or of one character where it alone has more.

    `starts` are those of its tokens. Some tokenizers cut a character into several, which begin at one place.
    """
    places, before = np.unique(starts, return_index=True)  # and the tokens before each place
    cuts, before = [0, *places[1:].tolist(), len(text)], np.append(before, len(starts))
    first = behind = 0
    while behind < len(places):
        behind = max(int(np.searchsorted(before, before[first] + size, side="right")) - 1, first + 1)
        yield text[cuts[first] : cuts[behind]]
        first = max(int(np.searchsorted(before, before[behind] - int(size * _OVERLAP))), first + 1)
