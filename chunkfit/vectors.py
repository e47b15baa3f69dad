"""The vectors of a chunking's chunks."""

import numpy as np
from numpy.typing import NDArray

from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import offsets


def chunk_vectors(chunking: Chunking, evidence: Evidence) -> NDArray[np.float32]:
    """A row per chunk, ready for an index: [chunks, dimensions], each of length 1, or zeros for a chunk without tokens.

    They are the embedder's of the evidence: naive or late, whatever method cut the chunks. Raises MethodFailed where
    it gives other than one finite vector per chunk, ValueError where the chunking belongs to another text.
    """
    starts, ends = offsets(chunking.spans)
    rows = np.asarray(evidence.vectors(starts, ends), np.float32)
    at = f"document {evidence.document.name!r}: the embedder {evidence.engines.embedder.id}"
    if rows.ndim != 2 or len(rows) != len(chunking):
        raise MethodFailed(
            f"{at} gave an array of shape {rows.shape} for {len(chunking)} chunks; one row each is right"
        )
    if not np.isfinite(rows).all():
        raise MethodFailed(f"{at} gave NaN or infinity for a chunk; use another model, or another device or precision")
    return rows
