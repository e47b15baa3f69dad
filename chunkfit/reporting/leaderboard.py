"""How the methods did over all documents, from their scorecards and selections alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from chunkfit.model import Score
from chunkfit.reporting.model import Outcome


@dataclass(frozen=True, slots=True)
class Average:
    """One metric of one method, averaged over the documents that have it. All None where no document does.

    `chance` and `lift` are means over the documents that have both, so `lift` need not be `value - chance`.
    """

    value: float | None
    chance: float | None
    lift: float | None
    documents: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One method over the whole corpus."""

    method: str
    mean: float | None  # of its weighted means, over the documents where it competed
    wins: int  # documents that it was chosen for
    competed: int  # documents where it could be chosen
    disqualified: int
    chunks: int  # over the documents where they were counted
    averages: dict[str, Average]  # by metric
    diagnostics: dict[str, Average]  # by diagnostic
    fallbacks: int  # documents where another method's chunks stood in for its own


@dataclass(frozen=True, slots=True)
class Gain:
    """What choosing per document adds to the score, against using one method for all."""

    method: str  # the best single one: it competed on the most documents, and has the best mean there
    documents: int  # where it competed: both means are taken over these
    single: float
    adaptive: float

    @property
    def value(self) -> float:
        return self.adaptive - self.single


@dataclass(frozen=True, slots=True)
class Leaderboard:
    documents: int
    undecided: int  # documents that no method could be chosen for
    metrics: tuple[str, ...]  # in the order of first appearance
    counted: tuple[str, ...]  # those of them that joined the score of some document; the others are gates
    diagnostics: tuple[str, ...]  # measured beside the metrics, in the order of first appearance
    standings: tuple[Standing, ...]  # best first: by mean, then by wins, then by name
    gain: Gain | None  # None where nothing was decided


def leaderboard(outcomes: Iterable[Outcome]) -> Leaderboard:
    """Average scorecards and selections over documents. A missing score joins no mean; it never counts as 0."""
    outcomes = tuple(outcomes)
    methods = _in_order(card.method for outcome in outcomes for card in outcome.scorecards)
    metrics = _in_order(name for outcome in outcomes for card in outcome.scorecards for name in card.scores)
    counted = {name for outcome in outcomes for name in (*outcome.selection.metrics, *outcome.selection.left_out)}
    diagnostics = _in_order(name for outcome in outcomes for card in outcome.scorecards for name in card.diagnostics)
    standings = [_standing(method, metrics, diagnostics, outcomes) for method in methods]
    standings.sort(key=lambda one: (one.mean is None, -(one.mean or 0.0), -one.wins, one.method))
    return Leaderboard(
        documents=len(outcomes),
        undecided=sum(outcome.selection.best is None for outcome in outcomes),
        metrics=metrics,
        counted=tuple(name for name in metrics if name in counted),
        diagnostics=diagnostics,
        standings=tuple(standings),
        gain=_gain(standings, outcomes),
    )


def ranked_means(outcome: Outcome) -> dict[str, float]:
    """Weighted mean per method that competed on this document and has one."""
    return {ranked.method: ranked.mean for ranked in outcome.selection.ranking if ranked.mean is not None}


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _standing(method: str, metrics: Sequence[str], diagnostics: Sequence[str], outcomes: Sequence[Outcome]) -> Standing:
    cards = [card for outcome in outcomes for card in outcome.scorecards if card.method == method]
    means = [means[method] for outcome in outcomes if method in (means := ranked_means(outcome))]
    return Standing(
        method=method,
        mean=fmean(means) if means else None,
        wins=sum(outcome.selection.best == method for outcome in outcomes),
        competed=sum(method == ranked.method for outcome in outcomes for ranked in outcome.selection.ranking),
        disqualified=sum(method in outcome.selection.disqualified for outcome in outcomes),
        chunks=sum(card.sizes.chunks for card in cards if card.sizes),
        averages={name: _average([card.scores[name] for card in cards if name in card.scores]) for name in metrics},
        diagnostics={
            name: _average([card.diagnostics[name] for card in cards if name in card.diagnostics])
            for name in diagnostics
        },
        fallbacks=sum(card.fallback is not None for card in cards),
    )


def _average(scores: Sequence[Score]) -> Average:
    values = [score.value for score in scores if score.value is not None]
    both = [(score.chance.mean, score.lift) for score in scores if score.chance is not None and score.lift is not None]
    return Average(
        value=fmean(values) if values else None,
        chance=fmean(chance for chance, _ in both) if both else None,
        lift=fmean(lift for _, lift in both) if both else None,
        documents=len(values),
    )


def _gain(standings: Sequence[Standing], outcomes: Sequence[Outcome]) -> Gain | None:
    candidates = [standing for standing in standings if standing.mean is not None]
    if not candidates:
        return None
    single = max(candidates, key=lambda one: (one.competed, one.mean or 0.0))
    compared = [
        (means[outcome.selection.best], means[single.method])
        for outcome in outcomes
        if single.method in (means := ranked_means(outcome)) and outcome.selection.best in means
    ]
    return Gain(
        method=single.method,
        documents=len(compared),
        single=fmean(theirs for _, theirs in compared),
        adaptive=fmean(best for best, _ in compared),
    )
