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
    correlation: float  # of the chosen score on the documents held out, taken together
    shortfall: float  # there, of the method that it puts first: the mean over purposes of 1 - recall / highest
    best: float  # the highest correlation there of any of the scores: what a better choice could have had


def held_out(
    measured: Sequence[Measured], scores: Sequence[str], purposes: Sequence[Purpose], size: int = 2
) -> tuple[HeldOut, ...]:
    """Choose among the scores on all but `size` documents and report on those, for every choice of `size` of them.

    Of equally good scores the first is chosen. A purpose for which a score has no value, or ranks nothing, is left out
    of its mean. Raises ValueError where no document would be left to choose on, or to report on.
    """
    if not 0 < size < len(measured):
        raise ValueError(f"of {len(measured)} documents, 1 to {len(measured) - 1} can be held out, got {size}")
    found = []
    for out in combinations(range(len(measured)), size):
        design = together([one for number, one in enumerate(measured) if number not in out])
        report = together([measured[number] for number in out])
        known = {score: _correlation(design, score, purposes) for score in scores}
        chosen = max(known, key=lambda score: known[score])
        there = {score: _correlation(report, score, purposes) for score in scores}
        found.append(
            HeldOut(
                documents=tuple(measured[number].document for number in out),
                chosen=chosen,
                design=known[chosen],
                correlation=there[chosen],
                shortfall=_shortfall(report, chosen, purposes),
                best=max(there.values()),
            )
        )
    return tuple(found)


def _correlation(measured: Measured, score: str, purposes: Sequence[Purpose]) -> float:
    """The mean over purposes; -1 where there is none, so that what ranks nothing is not chosen."""
    return _mean([correlation(measured, score, purpose) for purpose in purposes], otherwise=-1.0)


def _shortfall(measured: Measured, score: str, purposes: Sequence[Purpose]) -> float:
    return _mean([shortfall(measured, score, purpose) for purpose in purposes], otherwise=1.0)


def _mean(values: Sequence[float | None], otherwise: float) -> float:
    known = [value for value in values if value is not None]
    return fmean(known) if known else otherwise
