"""A model of token vectors as a text model: the mean over the tokens of a text read alone."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.token_encoder import TokenEncoder
from chunkfit.engines.protocols import Embedded
from chunkfit.usage import Usage

_VERSION = 1  # of the vectors; part of the id


class TokenMeans:
    """The mean of the vectors of a text's own tokens; special tokens are read, and are no part of it.

    A text longer than the model reads at once is read in pieces of about equal length, one behind the other. A text
    without tokens has zeros.
    """

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder = encoder

    @property
    def id(self) -> str:
        return f"token_means/{_VERSION}/{self._encoder.id}"

    def vectors(self, texts: Sequence[str]) -> Embedded:
        """A row per text. Raises EngineUnavailable where the model cannot be had."""
        pieces = [self._pieces(self._encoder.tokens(text).ids) for text in texts]
        flat = [piece for some in pieces for piece in some]
        given = self._encoder.encode(flat) if flat else []
        means = np.zeros((len(texts), given[0].shape[1] if given else 0), np.float32)
        for mean, (first, behind) in zip(means, pairwise(accumulate(map(len, pieces), initial=0)), strict=True):
            if first < behind:
                mean[:] = np.concatenate(given[first:behind]).mean(axis=0, dtype=np.float64)
        return Embedded(means, Usage(characters=sum(map(len, texts)), texts=len(texts)))

    def _pieces(self, ids: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The tokens of a text in as few pieces as the model can read; none where there are no tokens."""
        if not len(ids):
            return []
        room = self._encoder.room or len(ids)
        return np.array_split(ids, -(-len(ids) // room))
