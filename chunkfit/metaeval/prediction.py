"""How well one score foretells which chunkings retrieve well."""

from dataclasses import dataclass

import numpy as np

from chunkfit.metaeval.measured import Measured, Purpose
from chunkfit.retrieval.statistics import Estimate, Weights, estimate, rank_correlation, resampled, spearman


@dataclass(frozen=True, slots=True)
class Prediction:
    """A score beside the recall of people's questions, for one purpose."""

    score: str
    purpose: Purpose
    correlation: Estimate | None  # Spearman's over methods; None where the score, or recall, ranks nothing
    picked: str  # the method that the score puts first; of equal ones the first
    best: str  # the one with the highest recall, whether it has a value or not
    recall: float  # of the picked
    highest: float  # of the best
    shortfall: Estimate  # 1 - recall / highest: what picking by the score loses


def correlation(measured: Measured, score: str, purpose: Purpose) -> float | None:
    """Spearman's correlation over methods of a score with mean recall; None where either ranks nothing."""
    predicted = measured.predicted(score, purpose)
    if predicted is None:
        return None
    rows, values = predicted
    found = float(spearman(values, measured.means(purpose)[rows]))
    return None if np.isnan(found) else found


def shortfall(measured: Measured, score: str, purpose: Purpose) -> float | None:
    """1 - recall of the method that a score puts first / the highest recall; None where the score has no value.

    0 where no method finds anything.
    """
    picked, means = measured.picked(score, purpose), measured.means(purpose)
    if picked is None:
        return None
    return float(1 - means[picked] / means.max()) if means.any() else 0.0


def predict(measured: Measured, score: str, purpose: Purpose, weights: Weights) -> Prediction | None:
    """Compare a score with mean recall over the methods that have a value of it; None where none has.

    `weights` are `resamples(measured.groups)`. The interval of the shortfall is of the two methods as they were chosen,
    so it may reach below 0; the best one was chosen by the same questions, which flatters it.
    """
    predicted, picked = measured.predicted(score, purpose), measured.picked(score, purpose)
    if predicted is None or picked is None:
        return None
    rows, values = predicted
    recall, means = measured.recall[purpose], measured.means(purpose)
    best = int(means.argmax())
    had, could = resampled(recall[[picked, best]], weights).T
    lost = 1 - np.divide(had, could, out=np.ones_like(had), where=could > 0)  # where nothing is found, nothing is lost
    return Prediction(
        score=score,
        purpose=purpose,
        correlation=rank_correlation(values, recall[rows], weights),
        picked=measured.methods[picked],
        best=measured.methods[best],
        recall=float(means[picked]),
        highest=float(means[best]),
        shortfall=estimate(shortfall(measured, score, purpose) or 0.0, lost),
    )
