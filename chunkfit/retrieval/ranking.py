"""The best of many scores, in order."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.floating[Any]]
"""[queries, chunks]: the higher the better; -inf for a chunk that the retriever does not find."""

Rankings = NDArray[np.int64]
"""[queries, places]: numbers of chunks, best first, and -1 at places behind the last one found."""


def best(scores: Scores, depth: int) -> Rankings:
    """The `depth` best chunks of each query, or all where there are fewer; equal scores in the order of the chunks."""
    queries, chunks = scores.shape
    depth = min(depth, chunks)
    rankings = np.full((queries, depth), -1, np.int64)
    if not depth:
        return rankings
    least = np.partition(scores, chunks - depth, axis=1)[:, chunks - depth, None]
    query, chunk = np.nonzero((scores >= least) & (scores > -np.inf))
    order = np.lexsort((-scores[query, chunk], query))  # it keeps the order of equal ones
    query, chunk = query[order], chunk[order]
    place = np.arange(len(query)) - np.searchsorted(query, query)
    kept = place < depth
    rankings[query[kept], place[kept]] = chunk[kept]
    return rankings


def places(scores: Scores) -> NDArray[np.int64]:
    """The place of each chunk in the ranking of each query, from 1; equal scores in the order of the chunks."""
    order = np.argsort(-scores, axis=1, kind="stable")
    found = np.empty(scores.shape, np.int64)
    np.put_along_axis(found, order, np.arange(1, scores.shape[1] + 1)[None], axis=1)
    return found
