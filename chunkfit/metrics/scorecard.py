"""Everything that one profile measures on one chunking."""

from dataclasses import replace

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics.chance import chance_of, shuffled
from chunkfit.metrics.edges import edges
from chunkfit.metrics.registry import Metric, paper, strict
from chunkfit.model import Chunking, Score, Scorecard, SizeStatistics
from chunkfit.registry import Registry
from chunkfit.settings import ChanceSettings, ProfileName

profiles: dict[ProfileName, Registry[Metric]] = {"strict": strict, "paper": paper}


def score(
    chunking: Chunking,
    evidence: Evidence,
    profile: ProfileName = "strict",
    chance: ChanceSettings = ChanceSettings(),  # noqa: B008 - frozen
) -> Scorecard:
    """Measure one chunking by all metrics of a profile, each beside what chance gives.

    All metrics see the same draws of the null. A gate below 1 disqualifies, and so does having no chunk at all. Raises
    ValueError where the chunking belongs to another text.
    """
    draws = shuffled(chunking, evidence, chance)
    scores: dict[str, Score] = {}
    closed: list[str] = []
    if not chunking.spans:
        closed.append("it made no chunks")
    for part in profiles[profile]:
        value = part.make(chunking, evidence)
        if part.traits["gate"] and value.value is not None and value.value < 1:
            closed.append(f"{part.name} is below 1: it {value.reason or 'must be 1'}")
        if part.traits["chance"] and value.value is not None:
            value = replace(value, chance=chance_of([part.make(draw, evidence) for draw in draws]))
        scores[part.name] = value
    disqualified = "; ".join(closed) or None
    return Scorecard(chunking.method, scores, sizes(chunking, evidence), disqualified, chunking.repairs)


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
