"""How far labels agree with themselves: no score can be expected to agree with them better."""

from dataclasses import dataclass

import numpy as np

from chunkfit.metaeval.measured import Measured, Purpose
from chunkfit.retrieval.statistics import Estimate, Values, estimate, spearman


@dataclass(frozen=True, slots=True)
class Reliability:
    """Two halves of the questions, each of which ranks the methods by its mean recall."""

    halves: Estimate  # Spearman's correlation of the two rankings; the interval is over ways to halve

    @property
    def whole(self) -> float:
        """What two sets of as many questions as there are would agree: 2r / (1 + r) of Spearman and Brown (1910)."""
        r = max(self.halves.value, 0.0)
        return 2 * r / (1 + r)

    @property
    def ceiling(self) -> float:
        """The correlation that a score without any error would have with the labels: the square root of `whole`.

        About: both formulas are of means of many questions and of Pearson's correlation.
        """
        return float(np.sqrt(self.whole))


def reliability(measured: Measured, purpose: Purpose, halvings: int = 200, seed: int = 0) -> Reliability | None:
    """Halve the questions at random, those of each document, and compare; the mean over `halvings` ways.

    None where a half ranks nothing: all methods have one recall, or no document has two questions. Raises ValueError
    for fewer than one way.
    """
    if halvings < 1:
        raise ValueError(f"reliability needs at least 1 way to halve the questions, got {halvings}")
    random = np.random.default_rng(seed)
    recall = measured.recall[purpose]
    groups = [np.flatnonzero(measured.groups == group) for group in np.unique(measured.groups)]
    sides: list[tuple[Values, Values]] = []
    for _ in range(halvings):
        shuffled = [random.permutation(group) for group in groups]
        first = np.concatenate([group[: len(group) // 2] for group in shuffled])
        second = np.concatenate([group[len(group) // 2 : len(group) // 2 * 2] for group in shuffled])
        if not len(first):
            return None
        sides.append((recall[:, first].mean(axis=1), recall[:, second].mean(axis=1)))
    found = spearman(*(np.array(side) for side in zip(*sides, strict=True)))
    found = found[~np.isnan(found)]
    return Reliability(estimate(float(found.mean()), found)) if len(found) else None
