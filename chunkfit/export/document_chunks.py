"""What is exported of one document."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from chunkfit.model import Chunk


@dataclass(frozen=True, eq=False)
class Vectors:
    """A vector for each chunk of a document, and whose they are."""

    embedder: str  # its id; search queries need the same one
    rows: NDArray[np.float32]  # [chunks, dimensions]: of length 1, or zeros for a chunk without tokens

    def __post_init__(self) -> None:
        if not np.isfinite(self.rows).all():
            raise ValueError(f"vectors must be finite, and some of {self.embedder} are not; use another embedder")

    def known(self) -> tuple[list[float] | None, ...]:
        """The vector of each chunk as plain numbers; None for zeros, which are alike to nothing."""
        return tuple(row if any(row) else None for row in self.rows.tolist())


@dataclass(frozen=True, eq=False)
class DocumentChunks:
    """The chunks of one document in order, by the method that was chosen for it.

    Raises ValueError where a chunk is of another document, or where there is not one vector a chunk.
    """

    document: str  # its name, unique among all that are exported together
    chunks: tuple[Chunk, ...]
    scores: Mapping[str, float | None] = field(default_factory=dict)  # of the method on the document; {} if unmeasured
    vectors: Vectors | None = None

    def __post_init__(self) -> None:
        for chunk in self.chunks:
            if chunk.document != self.document:
                raise ValueError(f"a chunk of {chunk.document!r} stands among those of {self.document!r}")
        if self.vectors is not None and len(self.vectors.rows) != len(self.chunks):
            raise ValueError(f"{len(self.vectors.rows)} vectors for {len(self.chunks)} chunks of {self.document!r}")
