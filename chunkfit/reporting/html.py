"""The HTML report: one page that needs nothing but itself."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment
from markupsafe import Markup

from chunkfit.calls import base
from chunkfit.chunking import chunkers
from chunkfit.metrics import diagnostics, profiles
from chunkfit.model import Score
from chunkfit.reporting import plots, text
from chunkfit.reporting.heatmap import heatmap
from chunkfit.reporting.leaderboard import Leaderboard, leaderboard, ranked_means
from chunkfit.reporting.model import DocumentReport, Outcome, RunSummary
from chunkfit.reporting.page import HARMFUL, asset, environment, policy
from chunkfit.reporting.reference_table import HEADS, fixed_levels, reference_standings
from chunkfit.reporting.tables import failed_paths, gain_sentence, usage_sentence, winners
from chunkfit.reporting.viewer import script_json, viewed
from chunkfit.settings import ProfileName

if TYPE_CHECKING:
    from chunkfit.references import Comparison

VIEWER_BYTES = 20_000_000  # all documents together: what a browser opens without a pause
HEATMAP_BYTES = 8_000_000  # all documents together, some 400 of them: they share the page with the texts
BINS = 26  # of chunk sizes; the last is open-ended


@dataclass(frozen=True, slots=True)
class Shown:
    """One document as the page lists it, after its text has been let go."""

    outcome: Outcome
    details: Markup
    score: float | None  # of the chosen method
    tokens: int  # in the chunks of the chosen method
    pages: int
    payload: Markup | None  # for the viewer; None where it is beyond the page's bound
    command: str | None  # what shows the text where the page does not


def report(run: RunSummary, documents: Iterable[DocumentReport], *, viewer_bytes: int = VIEWER_BYTES) -> str:
    """One self-contained HTML page: what was decided and why, every figure, and a viewer of every text with its cuts.

    Documents are read one by one and none is kept. The viewer holds at most `viewer_bytes` of text in UTF-8; documents
    beyond that are listed with the command that shows them.
    """
    page = environment()
    page.tests["beyond_chance"] = _beyond_chance
    shown: list[Shown] = []
    sizes: dict[str, Sizes] = {}
    comparisons: list[Comparison] = []
    room = viewer_bytes
    heat_room = HEATMAP_BYTES
    bin_width = _bin_width(run.settings.postprocess.merged_max_tokens)
    for one in documents:
        for method, tokens in one.tokens.items():
            sizes.setdefault(method, Sizes(bin_width)).add(tokens)
        comparisons += one.comparisons
        payload = _payload(one, room)
        room -= len(payload.encode()) if payload else 0
        heat = _heat(page, one, len(shown), heat_room)
        heat_room -= len(heat)
        shown.append(
            Shown(
                outcome=one.outcome,
                details=_rendered(page, "document.html.j2", _document(one) | {"heat": heat}),
                score=ranked_means(one.outcome).get(one.selection.best or ""),
                tokens=sum(one.tokens.get(one.selection.best or "", ())),
                pages=len(one.document.pages),
                payload=Markup(payload) if payload else None,  # noqa: S704 - made safe by script_json
                command=None if payload else _command(one, viewer_bytes),
            )
        )
    outcomes = [document.outcome for document in shown]
    board = leaderboard(outcomes)
    compared = reference_standings(comparisons)
    html = page.get_template("report.html.j2").render(
        run=run,
        shown=shown,
        board=board,
        sentence=gain_sentence(board),
        winners=winners(outcomes),
        failed=len(failed_paths(run.failures)),
        chunks=sum(_chosen_chunks(outcome) for outcome in outcomes),
        tied=sum(len(outcome.selection.tied) > 1 for outcome in outcomes),
        leaders=_leaders(board),
        measured={name: max(one.averages[name].documents for one in board.standings) for name in board.metrics},
        sizes=[(method, sizes[method]) for method in _by_standing(board) if method in sizes],
        size_limits=(run.settings.postprocess.min_tokens, run.settings.postprocess.max_tokens),
        glossary=_glossary(board, run.settings.profile),
        usage=usage_sentence(run),
        compared=compared,
        measure_heads=HEADS,
        diagnostic_summaries={
            name: diagnostics[base(name)].summary for name in board.diagnostics if base(name) in diagnostics
        },
        fixed_levels=fixed_levels(compared),
        summaries={name: chunkers[base(name)].summary for name in _by_standing(board) if base(name) in chunkers},
        settings=run.settings.model_dump_json(indent=2),
        style=asset("report.css"),
        script=asset("report.js"),
        policy=policy(style="report.css", script="report.js"),
    )
    return HARMFUL.sub(text.REPLACEMENT, html)


class Sizes:
    """Tokens per chunk of one method over all documents, as a histogram that grows document by document."""

    def __init__(self, bin_width: int) -> None:
        self.bin_width = bin_width
        self.counts = np.zeros(BINS, dtype=np.int64)
        self.chunks = 0
        self.tokens = 0
        self.largest = 0

    def add(self, tokens: Sequence[int]) -> None:
        self.counts += plots.binned(tokens, self.bin_width, BINS)
        self.chunks += len(tokens)
        self.tokens += sum(tokens)
        self.largest = max(self.largest, *tokens, 0)

    @property
    def mean(self) -> float | None:
        return self.tokens / self.chunks if self.chunks else None

    def plot(self, limits: Sequence[int]) -> Markup:
        return plots.histogram([int(count) for count in self.counts], self.bin_width, limits)


def _bin_width(largest: int) -> int:
    """Tokens a bin, so that the largest size that post-processing leaves falls three bins before the end."""
    return -(-largest // (BINS - 3))


def _rendered(page: Environment, template: str, values: Mapping[str, Any]) -> Markup:
    return Markup(page.get_template(template).render(values))  # noqa: S704 - autoescaped


def _heat(page: Environment, one: DocumentReport, place: int, room: int) -> Markup:
    """The heatmap of a document; empty where its similarities are unknown, or it takes more than `room` characters."""
    if one.similarity is None:
        return Markup("")
    chunkings = {method: one.chunkings[method] for method in _methods(one) if method in one.chunkings}
    heat = heatmap(one.similarity, chunkings, one.selection.best)
    drawn = _rendered(page, "heatmap.html.j2", {"heat": heat, "name": f"heat-{place}"})
    return drawn if len(drawn) <= room else Markup("")


def _beyond_chance(score: Score) -> bool:
    """Whether a lift is larger than two standard deviations of the draws: less may well be chance."""
    return score.lift is not None and score.chance is not None and abs(score.lift) > 2 * score.chance.deviation


def _methods(one: DocumentReport) -> list[str]:
    """Every method that this document knows of: ranked ones first, then the rest in the order of their scorecards."""
    ranked = [ranked.method for ranked in one.selection.ranking]
    return list(dict.fromkeys([*ranked, *(card.method for card in one.scorecards), *one.chunkings]))


def _document(one: DocumentReport) -> dict[str, Any]:
    cards = {card.method: card for card in one.scorecards}
    metrics = list(dict.fromkeys(name for card in one.scorecards for name in card.scores))
    return {
        "one": one,
        "means": ranked_means(one.outcome),
        "metrics": metrics,
        "rows": [(method, cards.get(method)) for method in _methods(one)],
        "disqualified": _disqualified(one),
        "missing": _missing(one, metrics),
        "alone": _alone(one),
    }


def _disqualified(one: DocumentReport) -> dict[str, str]:
    return {card.method: card.disqualified for card in one.scorecards if card.disqualified} | dict(
        one.selection.disqualified
    )


def _missing(one: DocumentReport, metrics: Sequence[str]) -> dict[str, str]:
    """Why a metric has no value here: once where all methods give the same reason, else method by method."""
    told: dict[str, str] = {}
    for name in metrics:
        reasons = {
            card.method: score.reason
            for card in one.scorecards
            if (score := card.scores.get(name)) is not None and score.value is None and score.reason
        }
        if len(set(reasons.values())) == 1:
            told[name] = next(iter(reasons.values()))
        elif reasons:
            told[name] = "; ".join(f"{method}: {reason}" for method, reason in reasons.items())
    return told | dict(one.selection.left_out)


def _payload(one: DocumentReport, room: int) -> str | None:
    """The document for the viewer, or None where it takes more than `room` bytes."""
    if len(one.document.text) > room:
        return None
    payload = script_json(viewed(one, _methods(one)))
    return payload if len(payload.encode()) <= room else None


def _command(one: DocumentReport, viewer_bytes: int) -> str:
    """What shows a text that found no room: a report of its own, or the chunks where even that is too small."""
    if len(one.document.text.encode("utf-8", "surrogatepass")) < viewer_bytes // 2:
        return _alone(one)
    return f"chunkfit chunk {_path(one)} --method {shlex.quote(one.selection.best or 'best')} --format markdown"


def _alone(one: DocumentReport) -> str:
    """What makes a report of this document alone."""
    return f"python -m flows evaluate {_path(one)}"


def _path(one: DocumentReport) -> str:
    return shlex.quote(one.document.source.path if one.document.source else one.document.name)


def _chosen_chunks(outcome: Outcome) -> int:
    return sum(ranked.chunks for ranked in outcome.selection.ranking if ranked.method == outcome.selection.best)


def _by_standing(board: Leaderboard) -> list[str]:
    return [standing.method for standing in board.standings]


def _leaders(board: Leaderboard) -> Mapping[str, float]:
    """The best value of each metric, to three places as shown, so that equal-looking figures lead together."""
    values = {name: [one.averages[name].value for one in board.standings] for name in board.metrics}
    return {
        name: max(round(value, 3) for value in known if value is not None)
        for name, known in values.items()
        if any(value is not None for value in known)
    }


def _glossary(board: Leaderboard, profile: ProfileName) -> list[tuple[str, str, bool]]:
    """Metrics with what they measure and whether they are a gate, for those that the registry knows."""
    registry = profiles[profile]
    parts = [registry[name] for name in board.metrics if name in registry]
    return [(part.name, part.summary, bool(part.traits.get("gate"))) for part in parts]
