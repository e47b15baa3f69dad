"""Tuning: search the space, and find out on held-out documents what that is worth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from chunkfit.errors import MethodFailed
from chunkfit.pipeline import methods as default_methods
from chunkfit.pipeline import skipped
from chunkfit.retrieval.statistics import Estimate, mean, resamples
from chunkfit.settings import Settings
from chunkfit.tuning.candidate import Candidate
from chunkfit.tuning.front import pareto_front
from chunkfit.tuning.objective import Aim, Measure, Outcome, Subject, outcome, unfit
from chunkfit.tuning.search import Plan, Tried, search
from chunkfit.tuning.space import SPACE

FOLDS = 5


class NothingToTuneOn(ValueError):  # noqa: N818 - says what it is
    """No document can tell one candidate from another."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What was chosen without some documents, and what it is worth on them."""

    held_out: tuple[str, ...]
    chosen: Candidate
    default: Candidate  # the default method that is best on the same other documents
    gains: Mapping[str, float]  # by held-out document: quality of the chosen minus that of the default


@dataclass(frozen=True)
class Tuned:
    """The outcome of tuning."""

    aim: Aim
    documents: tuple[str, ...]  # that it was done on
    best: Tried
    defaults: tuple[Tried, ...]  # the methods with their own settings, best first
    tried: tuple[Tried, ...]  # all trials, in order
    front: tuple[Tried, ...]  # of quality against chunks and cost, best quality first; defaults included
    folds: tuple[Fold, ...]
    gain: Estimate | None  # mean held-out gain over the best default; None with fewer than two folds
    left_out: Mapping[str, str]  # documents that tell nothing -> why

    @property
    def default(self) -> Tried:
        """The best of the defaults."""
        return self.defaults[0]


def tune(
    subjects: Sequence[Subject],
    aim: Aim,
    plan: Plan,
    *,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    folds: int = FOLDS,
    measure: Measure | None = None,
    tell: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Tuned:
    """Search for the candidate with the best mean quality over documents, and cross-validate the search.

    For each fold the whole search is repeated without its documents, under the same seed, and what it would have chosen
    is held against the best default on the documents left out; so the gain is that of a search that never saw them. The
    defaults take part in every choice. `folds` is at most the number of documents; below 2 nothing is held out.
    `measure` replaces `outcome`, for instance by one that remembers; `tell` is told how far a search is.

    Raises NothingToTuneOn where no document tells anything, ValueError for names that the space does not have.
    """
    require_methods(plan.methods)
    reasons = {subject.name: unfit(subject, aim) for subject in subjects}
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    # Small ones first: what is hopeless is given up before it has cost much.
    fit = sorted(
        (one for one in subjects if one.name not in left_out), key=lambda one: (one.evidence.tokens.total, one.name)
    )
    if not fit:
        told = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
        raise NothingToTuneOn(f"there is no document to tune on: {told or 'none was given'}")
    remembered = _remembering(measure or partial(outcome, aim=aim, settings=settings))
    defaults = _defaults(fit, settings, remembered)
    if not defaults:
        raise NothingToTuneOn("none of the default methods can cut all of the documents; leave out those they cannot")
    tried = _search("all documents", fit, plan, remembered, tell)
    names = [one.name for one in fit]
    complete = [one for one in (*tried, *defaults) if one.given_up is None]
    parts = _split(names, folds)
    found = []
    for number, held_out in enumerate(parts, start=1):
        without = replace(plan, study=f"{plan.study}, fold {number} of {len(parts)}")
        found.append(_fold(held_out, fit, without, defaults, remembered, tell))
    gains = np.array([gain for fold in found for gain in fold.gains.values()])
    return Tuned(
        aim=aim,
        documents=tuple(names),
        best=best(complete, names),
        defaults=tuple(sorted(defaults, key=lambda one: _merit(one, names))),
        tried=tried,
        front=pareto_front(complete),
        folds=tuple(found),
        gain=mean(gains, resamples(np.zeros(len(gains), np.int64))) if len(gains) > 1 else None,
        left_out=left_out,
    )


def require_methods(names: Sequence[str]) -> None:
    """Raise ValueError for names that the space does not have."""
    unknown = [name for name in names if name not in SPACE]
    if unknown or not names:
        raise ValueError(f"tuning knows the methods {', '.join(SPACE)}, got {', '.join(unknown) or 'none'}")


def best(tried: Sequence[Tried], documents: Sequence[str]) -> Tried:
    """The best mean quality over these documents; of equal ones that with fewer tokens, then chunks, then by name."""
    return min(tried, key=lambda one: _merit(one, documents))


def _merit(one: Tried, documents: Sequence[str]) -> tuple[float, int, int, Candidate]:
    return -one.over(documents), one.tokens, one.chunks, one.candidate


def _remembering(measure: Measure) -> Measure:
    """The searches of all folds try many of the same candidates."""
    known: dict[tuple[Candidate, str], Outcome] = {}

    def remembered(candidate: Candidate, subject: Subject) -> Outcome:
        key = (candidate, subject.name)
        if key not in known:
            known[key] = measure(candidate, subject)
        return known[key]

    return remembered


def _defaults(subjects: Sequence[Subject], settings: Settings, measure: Measure) -> list[Tried]:
    """Every method that runs by default with these engines and can cut all documents, as it is."""
    names = default_methods(settings.model_copy(update={"methods": None}))
    unable = skipped(names, subjects[0].evidence.engines)
    found = []
    for name in names:
        if name in unable:
            continue
        one = Candidate(name, settings.postprocess.min_tokens)
        try:
            found.append(Tried(one, {subject.name: measure(one, subject) for subject in subjects}))
        except MethodFailed:
            continue
    return found


def _search(
    what: str, subjects: Sequence[Subject], plan: Plan, measure: Measure, tell: Callable[[str, int, int], None]
) -> tuple[Tried, ...]:
    counted = iter(range(1, plan.trials + 1))
    return search(subjects, plan, measure, lambda: tell(what, next(counted), plan.trials))


def _fold(
    held_out: Sequence[str],
    subjects: Sequence[Subject],
    plan: Plan,
    defaults: Sequence[Tried],
    measure: Measure,
    tell: Callable[[str, int, int], None],
) -> Fold:
    seen = [one for one in subjects if one.name not in held_out]
    names = [one.name for one in seen]
    tried = _search(f"without {', '.join(held_out)}", seen, plan, measure, tell)
    default = best(defaults, names)
    chosen = best([*(one for one in tried if one.given_up is None), *defaults], names)
    gains = {}
    for subject in subjects:
        if subject.name in held_out:
            try:
                reached = measure(chosen.candidate, subject).quality
            except MethodFailed:
                reached = 0.0  # nothing of this document would be found
            gains[subject.name] = reached - default.outcomes[subject.name].quality
    return Fold(tuple(held_out), chosen.candidate, default.candidate, gains)


def _split(names: Sequence[str], folds: int) -> list[list[str]]:
    """Every n-th document, so that each fold has small and large ones."""
    count = min(folds, len(names))
    return [list(names[first::count]) for first in range(count)] if count > 1 else []
