"""Metrics: `metric(chunking, evidence, **settings) -> Score`, one file per metric, in two profiles, all listed here."""

from chunkfit.metrics.registry import Metric, diagnostics, paper, strict

# The order of Table 3, in which they are printed.
from chunkfit.metrics import (  # isort: skip  # noqa: F401
    coverage,
    references_completeness,
    intrachunk_cohesion,
    contextual_coherence,
    block_integrity,
    size_compliance,
)
from chunkfit.metrics.scorecard import measured, profiles, score, sizes, weighable  # isort: skip

__all__ = ["Metric", "diagnostics", "measured", "paper", "profiles", "score", "sizes", "strict", "weighable"]
