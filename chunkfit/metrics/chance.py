"""The length-shuffled null: what the sizes of the chunks alone would score."""

from collections.abc import Sequence

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics.edges import Offsets, edges
from chunkfit.model import Chance, Chunking, Score, Span
from chunkfit.settings import ChanceSettings

_REACH = 24  # code points that an edge may move to the beginning of a word: nearly every word is shorter


def shuffled(chunking: Chunking, evidence: Evidence, settings: ChanceSettings) -> tuple[Chunking, ...]:
    """Chunkings with the same chunk lengths in random order, one a draw; the same seed gives the same ones.

    A chunk keeps its length and its step to the next chunk's start, so overlaps and gaps keep their sizes too. Where an
    overlapping chunk comes last, the end of the text cuts it short. Each edge then moves on to the beginning of a word,
    if there is one within 24 code points: no method cuts words on purpose, and a null that does would flatter them all.
    """
    starts, ends = edges(chunking, evidence)
    if not len(starts):
        return ()
    lengths = ends - starts
    steps = np.append(np.diff(starts), lengths[-1])
    words = evidence.once(_word_starts)
    random = np.random.default_rng(settings.seed)
    draws = []
    for _ in range(settings.draws):
        order = random.permutation(len(starts))
        drawn = starts[0] + np.cumsum(steps[order]) - steps[order]
        closed = np.minimum(drawn + lengths[order], len(evidence.document.text))
        spans = map(Span, _moved(drawn, words).tolist(), _moved(closed, words).tolist())
        draws.append(Chunking(chunking.method, tuple(spans), chunking.stage, chunking.overlap))
    return tuple(draws)


def chance_of(scores: Sequence[Score]) -> Chance | None:
    """Mean and standard deviation of the draws' values; None where no draw has one."""
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return None
    return Chance(float(np.mean(values)), float(np.std(values)), len(values))


def _word_starts(evidence: Evidence) -> Offsets:
    """Where a visible character follows a blank, the beginning of the text, and an offset out of every edge's reach."""
    visible = np.diff(evidence.visible_before) > 0
    inner = np.flatnonzero(visible[1:] & ~visible[:-1]) + 1
    return np.concatenate([[0], inner, [len(visible) + _REACH + 1]])


def _moved(offsets: Offsets, words: Offsets) -> Offsets:
    following = words[np.searchsorted(words, offsets)]
    return np.where(following - offsets <= _REACH, following, offsets)
