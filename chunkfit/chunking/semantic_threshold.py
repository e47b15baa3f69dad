"""Cuts where neighbouring sentences are less alike than a fixed threshold."""

import numpy as np

from chunkfit.chunking.bounding import Units, bounded, require_limits
from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.sentence_windows import distances, sentence_edges
from chunkfit.chunking.span_vectors import BATCH, in_batches, require_batch
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking


@chunkers.register(
    "semantic_threshold", version=1, bounds_size=False, cost=3, engines=("segmenter", "embedder"), on_request=True
)
def semantic_threshold(
    evidence: Evidence, *, threshold: float = 0.5, min_size: int = 0, size: int | None = None, batch: int = BATCH
) -> Chunking:
    """Cut between two sentences whose cosine similarity is below a fixed threshold.

    The simplest form of semantic chunking, as tutorials show it. What a similarity of 0.5 means depends on the
    embedder, so a threshold has to be found for each; `semantic` takes its own from the document. A sentence without
    any token counts as the one before it. `min_size`, `size` and `batch` are those of `semantic`. A text of one
    sentence is one chunk unless it is above `size`; an empty text has none.

    Raises ValueError unless -1 <= threshold <= 1 and for other settings out of range, MethodFailed where the embedder
    gives other than one finite vector per sentence.
    """
    if not -1 <= threshold <= 1:
        raise ValueError(f"threshold is a cosine similarity and must lie in [-1, 1], got {threshold}")
    require_limits(min_size, size)
    require_batch(batch)
    edges = sentence_edges(evidence)
    if not len(edges):
        return Chunking("semantic_threshold", ())
    values = distances(in_batches(evidence, edges[:-1], edges[1:], batch))
    cuts = np.flatnonzero(1 - values < threshold)
    units = Units(evidence.tokens, edges, values)
    return bounded("semantic_threshold", units, cuts.tolist(), min_size=min_size, size=size)
