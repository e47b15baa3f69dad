"""BM25 over chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.retrieval.chunks import Chunks
from chunkfit.retrieval.runs import runs
from chunkfit.retrieval.words import Words


@dataclass(frozen=True, eq=False)
class Bm25:
    """What each word adds to the score of each chunk that has it. With N chunks, n(w) of them with the word w,

        idf(w) = ln(1 + (N - n(w) + 0.5) / (n(w) + 0.5))
        weight(w, chunk) = idf(w) * f / (f + k1 * (1 - b + b * words of the chunk / mean words of a chunk))

    where f counts w in the chunk. That is BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009)
    with the idf of Lucene, which is never negative, and like Lucene without the constant factor k1 + 1.
    """

    vocabulary: Mapping[str, int]
    edges: NDArray[np.int64]  # [vocabulary + 1]: where the chunks of each word begin in the two below
    chunks: NDArray[np.int64]
    weights: NDArray[np.float64]
    size: int  # all chunks

    @classmethod
    def of(cls, texts: Sequence[Words], chunks: Chunks, *, k1: float = 1.5, b: float = 0.75) -> "Bm25":
        """From the words of each document. A word is in each chunk that holds it whole."""
        vocabulary, translations = _together(texts)
        keys, lengths = [np.empty(0, np.int64)], np.zeros(len(chunks), np.int64)
        for number, (text, translation) in enumerate(zip(texts, translations, strict=True)):
            own = chunks.of_document(number)
            first = np.searchsorted(text.starts, chunks.starts[own].astype(np.int32))
            behind = np.searchsorted(text.ends, chunks.ends[own].astype(np.int32), side="right")
            behind = np.maximum(first, behind)
            lengths[own] = behind - first
            found = translation[text.numbers[runs(first, behind)]]
            keys.append(found * len(chunks) + np.repeat(np.arange(own.start, own.stop), lengths[own]))
        pairs, counts = np.unique(np.concatenate(keys), return_counts=True)  # by word, then by chunk
        word, chunk = np.divmod(pairs, max(len(chunks), 1))
        edges = np.searchsorted(word, np.arange(len(vocabulary) + 1))
        having = np.diff(edges)
        idf = np.log1p((len(chunks) - having + 0.5) / (having + 0.5))
        relative = lengths / (lengths.mean() or 1) if len(chunks) else lengths
        weights = idf[word] * counts / (counts + k1 * (1 - b + b * relative[chunk]))
        return cls(vocabulary, edges, chunk, weights, len(chunks))

    def scores(self, queries: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """The sum over the words of each query, repeated ones repeated: [queries, chunks].

        -inf for chunks that have none of the words: they are not found.
        """
        known = [[self.vocabulary[word] for word in query if word in self.vocabulary] for query in queries]
        word = np.array([number for numbers in known for number in numbers], np.int64)
        query = np.repeat(np.arange(len(known)), [len(numbers) for numbers in known])
        first, behind = self.edges[word], self.edges[word + 1]
        at = runs(first, behind)
        cells = np.repeat(query * self.size, behind - first) + self.chunks[at]
        sums = np.bincount(cells, self.weights[at], minlength=len(known) * self.size)
        return np.where(sums > 0, sums, -np.inf).reshape(len(known), self.size)


def _together(texts: Sequence[Words]) -> tuple[Mapping[str, int], list[NDArray[np.int64]]]:
    """One vocabulary for all texts, and in it the number of each word of each text."""
    if len(texts) == 1:
        return texts[0].vocabulary, [np.arange(len(texts[0].vocabulary))]
    number: dict[str, int] = {}
    return number, [
        np.array([number.setdefault(word, len(number)) for word in text.vocabulary], np.int64) for text in texts
    ]
