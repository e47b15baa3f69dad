"""Timed work, run on demand by `python -m benchmarks`, never a timed test."""

import os
from pathlib import Path

SHARED = Path(os.environ.get("CHUNKFIT_SHARED", Path(__file__).parents[2] / "shared"))
CLAIR = SHARED / "clair"  # the paper's documents, with golden results; not part of the repository
MODEL_FREE = ("fixed", "page", "langchain_default", "langchain_1100", "recursive_1100", "recursive_600")


def has_documents(benchmark: str) -> bool:
    """Whether the reference documents are there; a benchmark without them says so and is left out."""
    if not CLAIR.is_dir():
        print(f"{benchmark}: left out, the reference data is not at {CLAIR}; set CHUNKFIT_SHARED")
    return CLAIR.is_dir()
