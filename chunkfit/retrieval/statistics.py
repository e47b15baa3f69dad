"""How sure a number is that was measured on questions: intervals, correlations of ranks, and tests of differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Weights = NDArray[np.int64]

_OUTSIDE = 0.05  # what an interval leaves out, half of it on either side


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and the interval that holds the middle 95 % of it over resamples."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Two methods on the same questions."""

    first: str
    second: str
    mean: Estimate  # of first - second
    p: float  # that differences so far from 0 come by chance: Wilcoxon's signed ranks, both sides
    adjusted: float  # the same for all that were compared together, after Holm


def resamples(groups: Sequence[int] | NDArray[np.int64], draws: int = 1000, seed: int = 0) -> Weights:
    """[draws, questions]: how often each question is in a bootstrap sample of them.

    Questions are drawn with replacement within their group, a document for instance, so each group keeps its size.
    Raises ValueError for fewer than one draw.
    """
    if draws < 1:
        raise ValueError(f"an interval needs at least 1 draw, got {draws}; 1000 are usual")
    groups = np.asarray(groups, np.int64)
    weights = np.zeros((draws, len(groups)), np.int64)
    random = np.random.default_rng(seed)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        weights[:, own] = random.multinomial(len(own), np.full(len(own), 1 / len(own)), size=draws)
    return weights


def resampled(values: Values, weights: Weights) -> Values:
    """[draws, rows]: the mean of each row of `values`, [rows, questions], over each sample."""
    means: Values = weights @ values.T / weights.sum(axis=1, keepdims=True)
    return means


def estimate(value: float, drawn: Values) -> Estimate:
    """A value with the percentile interval of what resamples give (Efron and Tibshirani, 1993, chapter 13)."""
    low, high = np.quantile(drawn, [_OUTSIDE / 2, 1 - _OUTSIDE / 2])
    return Estimate(value, float(low), float(high))


def mean(values: Values, weights: Weights) -> Estimate:
    """The mean over questions of one number a question."""
    return estimate(float(values.mean()), resampled(values[None], weights)[:, 0])


def spearman(first: Values, second: Values) -> Values:
    """Spearman's rank correlation along the last axis, equal values sharing their mean rank; NaN where one is constant.

    Leading axes are broadcast, so that one ranking is compared with many at once.
    """
    from scipy import stats

    ranks: list[Values] = [stats.rankdata(values, axis=-1) for values in (first, second)]
    a, b = (rank - rank.mean(axis=-1, keepdims=True) for rank in ranks)
    spread = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    shared = (a * b).sum(axis=-1)
    return cast("Values", np.divide(shared, spread, out=np.full(shared.shape, np.nan), where=spread > 0))


def rank_correlation(predicted: Values, measured: Values, weights: Weights) -> Estimate | None:
    """Spearman's correlation over methods of a number each, [methods], with the mean of what was measured of each
    question, [methods, questions]; the interval is over questions.

    None where all methods have one number, on either side: nothing is ranked then. Samples in which that is so are left
    out, and where no other is left the interval is all there is, [-1, 1].
    """
    value = float(spearman(predicted, measured.mean(axis=1)))
    if np.isnan(value):
        return None
    drawn = spearman(predicted, resampled(measured, weights))
    drawn = drawn[~np.isnan(drawn)]
    return estimate(value, drawn) if len(drawn) else Estimate(value, -1.0, 1.0)


def differences(measured: Mapping[str, Values], weights: Weights) -> tuple[Difference, ...]:
    """Each two methods on the same questions, all tests adjusted together. See `paired`."""
    return paired([((a, measured[a]), (b, measured[b])) for a, b in combinations(measured, 2)], weights)


def paired(pairs: Sequence[tuple[tuple[str, Values], tuple[str, Values]]], weights: Weights) -> tuple[Difference, ...]:
    """Pairs of methods, each by its name and a number for each question, all tests adjusted together.

    The mean difference with its interval; Wilcoxon's signed-rank test (1945), for which questions without a difference
    do not count, and whose p is 1 where there is no other; Holm's correction (1979).
    """
    tests = [_signed_rank(first - second) for (_, first), (_, second) in pairs]
    return tuple(
        Difference(first, second, mean(a - b, weights), p, adjusted)
        for ((first, a), (second, b)), p, adjusted in zip(pairs, tests, holm(tests), strict=True)
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, each raised so that all hold together: p(i) * (m - i + 1), never falling, at most
    1, where p(i) is the i-th smallest of m. Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure"
    (1979).
    """
    given = np.asarray(p_values, np.float64)
    order = np.argsort(given, kind="stable")
    raised = np.empty(len(given))
    raised[order] = np.minimum(1, np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)))
    return raised.tolist()


def _signed_rank(values: Values) -> float:
    if not values.any():
        return 1.0
    from scipy import stats

    found: Any = stats.wilcoxon(values)
    return float(found.pvalue)
