"""Metrics: `metric(chunking, evidence, **settings) -> Score`, one file per metric, in two profiles, all listed here."""

from chunkfit.metrics.registry import Metric, paper, strict

__all__ = ["Metric", "paper", "strict"]
