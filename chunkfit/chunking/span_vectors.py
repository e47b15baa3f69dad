"""Vectors of spans for methods that cut by them: asked for in batches, and checked."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence

BATCH = 64
"""Spans asked for at once: what servers take, and little enough to hold."""


def require_batch(batch: int) -> None:
    """Raise ValueError where no span could be asked for."""
    if batch < 1:
        raise ValueError(f"batch must be at least 1, got {batch}; the default is {BATCH}")


def in_batches(
    evidence: Evidence, starts: NDArray[np.int64], ends: NDArray[np.int64], batch: int
) -> Iterator[NDArray[np.float64]]:
    """The vectors of spans in order, at most `batch` rows at a time: of length 1, or zeros where there are no tokens.

    Raises MethodFailed where the embedder does not give one finite vector for each span.
    """
    for first in range(0, len(starts), batch):
        some = slice(first, first + batch)
        yield checked(evidence, starts[some], ends[some])


def checked(evidence: Evidence, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """The vectors of spans, all at once. Raises MethodFailed where they are not one finite vector for each."""
    vectors = np.asarray(evidence.vectors(starts, ends), np.float64)
    who, name = evidence.engines.embedder.id, evidence.document.name
    if vectors.shape[:1] != starts.shape:
        raise MethodFailed(
            f"{who} gave {len(vectors)} vectors for {len(starts)} spans of {name!r}; "
            "it must give one for each, in order, blank spans included"
        )
    if not np.isfinite(vectors).all():
        raise MethodFailed(f"{who} gave vectors with values that are no finite numbers for {name!r}")
    return vectors
