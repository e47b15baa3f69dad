"""Scorecards as columns: one number a method for everything that was measured without labels."""

from collections.abc import Sequence

import numpy as np

from chunkfit.metaeval.measured import Values
from chunkfit.metrics import profiles
from chunkfit.model import Score, Scorecard

MEAN = "mean"  # of a profile's metrics, as the paper chooses by it
SMALL = "small chunks"  # the simplest rule there is, which any other score has to beat


def columns(scorecards: Sequence[Scorecard]) -> dict[str, Values]:
    """Each metric and diagnostic and its lift over chance, the mean of the metrics, and how small the chunks are.

    A method without a value has NaN, and a column without any is left out. "mean" is that of the profile's metrics that
    all methods have, gates apart, as `select` takes it with equal weights; "lift of X" is X less its chance; "small
    chunks" is minus the mean tokens of a chunk.
    """
    if not scorecards:
        return {}
    gates = {part.name for profile in profiles.values() for part in profile if part.traits["gate"]}
    metrics = [name for name in scorecards[0].scores if name not in gates]
    found: dict[str, Values] = {}
    for name in metrics:
        found |= _column(name, [card.scores.get(name) for card in scorecards])
    everywhere = [found[name] for name in metrics if name in found and not np.isnan(found[name]).any()]
    if everywhere:
        found[MEAN] = np.mean(everywhere, axis=0)
    for name in scorecards[0].diagnostics:
        found |= _column(name, [card.diagnostics.get(name) for card in scorecards])
    found |= _values(SMALL, [-card.sizes.mean if card.sizes else None for card in scorecards])
    return found


def _column(name: str, scores: Sequence[Score | None]) -> dict[str, Values]:
    values = _values(name, [score.value if score else None for score in scores])
    return values | _values(f"lift of {name}", [score.lift if score else None for score in scores])


def _values(name: str, values: Sequence[float | None]) -> dict[str, Values]:
    known = [np.nan if value is None else value for value in values]
    return {} if np.isnan(known).all() else {name: np.array(known)}
