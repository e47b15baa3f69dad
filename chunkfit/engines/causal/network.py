"""A causal network of transformers that goes on from a cache of what it has read."""

import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

_STEP = 256  # tokens at once: the scores of a vocabulary of 150,000 are then 150 MB, however long the text
_TRIED = 6  # tokens
_ROUNDING = {"float32": 0.01}  # nats; what other orders of summing change is far less
_ROUNDING_OF_HALF = 0.5


class Network:
    """Reads tokens behind what a cache holds. A cache is copied before it is read on, never cropped.

    A crop could not bring back what layers with a sliding window have forgotten. Raises ValueError where reading on
    from a cache gives other probabilities than reading at once, as some recurrent networks do: 24 tokens are read to
    see that.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        # transformers gave the cache another name during version 5.
        self._cache = "cache" if "cache" in signature(model.forward).parameters else "past_key_values"
        self._require_cache()

    @property
    def context(self) -> int:
        """The most tokens that can be read, those in the cache included."""
        return getattr(self.model.config.get_text_config(), "max_position_embeddings", None) or sys.maxsize

    def behind(self, ids: Sequence[int]) -> Any:
        """The cache behind tokens that open a text."""
        cache = None
        for _, cache in self._steps(ids, None):  # noqa: B007 - the last one
            pass
        return cache

    def log_probabilities(self, ids: Sequence[int], cache: Any, columns: Sequence[int]) -> NDArray[np.float64]:
        """A row for each of `ids`, read behind a cache: the log-probability of each token of `columns` after it."""
        rows = []
        for logits, _ in self._steps(ids, deepcopy(cache)):
            scores = logits[0].float()
            rows.append((scores[:, list(columns)] - scores.logsumexp(-1, keepdim=True)).cpu().numpy())
        return np.concatenate(rows).astype(np.float64)

    def _steps(self, ids: Sequence[int], cache: Any) -> Iterator[tuple["torch.Tensor", Any]]:
        """Logits [1, step, vocabulary] of one step after the other, and the cache behind each."""
        import torch

        for first in range(0, len(ids), _STEP):
            step = torch.tensor([ids[first : first + _STEP]], device=self.model.device)
            with torch.no_grad():
                output = self.model(input_ids=step, use_cache=True, **{self._cache: cache})
            cache = output.get(self._cache)
            yield output.logits, cache

    def _require_cache(self) -> None:
        vocabulary = range(self.model.config.get_text_config().vocab_size)
        ids = [vocabulary[7 * i % len(vocabulary)] for i in range(2 * _TRIED)]
        cache = self.behind(ids[:_TRIED])
        if cache is None:
            raise ValueError("it keeps no cache of what it has read")
        at_once = self.log_probabilities(ids, None, vocabulary)[_TRIED:]
        off = np.abs(self.log_probabilities(ids[_TRIED:], cache, vocabulary) - at_once).max()
        if off > _ROUNDING.get(str(self.model.dtype).removeprefix("torch."), _ROUNDING_OF_HALF):
            raise ValueError(f"it does not go on from its cache: log-probabilities are {off:.2g} off")
