"""Which method one document should be cut with: scorecards, weights and gates in, a choice with its reasons out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunkfit.chunking import order, trait
from chunkfit.metrics import profiles
from chunkfit.model import Ranked, Score, Scorecard, Selection
from chunkfit.settings import SelectionRules


@dataclass(frozen=True, slots=True)
class _Competitor:
    """A method still in the race, and what decides between equals."""

    card: Scorecard
    mean: float | None
    cost: int
    order: tuple[int, str]  # as registered; methods unknown here behind the others, by name

    @property
    def chunks(self) -> int:
        return self.card.sizes.chunks if self.card.sizes else 0

    @property
    def expense(self) -> tuple[int, int, tuple[int, str]]:
        return (self.cost, self.chunks, self.order)


def select(
    scorecards: Sequence[Scorecard],
    rules: SelectionRules = SelectionRules(),  # noqa: B008 - frozen
    costs: Mapping[str, int] | None = None,
) -> Selection:
    """Rank the methods of one document by their weighted mean and choose one.

    mean = sum(weight * value) / sum(weight) over the metrics that count here: those with a weight above 0 and a value
    from every competing method, for a mean over different metrics compares nothing. Gates never join it. Disqualified
    methods do not compete. Means within `rules.tie_margin` of the highest are a tie, and of the tied methods the
    cheapest wins: by `costs` (the chunkers' own when None), then by fewer chunks, then as registered. A method whose
    chunks were split again costs more than the splitter: "page" on a document of one page is the splitter's work; and
    so does one that fell back on another. Diagnostics count where a weight names them, and not otherwise. Where no
    metric counts all methods tie and have no mean. Nothing depends on the order of any argument.

    Raises ValueError for two scorecards of one method, and for weights that are negative, not finite, or of a metric
    that was not scored.
    """
    cards = sorted(scorecards, key=lambda card: order(card.method))
    methods = [card.method for card in cards]
    if len(set(methods)) < len(methods):
        raise ValueError(f"one scorecard a method, got {', '.join(methods)}")
    disqualified = {card.method: card.disqualified for card in cards if card.disqualified}
    competing = [card for card in cards if not card.disqualified]
    if not competing:
        why = "every method was disqualified" if cards else "no method was tried"
        return Selection(None, (), None, (), disqualified, (), {}, f"No method can be used: {why}.")

    weights = _weights(cards, rules)
    left_out = _left_out(competing, weights)
    counting = {metric: weight for metric, weight in weights.items() if metric not in left_out}
    if costs is None:
        costs = {card.method: int(str(cost)) for card in cards if (cost := trait(card.method, "cost")) is not None}
    competitors = [
        _Competitor(card, _mean(card, counting), _cost(card, costs), order(card.method)) for card in competing
    ]
    highest = max((one.mean for one in competitors if one.mean is not None), default=None)
    tied = [one for one in competitors if _ties(one.mean, highest, rules.tie_margin)]
    best = min(tied, key=lambda one: one.expense)
    others = sorted((one for one in competitors if one is not best), key=lambda one: (-(one.mean or 0.0), one.expense))
    margin = None if not others or best.mean is None or others[0].mean is None else best.mean - others[0].mean
    return Selection(
        best=best.card.method,
        ranking=tuple(Ranked(one.card.method, one.mean, one.chunks) for one in [best, *others]),
        margin=margin,
        tied=tuple(one.card.method for one in sorted(tied, key=lambda one: one.expense)),
        disqualified=disqualified,
        metrics=tuple(counting),
        left_out=left_out,
        reason=_reason(best, others, tied, margin, disqualified, rules),
    )


def _cost(card: Scorecard, costs: Mapping[str, int]) -> int:
    """The method's own cost; where another's work stands in for its own, at least one more than the splitter's."""
    if card.method not in costs:
        known = ", ".join(costs) or "none"
        raise ValueError(f"no cost is known of {card.method!r}; give one in costs, known are {known}")
    if "split_oversized" not in card.repairs and card.fallback is None:
        return costs[card.method]
    return max(costs[card.method], costs.get("recursive_1100", 0) + 1)


def _weights(cards: Sequence[Scorecard], rules: SelectionRules) -> dict[str, float]:
    """The weight of each metric that was scored, gates aside, in the order in which metrics are printed."""
    scored = {metric for card in cards for metric in card.scores if metric not in _gates()}
    known = [part.name for profile in profiles.values() for part in profile]
    names = sorted(scored, key=lambda metric: (known.index(metric) if metric in known else len(known), metric))
    if rules.weights is None:
        return dict.fromkeys(names, 1.0)
    for metric, weight in rules.weights.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"the weight of {metric!r} must be a finite number from 0 up, got {weight}")
        if metric not in scored and not any(metric in card.diagnostics for card in cards):
            raise ValueError(f"a weight is given for {metric!r}, which was not scored; scored are {', '.join(names)}")
    return {metric: rules.weights.get(metric, 0.0) for metric in dict.fromkeys([*names, *rules.weights])}


def _score(card: Scorecard, metric: str) -> Score | None:
    return card.scores.get(metric) or card.diagnostics.get(metric)


def _gates() -> set[str]:
    return {part.name for profile in profiles.values() for part in profile if part.traits["gate"]}


def _left_out(competing: Sequence[Scorecard], weights: Mapping[str, float]) -> dict[str, str]:
    """Why a metric does not count for this document."""
    reasons = {}
    for metric, weight in weights.items():
        missing = {card.method: _score(card, metric) for card in competing}
        missing = {method: score for method, score in missing.items() if score is None or score.value is None}
        if not weight:
            reasons[metric] = "its weight is 0"
        elif missing:
            told = sorted({score.reason if score and score.reason else "not scored" for score in missing.values()})
            who = "any method" if len(missing) == len(competing) else ", ".join(missing)
            reasons[metric] = f"no value for {who}: {'; '.join(told)}"
    return reasons


def _mean(card: Scorecard, weights: Mapping[str, float]) -> float | None:
    if not weights:
        return None
    scores = {metric: _score(card, metric) for metric in weights}
    values = [(weights[metric], score.value or 0.0) for metric, score in scores.items() if score is not None]
    return math.fsum(weight * value for weight, value in values) / math.fsum(weights.values())


def _ties(mean: float | None, highest: float | None, margin: float) -> bool:
    return mean is None or highest is None or highest - mean <= margin + 1e-12  # decimal margins have no exact double


def _reason(
    best: _Competitor,
    others: Sequence[_Competitor],
    tied: Sequence[_Competitor],
    margin: float | None,
    disqualified: Mapping[str, str],
    rules: SelectionRules,
) -> str:
    name = best.card.method
    if not others:
        return f"{name} is the only method left; disqualified: {', '.join(disqualified) or 'none'}."
    if best.mean is None or margin is None:
        return f"No metric has a value for every method, so all {len(tied)} tie, and {name} is the cheapest."
    if len(tied) > 1:
        means = f"{len(tied)} methods are within {rules.tie_margin:g} of the highest mean"
        return f"{means}, a tie, and {name} ({best.mean:.4f}) is the cheapest of them."
    return f"{name} has the highest mean, {best.mean:.4f}, {margin:.4f} above {others[0].card.method}."
