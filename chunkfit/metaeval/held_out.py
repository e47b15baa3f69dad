"""A score that was itself chosen with labels is judged on documents that had no part in the choice."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from chunkfit.metaeval.measured import Measured, Purpose, together
from chunkfit.metaeval.prediction import correlation, shortfall


@dataclass(frozen=True, slots=True)
class HeldOut:
    """One way to part the documents."""

    documents: tuple[str, ...]  # held out
    chosen: str  # the score with the highest mean correlation on the others
    design: float  # that correlation: Spearman's over methods, the mean over purposes
    correlation: float | None  # of the chosen score on the documents held out, taken together; None: it ranks nothing
    shortfall: float | None  # there, of the method that it puts first: the mean over purposes of 1 - recall / highest
    best: float | None  # the highest correlation there of any of the scores: what a better choice could have had


def held_out(
    measured: Sequence[Measured], scores: Sequence[str], purposes: Sequence[Purpose], size: int = 2
) -> tuple[HeldOut, ...]:
    """Choose among the scores on all but `size` documents and report on those, for every choice of `size` of them.

    Of equally good scores the first is chosen. A purpose for which a score has no value, or ranks nothing, is left out
    of its mean. Raises ValueError where no document would be left to choose on, or to report on, and where no score
    ranks anything to choose by.
    """
    if not 0 < size < len(measured):
        raise ValueError(f"of {len(measured)} documents, 1 to {len(measured) - 1} can be held out, got {size}")
    found = []
    for out in combinations(range(len(measured)), size):
        design = together([one for number, one in enumerate(measured) if number not in out])
        report = together([measured[number] for number in out])
        known = _correlations(design, scores, purposes)
        if not known:
            raise ValueError(f"none of {', '.join(scores)} ranks the methods; measure a score that differs by method")
        chosen = max(known, key=lambda score: known[score])
        there = _correlations(report, scores, purposes)
        found.append(
            HeldOut(
                documents=tuple(measured[number].document for number in out),
                chosen=chosen,
                design=known[chosen],
                correlation=there.get(chosen),
                shortfall=_mean([shortfall(report, chosen, purpose) for purpose in purposes]),
                best=max(there.values(), default=None),
            )
        )
    return tuple(found)


def _correlations(measured: Measured, scores: Sequence[str], purposes: Sequence[Purpose]) -> dict[str, float]:
    """The mean over purposes, of each score that ranks something."""
    means = {score: _mean([correlation(measured, score, purpose) for purpose in purposes]) for score in scores}
    return {score: mean for score, mean in means.items() if mean is not None}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
