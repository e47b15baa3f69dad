"""The protocol of models that give a vector per token."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of one text, in order."""

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]  # code points
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class TokenEncoder(Protocol):
    @property
    def id(self) -> str:
        """Model and revision."""
        ...

    @property
    def room(self) -> int | None:
        """Tokens of a text that the model reads at once; None where it has no limit."""
        ...

    def tokens(self, text: str) -> Tokens:
        """The tokens of a text; spellings of special tokens are plain text."""
        ...

    def encode(self, windows: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float32]]:
        """A row per token of each window of token ids: [tokens, dimensions], each seen beside the rest of its window.

        No window exceeds the room. Raises EngineUnavailable where the model cannot be had.
        """
        ...
