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

# Diagnostics, in the order in which they are shown.
from chunkfit.metrics import (  # isort: skip  # noqa: F401
    boundary_contrast,
    intra_chunk_similarity,
    semantic_dissimilarity,
    lexical_dissimilarity,
    reference_chains,
    topic_coherence,
    retrieval_probe,
)
from chunkfit.metrics.scorecard import measured, profiles, score, sizes, weighable  # isort: skip

__all__ = ["Metric", "diagnostics", "measured", "paper", "profiles", "score", "sizes", "strict", "weighable"]
