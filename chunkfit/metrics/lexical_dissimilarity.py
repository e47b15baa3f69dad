"""Lexical dissimilarity: how few words neighbouring chunks share."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import Offsets
from chunkfit.metrics.neighbours import dissimilarity, new_text
from chunkfit.metrics.words import words
from chunkfit.model import Chunking, Score

STRETCH = 100
"""Words; about a paragraph, the size at which a word's frequency says whether it is the topic's or the language's."""


@registry.diagnostics.register("lexical_dissimilarity", version=1, chance=True, costly=False)
def lexical_dissimilarity(chunking: Chunking, evidence: Evidence) -> Score:
    """1 - cosine of the weighted word sets of neighbouring chunks, the mean weighted by the smaller one's words.

    cosine = sum of w^2 over shared words / sqrt(sum of w^2 over the one's words * the same of the other)

    where w = ln(1 + n / df) for a word that stands in df of the document's n stretches of 100 words, which tells the
    topic's words from the language's without a list of stop words. The stretches are the same for every chunking. A
    chunk stands for the words that begin in the text that no earlier chunk holds. After the published code beside
    "Adaptive Chunking" (arXiv 2603.25333), which counts df by chunk, compares each chunk with the next five and takes
    off the share of small chunks. None where fewer than two chunks have words.

    Rewards boundaries where the vocabulary changes. It mostly reads size: two short texts share few words wherever they
    are cut. Read the lift. Overlaps change nothing; dropping the text that leads from one topic to the next raises it.
    """
    new, index = new_text(chunking, evidence), evidence.once(_index)
    first, last = np.searchsorted(index.starts, [new.starts, new.ends]).astype(np.int32)
    first, last = first[last > first], last[last > first]
    sizes = last - first
    if not len(first):
        return dissimilarity(np.zeros(0), sizes)
    squares, previous = index.squares, index.previous
    if sizes.sum() < len(squares):  # words that no chunk holds are not there
        kept = np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)])
        squares, previous = squares[kept], _previous(index.numbers[kept])
        first = np.cumsum(sizes, dtype=np.int32) - sizes
    # A word counts where its chunk has it first. It is shared where it stood in the chunk before, and not since.
    new_here = previous < np.repeat(first, sizes)
    in_both = new_here & (previous >= np.repeat(np.roll(first, 1), sizes))
    own = np.add.reduceat(squares * new_here, first)
    shared = np.add.reduceat(squares * in_both, first)[1:]
    return dissimilarity(shared / np.sqrt(own[:-1] * own[1:]), sizes)


class _Index(NamedTuple):
    """The words of a document by place."""

    starts: Offsets  # code points
    numbers: NDArray[np.int64]
    squares: NDArray[np.float64]  # of their weights
    previous: NDArray[np.int32]  # the place of the same word before, -1 for none


def _index(evidence: Evidence) -> _Index:
    known = words(evidence)
    places = np.arange(len(known.numbers))
    previous = _previous(known.numbers)
    once_a_stretch = (previous < 0) | (previous // STRETCH < places // STRETCH)
    frequency = np.bincount(known.numbers[once_a_stretch], minlength=len(known.vocabulary))
    weights = np.log1p(-(-len(places) // STRETCH) / frequency)
    return _Index(known.starts, known.numbers, (weights**2)[known.numbers], previous)


def _previous(numbers: NDArray[np.int64]) -> NDArray[np.int32]:
    order = np.argsort(numbers, kind="stable")
    previous = np.full(len(numbers), -1, np.int32)
    again = np.flatnonzero(np.diff(numbers[order]) == 0)
    previous[order[again + 1]] = order[again]
    return previous
