"""Which chunks hold which stretches of the references."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chunkfit.retrieval.chunks import Chunks
from chunkfit.retrieval.ranking import Rankings
from chunkfit.retrieval.references import References
from chunkfit.retrieval.runs import runs
from chunkfit.retrieval.union import newly_covered, per_owner

Numbers = NDArray[np.int64]

_CELLS_AT_ONCE = 1 << 21  # of rankings that are looked through: 16 MB


@dataclass(frozen=True, eq=False)
class Relevance:
    """What chunks and references share: a row per pair of them with a character in common.

    Made once for a chunking and some questions, it serves all rankings of those.
    """

    chunks: Chunks
    references: References
    chunk: Numbers  # number of the chunk
    reference: Numbers  # number of the reference
    starts: Numbers  # of what they share, code points
    ends: Numbers

    @classmethod
    def of(cls, chunks: Chunks, references: References) -> "Relevance":
        """The chunks of a document must come in order of their starts; they may overlap, and lie in one another."""
        room = 1 + max(chunks.ends.max(initial=0), references.ends.max(initial=0))  # documents end to end on one line
        chunk_at, reference_at = chunks.documents * room, references.documents * room
        reach = np.maximum.accumulate(chunks.ends + chunk_at)  # ends may go back where chunks lie in one another
        first = np.searchsorted(reach, references.starts + reference_at, side="right")
        behind = np.maximum(first, np.searchsorted(chunks.starts + chunk_at, references.ends + reference_at))
        chunk, reference = runs(first, behind), np.repeat(np.arange(len(first)), behind - first)
        starts = np.maximum(chunks.starts[chunk], references.starts[reference])
        ends = np.minimum(chunks.ends[chunk], references.ends[reference])
        kept = starts < ends
        return cls(chunks, references, chunk[kept], reference[kept], starts[kept], ends[kept])

    @cached_property
    def questions(self) -> Numbers:
        """The question of each row."""
        return self.references.questions[self.reference]

    def places(self, rankings: Rankings) -> Numbers:
        """The place of each row's chunk in its question's ranking, from 0; -1 where it is not there."""
        places, depth = np.full(len(self.chunk), -1), rankings.shape[1]
        step = max(1, _CELLS_AT_ONCE // max(depth, 1))
        for first in range(0, len(places) if depth else 0, step):
            some = slice(first, first + step)
            there = rankings[self.questions[some]] == self.chunk[some, None]
            places[some] = np.where(there.any(axis=1), there.argmax(axis=1), -1)
        return places

    def covered(self, ends: Numbers) -> Numbers:
        """Reference characters of each question in what the rows share up to these ends, each counted once."""
        added = newly_covered(self.reference, self.starts, np.maximum(ends, self.starts))
        return per_owner(self.questions, added, self.references.size)
