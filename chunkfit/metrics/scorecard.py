"""Everything that one profile measures on one chunking."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics.chance import chance_of, shuffled
from chunkfit.metrics.edges import edges
from chunkfit.metrics.registry import Metric, diagnostics, paper, strict
from chunkfit.model import Chunking, Score, Scorecard, SizeStatistics
from chunkfit.registry import Part, Registry
from chunkfit.settings import ProfileName, Settings

profiles: dict[ProfileName, Registry[Metric]] = {"strict": strict, "paper": paper}


def score(
    chunking: Chunking,
    evidence: Evidence,
    settings: Settings = Settings(),  # noqa: B008 - frozen
) -> Scorecard:
    """Measure one chunking by all metrics of the settings' profile and by the diagnostics, each beside chance.

    All see the same draws of the null. A gate below 1 disqualifies, and so does having no chunk at all. Raises
    ValueError where the chunking belongs to another text.
    """
    draws = shuffled(chunking, evidence, settings.chance)
    scores: dict[str, Score] = {}
    closed: list[str] = []
    if not chunking.spans:
        closed.append("it made no chunks")
    for part in profiles[settings.profile]:
        value = _beside_chance(part, chunking, draws, evidence)
        if part.traits["gate"] and value.value is not None and value.value < 1:
            closed.append(f"{part.name} is below 1: it {value.reason or 'must be 1'}")
        scores[part.name] = value
    return Scorecard(
        method=chunking.method,
        scores=scores,
        sizes=sizes(chunking, evidence),
        disqualified="; ".join(closed) or None,
        repairs=chunking.repairs,
        fallback=chunking.fallback,
        diagnostics={part.name: _beside_chance(part, chunking, draws, evidence) for part in measured(settings)},
    )


def measured(settings: Settings) -> tuple[Part[Metric], ...]:
    """The diagnostics that the settings ask for. Raises UnknownPart for unknown names."""
    if settings.diagnostics is None:
        return tuple(part for part in diagnostics if not part.traits["costly"])
    return tuple(diagnostics[name] for name in dict.fromkeys(settings.diagnostics))


def weighable(profile: ProfileName, metric: str) -> Part[Metric]:
    """The metric of that name, of the profile or among the diagnostics. Raises UnknownPart where there is none."""
    return diagnostics[metric] if metric in diagnostics else profiles[profile][metric]


def _beside_chance(part: Part[Metric], chunking: Chunking, draws: Sequence[Chunking], evidence: Evidence) -> Score:
    value = part.make(chunking, evidence)
    if not part.traits["chance"] or value.value is None:
        return value
    return replace(value, chance=chance_of([part.make(draw, evidence) for draw in draws]))


def sizes(chunking: Chunking, evidence: Evidence) -> SizeStatistics | None:
    """Tokens per chunk; None without chunks."""
    tokens = evidence.tokens.counts(*edges(chunking, evidence))
    if not len(tokens):
        return None
    return SizeStatistics(
        chunks=len(tokens),
        mean=float(tokens.mean()),
        deviation=float(tokens.std()),
        minimum=int(tokens.min()),
        median=float(np.median(tokens)),
        maximum=int(tokens.max()),
    )
