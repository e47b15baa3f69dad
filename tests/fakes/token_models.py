"""A token encoder whose vectors tell where in its window a token was."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.token_encoder import Tokens


class WordEncoder:
    """A token per run of visible characters; its vector is (its number in the text, 1, before it, behind it).

    The last two count tokens in its window. So a vector shows which window it came from.
    """

    def __init__(self, room: int | None = None, id: str = "words") -> None:
        self.id = id
        self.room = room
        self.windows: list[tuple[int, int]] = []  # the first token and the one behind the last of each window read

    def tokens(self, text: str) -> Tokens:
        edges = np.array([found.span() for found in re.finditer(r"\S+", text)], np.int64).reshape(-1, 2)
        return Tokens(np.arange(len(edges)), edges[:, 0], edges[:, 1])

    def encode(self, windows: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float32]]:
        assert all(self.room is None or len(window) <= self.room for window in windows)
        self.windows += [(int(window[0]), int(window[-1]) + 1) for window in windows]
        return [
            np.stack([window, np.ones(len(window)), range(len(window)), range(len(window))[::-1]], axis=1).astype("f4")
            for window in windows
        ]
