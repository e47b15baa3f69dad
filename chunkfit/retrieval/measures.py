"""Labelled measures on the characters of what was retrieved."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.retrieval.ranking import Rankings
from chunkfit.retrieval.relevance import Relevance
from chunkfit.retrieval.union import newly_covered, per_owner

Shares = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SpanMeasures:
    """A number in [0, 1] for each question. With R its reference characters and C those of the retrieved text:

        recall = |C and R| / |R|
        precision = |C and R| / sum of the lengths of the retrieved spans
        IoU = |C and R| / (that sum + |R without C|)
        signal ratio = |C and R| / |C|

    So a character that is retrieved twice is found once and, but for the signal ratio, paid for twice. Where nothing
    was retrieved all are 0. The first three are those of Smith and Troynikov (Chroma, "Evaluating Chunking Strategies
    for Retrieval", 2024).
    """

    recall: Shares
    precision: Shares
    iou: Shares
    signal_ratio: Shares


def at_chunks(rankings: Rankings, relevance: Relevance, k: int = 5) -> SpanMeasures:
    """Of the first k chunks of each ranking, or of all where it has fewer.

    k chunks are more text for a method of long chunks than for one of short ones: `within_budgets` compares methods.
    The published results are those of five. Raises ValueError for k below 1, or where the rankings do not go so far.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1 chunk, got {k}")
    if rankings.shape[1] < min(k, len(relevance.chunks)):
        raise ValueError(f"the rankings have {rankings.shape[1]} places; search for at least k={k} chunks")
    first = rankings[:, :k]
    return of_retrieved(first, lengths(first, relevance), relevance)


def precision_omega(relevance: Relevance) -> Shares:
    """The precision of retrieving exactly every chunk that holds a character of the references; 0 where none does.

    The best that a retriever could do for full recall. Source: as of `SpanMeasures`.
    """
    chunks, size = relevance.chunks, relevance.references.size
    pairs = np.unique(relevance.questions * len(chunks) + relevance.chunk)
    questions, chunk = np.divmod(pairs, max(len(chunks), 1))
    retrieved = per_owner(questions, chunks.ends[chunk] - chunks.starts[chunk], size)
    return relevance.covered(relevance.ends) / np.maximum(retrieved, 1)


def of_retrieved(rankings: Rankings, taken: Numbers, relevance: Relevance) -> SpanMeasures:
    """Of the first `taken` code points of each chunk in the rankings: [questions, places] both."""
    places = relevance.places(rankings)
    there = relevance.chunks.starts[relevance.chunk] + taken[relevance.questions, places]
    ends = np.where(places >= 0, np.minimum(relevance.ends, there), relevance.starts)
    covered = relevance.covered(ends)
    wanted = relevance.references.characters
    paid = taken.sum(axis=1)
    return SpanMeasures(
        recall=covered / wanted,
        precision=covered / np.maximum(paid, 1),
        iou=covered / (paid + wanted - covered),
        signal_ratio=covered / np.maximum(_distinct(rankings, taken, relevance), 1),
    )


def lengths(rankings: Rankings, relevance: Relevance) -> Numbers:
    """Code points of the chunk at each place, 0 where there is none."""
    chunks = relevance.chunks
    return np.where(rankings >= 0, (chunks.ends - chunks.starts)[rankings], 0) if len(chunks) else rankings * 0


def _distinct(rankings: Rankings, taken: Numbers, relevance: Relevance) -> Numbers:
    """Code points retrieved for each question, each counted once."""
    questions, place = np.nonzero(taken)
    chunk = rankings[questions, place]
    chunks = relevance.chunks
    lines = questions * (chunks.documents.max(initial=0) + 1) + chunks.documents[chunk]
    added = newly_covered(lines, chunks.starts[chunk], chunks.starts[chunk] + taken[questions, place])
    return per_owner(questions, added, len(rankings))
