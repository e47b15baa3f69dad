"""Exact search in the chunks of one or several documents."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.retrieval.chunks import Chunks
from chunkfit.retrieval.fusion import reciprocal_rank_fusion
from chunkfit.retrieval.lexical import Bm25
from chunkfit.retrieval.queries import Queries
from chunkfit.retrieval.ranking import Rankings, Scores, best
from chunkfit.retrieval.words import words

Retriever = Literal["lexical", "dense", "hybrid"]
"""BM25; cosine of the embedder's vectors; both by reciprocal rank fusion."""

_SCORES_AT_ONCE = 1 << 22  # what a search holds in memory: 32 MB, and a few times that while they are ranked


@dataclass(frozen=True, eq=False)
class ChunkIndex:
    """All chunks that one method made of some documents, searched exactly. Vectors and words are made on first use.

    Not thread-safe, as `Evidence` is not: use one per thread.
    """

    documents: tuple[Evidence, ...]
    chunks: Chunks

    @classmethod
    def of(cls, pairs: Iterable[tuple[Evidence, Chunking]]) -> "ChunkIndex":
        """An index of each document's chunking. Documents are numbered in the order of the pairs."""
        pairs = list(pairs)
        return cls(tuple(evidence for evidence, _ in pairs), Chunks.of(pairs))

    def search(self, queries: Queries, retriever: Retriever, depth: int) -> Rankings:
        """The `depth` best chunks of each query. Equal scores go by the number of the chunk, so the result is fixed."""
        return self._batched(queries, retriever, depth)

    def search_tokens(self, queries: Queries, retriever: Retriever, tokens: int) -> Rankings:
        """The best chunks of each query, as many as surely hold `tokens` tokens, or all."""
        return self._batched(queries, retriever, self.chunks.enough(tokens))

    def scores(self, queries: Queries, retriever: Retriever) -> Scores:
        """How well each chunk answers each query: [queries, chunks]; -inf where the retriever does not find it.

        Lexical search finds chunks that have a word of the query, dense search those with a vector for a query with
        one, hybrid search what either of them finds. Raises ValueError for an unknown retriever, and where the vectors
        of queries and chunks are of two embedders.
        """
        return self._scores(queries, retriever, slice(None))

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """[chunks, dimensions]: of length 1, or zeros for a chunk without tokens."""
        owned = [self.chunks.of_document(number) for number in range(len(self.documents))]
        rows = [
            evidence.vectors(self.chunks.starts[own], self.chunks.ends[own])
            for evidence, own in zip(self.documents, owned, strict=True)
        ]
        dimensions = max((some.shape[1] for some in rows), default=0)  # a document without visible text has none
        vectors = np.zeros((len(self.chunks), dimensions), np.float32)
        for own, some in zip(owned, rows, strict=True):
            vectors[own, : some.shape[1]] = some
        return vectors

    @cached_property
    def lexical(self) -> Bm25:
        return Bm25.of([evidence.once(words) for evidence in self.documents], self.chunks)

    def _batched(self, queries: Queries, retriever: Retriever, depth: int) -> Rankings:
        step = max(1, _SCORES_AT_ONCE // max(1, len(self.chunks)))
        batches = [slice(first, first + step) for first in range(0, len(queries), step)] or [slice(0)]
        return np.concatenate([best(self._scores(queries, retriever, some), depth) for some in batches])

    def _scores(self, queries: Queries, retriever: Retriever, some: slice) -> Scores:
        if retriever not in get_args(Retriever):
            raise ValueError(f"unknown retriever {retriever!r}; known: {', '.join(get_args(Retriever))}")
        ways: dict[str, Callable[[Queries, slice], Scores]] = {"lexical": self._lexical, "dense": self._dense}
        if retriever == "hybrid":
            return reciprocal_rank_fusion(*(scores(queries, some) for scores in ways.values()))
        return ways[retriever](queries, some)

    def _lexical(self, queries: Queries, some: slice) -> Scores:
        return self.lexical.scores(queries.terms[some])

    def _dense(self, queries: Queries, some: slice) -> Scores:
        for evidence in self.documents:
            if evidence.engines.embedder.id != queries.embedder.id:
                raise ValueError(
                    f"the chunks of {evidence.document.name!r} have vectors of {evidence.engines.embedder.id}, the "
                    f"queries those of {queries.embedder.id}; prepare the queries with the embedder of the documents"
                )
        rows = queries.vectors[some]
        with_vector = np.any(rows, axis=1)[:, None] & np.any(self.vectors, axis=1)
        if not with_vector.any():
            return np.full(with_vector.shape, -np.inf)
        return np.where(with_vector, rows @ self.vectors.T, -np.inf)
