"""The length-shuffled null: what the sizes of the chunks alone would score."""

from collections.abc import Sequence

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics.edges import edges
from chunkfit.model import Chance, Chunking, Score, Span
from chunkfit.settings import ChanceSettings


def shuffled(chunking: Chunking, evidence: Evidence, settings: ChanceSettings) -> tuple[Chunking, ...]:
    """Chunkings with the same chunk lengths in random order, one a draw; the same seed gives the same ones.

    A chunk keeps its length and its step to the next chunk's start, so overlaps and gaps keep their sizes too. Where an
    overlapping chunk comes last, the end of the text cuts it short.
    """
    starts, ends = edges(chunking, evidence)
    if not len(starts):
        return ()
    lengths = ends - starts
    steps = np.append(np.diff(starts), lengths[-1])
    random = np.random.default_rng(settings.seed)
    draws = []
    for _ in range(settings.draws):
        order = random.permutation(len(starts))
        drawn = starts[0] + np.cumsum(steps[order]) - steps[order]
        closed = np.minimum(drawn + lengths[order], len(evidence.document.text))
        spans = tuple(map(Span, drawn.tolist(), closed.tolist()))
        draws.append(Chunking(chunking.method, spans, chunking.stage, chunking.overlap))
    return tuple(draws)


def chance(scores: Sequence[Score]) -> Chance | None:
    """Mean and standard deviation of the draws' values; None where no draw has one."""
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return None
    return Chance(float(np.mean(values)), float(np.std(values)), len(values))
