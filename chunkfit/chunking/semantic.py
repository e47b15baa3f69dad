"""Cuts where neighbouring sentences differ most in meaning."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chunkfit.chunking.registry import chunkers
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import between, offsets

Signal = Literal["gradient", "distance"]


@chunkers.register("semantic", version=1, bounds_size=False, cost=3, engines=("segmenter", "embedder"))
def semantic(evidence: Evidence, *, signal: Signal = "gradient", percentile: float = 95.0) -> Chunking:
    """Embed each sentence with its neighbours; cut where the distance to the next one grows, or is, unusually large.

    Each sentence is embedded together with one neighbour on each side; the first and the last, which have one
    neighbour only, count double in their own window, so that the windows compare alike. Between neighbouring windows
    `distance = 1 - cosine`. A cut falls behind sentence i where the distance (signal="distance"), or its central
    difference (signal="gradient", the paper's), is above its own `percentile` over the document. Sentences without any
    token never cut. A text of one or two sentences is one chunk, an empty text has none. Raises ValueError for a
    percentile outside [0, 100], MethodFailed where the embedder gives other than one vector per window.
    """
    if signal not in ("gradient", "distance"):
        raise ValueError(f"signal must be 'gradient' or 'distance', got {signal!r}")
    if not 0 <= percentile <= 100:
        raise ValueError(f"percentile must lie in [0, 100], got {percentile}")
    sentences = evidence.sentences
    if len(sentences) < 3:
        text = evidence.document.text
        return Chunking("semantic", between([0, len(text)]) if text else ())
    distances = _distances(evidence)
    values = np.gradient(distances) if signal == "gradient" else distances
    last = np.flatnonzero(values > np.percentile(values, percentile))
    starts, _ = offsets(sentences)
    return Chunking("semantic", between([0, *starts[last + 1].tolist(), len(evidence.document.text)]))


def _distances(evidence: Evidence) -> NDArray[np.float64]:
    """Cosine distance between each window and the next; 0 where one of them holds no token."""
    starts, ends = offsets(evidence.sentences)
    windows = _vectors(evidence, np.append(starts[0], starts[:-1]), np.append(ends[1:], ends[-1]))
    edges = _vectors(evidence, starts[[0, -1]], ends[[0, -1]])
    windows[[0, -1]] = windows[[0, -1]] + edges
    lengths = np.linalg.norm(windows, axis=1)
    cosines = np.einsum("ij,ij->i", windows[:-1], windows[1:])
    scale = lengths[:-1] * lengths[1:]
    distances: NDArray[np.float64] = np.where(scale > 0, 1 - cosines / np.where(scale > 0, scale, 1), 0.0)
    # Vectors are single precision: what is left beyond six digits is noise, and would cut an even text anywhere.
    return distances.round(6)


def _vectors(evidence: Evidence, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    vectors = np.asarray(evidence.vectors(starts, ends), np.float64)
    if vectors.shape[:1] != starts.shape:
        raise MethodFailed(
            f"{evidence.engines.embedder.id} gave {len(vectors)} vectors for {len(starts)} spans of "
            f"{evidence.document.name!r}; it must give one for each, in order, blank spans included"
        )
    return vectors
