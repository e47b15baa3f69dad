"""Everything that one profile measures on one chunking."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from chunkfit.calls import Call, base, call
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
        diagnostics={
            called.name: _beside_chance(called.part, chunking, draws, evidence, called.settings)
            for called in measured(settings)
        },
    )


def measured(settings: Settings) -> tuple[Call[Metric], ...]:
    """The diagnostics that the settings ask for, by lines such as "retrieval_probe[budget=500]".

    Raises UnknownPart for unknown names, ValueError for settings that a diagnostic does not have.
    """
    if settings.diagnostics is None:
        return tuple(Call(part, {}) for part in diagnostics if not part.traits["costly"])
    return tuple(
        {called.name: called for called in (call(diagnostics, line) for line in settings.diagnostics)}.values()
    )


def weighable(profile: ProfileName, metric: str) -> Part[Metric]:
    """The metric of that name, of the profile or among the diagnostics. Raises UnknownPart where there is none."""
    return call(diagnostics, metric).part if base(metric) in diagnostics else profiles[profile][metric]


def _beside_chance(
    part: Part[Metric],
    chunking: Chunking,
    draws: Sequence[Chunking],
    evidence: Evidence,
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> Score:
    value = part.make(chunking, evidence, **settings)
    if not part.traits["chance"] or value.value is None:
        return value
    enough = draws[: cast("int | None", part.traits.get("draws"))]
    return replace(value, chance=chance_of([part.make(draw, evidence, **settings) for draw in enough]))


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
