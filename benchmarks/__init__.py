"""Timed work, run on demand by `python -m benchmarks`, never a timed test."""
