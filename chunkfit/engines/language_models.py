"""Language models that tell how likely a token is at each place of a text, without writing any."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkfit.usage import Usage


@dataclass(frozen=True, eq=False)
class Window:
    """What a model gives for one stretch of a text that it read in one go. Arrays of one length, a row a place."""

    positions: NDArray[np.int64]  # code points of the text, strictly increasing; never inside a character
    context: NDArray[np.int64]  # tokens of the text that the model had read there in this window, at least 1
    log_probabilities: NDArray[np.float64]  # [places, separators]: natural logarithm; -inf where impossible


@dataclass(frozen=True, eq=False)
class Reading:
    """A whole text as a model has read it: windows in order, which may overlap."""

    windows: tuple[Window, ...]
    usage: Usage  # `tokens_in`: all that the model was fed, the prompt included where it was not known yet


class LanguageModel(Protocol):
    @property
    def id(self) -> str:
        """Model and revision, and every setting that changes a probability."""
        ...

    def single_tokens(self, preferred: Sequence[str]) -> Iterator[str]:
        """Strings that are one token of the model: those of `preferred`, in order, then others that it may know.

        Raises EngineUnavailable where the model cannot be reached.
        """
        ...

    def read(self, prompt: Sequence[str], text: str, separators: Sequence[str]) -> Reading:
        """How likely each separator is before each token of `text` but the first, given prompt and text so far.

        `prompt` comes in parts: one that is a separator is exactly its token. Separators are of those that
        `single_tokens` gives. The text is plain text: special tokens that it spells are not special. Raises
        EngineUnavailable where the model cannot be reached, MethodFailed where it refuses this text.
        """
        ...
