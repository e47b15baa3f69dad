"""How well one score foretells which chunkings retrieve well."""

from dataclasses import dataclass

import numpy as np

from chunkfit.metaeval.measured import Measured, Purpose
from chunkfit.retrieval.statistics import Estimate, Weights, estimate, rank_correlation, resampled


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
    best = int(np.argmax(means))
    drawn = resampled(recall[[picked, best]], weights)
    lost = 1 - drawn[:, 0] / np.maximum(drawn[:, 1], np.finfo(float).tiny)
    return Prediction(
        score=score,
        purpose=purpose,
        correlation=rank_correlation(values, recall[rows], weights),
        picked=measured.methods[picked],
        best=measured.methods[best],
        recall=float(means[picked]),
        highest=float(means[best]),
        shortfall=estimate(float(1 - means[picked] / means[best]) if means[best] else 0.0, lost),
    )
