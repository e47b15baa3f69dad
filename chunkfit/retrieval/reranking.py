"""A second look at what a search found: a model reads the query and each chunk together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chunkfit.errors import EngineRefused
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.retrieval.lance import Found

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


class Reranker:
    """A cross-encoder of sentence-transformers by its name on the hub or its folder, loaded when it is first asked.

    Code that a model brings along is not run. Asking raises EngineRefused where the model cannot be had.
    """

    def __init__(self, model: str, *, revision: str | None = None, device: str | None = None) -> None:
        self.model = model
        self.revision = revision
        self.device = device

    def rerank(self, query: str, found: Sequence[Found], limit: int | None = None) -> tuple[Found, ...]:
        """What was found in the order of the model's scores, which replace the search's; the best `limit` of it.

        A chunk that is too long for the model beside the query is read in windows, and its score is that of the best
        of them: MaxP of Dai and Callan, "Deeper Text Understanding for IR" (SIGIR 2019). Equal ones stay in the order
        they were found in. Raises ValueError where the query leaves no room for a chunk.
        """
        if not found:
            return ()
        query = without_lone_surrogates(query)
        windows = [list(self._windows(query, without_lone_surrogates(one.chunk.text))) for one in found]
        pairs = [(query, window) for some in windows for window in some]
        flat = np.asarray(self._encoder.predict(pairs, show_progress_bar=False), np.float64)
        best = np.maximum.reduceat(flat, np.cumsum([0, *map(len, windows)])[:-1])
        order = np.argsort(-best, kind="stable").tolist()
        return tuple(replace(found[place], score=float(best[place])) for place in order[:limit])

    def _windows(self, query: str, text: str) -> Iterator[str]:
        """The text where it fits, else pieces of it that do, cut between tokens."""
        tokenizer, limit = self._encoder.tokenizer, self._limit
        # Beside some text: a tokenizer takes an empty one for none, and puts other special tokens around.
        around = len(tokenizer(query, "a").input_ids) - len(tokenizer("a", add_special_tokens=False).input_ids)
        edges = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False).offset_mapping
        if limit is None or around + len(edges) <= limit:
            yield text
            return
        room = limit - around
        if room < 1:
            raise ValueError(f"the query has {around} tokens, and {self.model} reads {limit} in all; shorten it")
        for first in range(0, len(edges), room):
            yield text[edges[first][0] : edges[min(first + room, len(edges)) - 1][1]]

    @property
    def _limit(self) -> int | None:
        named = "max_seq_length" if hasattr(self._encoder, "max_seq_length") else "max_length"  # before version 6
        limit: int | None = getattr(self._encoder, named)
        return limit

    @cached_property
    def _encoder(self) -> "CrossEncoder":
        from sentence_transformers import CrossEncoder

        try:
            return CrossEncoder(self.model, revision=self.revision, device=self.device)
        except (OSError, ValueError) as problem:
            raise EngineRefused(f"the cross-encoder {self.model!r} cannot be loaded: {problem}") from problem
