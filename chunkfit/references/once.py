"""Chunks as pieces that share no character: what dropping and repeating do to a comparison is decided here.

Measures are taken of disjoint pieces. Where chunks overlap, there are three ways of having each character once: with
the first chunk that holds it, with the last, or shared out in the middle. The worst of them counts, and is then scaled
down by the share of repeated characters. So a chunking that repeats text is never better than the one that it was
before its chunks were made longer forwards, backwards or both ways.

What is in no piece is dropped. Each measure counts it so that no way of putting it back (into the neighbours, or as
chunks of its own) could be worse: see there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunkfit.model import Score
from chunkfit.references.judged import Judged, Offsets
from chunkfit.references.model import Better


@dataclass(frozen=True, eq=False)
class Pieces:
    """Disjoint pieces of the judged characters, in order; none is empty. Gaps between them are dropped text."""

    starts: Offsets
    ends: Offsets
    length: int  # judged characters of the document

    @property
    def dropped(self) -> int:
        return self.length - int(np.sum(self.ends - self.starts))

    @property
    def boundaries(self) -> Offsets:
        """Where one piece ends and the next begins, with nothing dropped between them."""
        joined: Offsets = self.starts[1:][self.starts[1:] == self.ends[:-1]]
        return joined

    @property
    def gaps(self) -> tuple[Offsets, Offsets]:
        """Starts and ends of what is dropped."""
        starts, ends = np.append(0, self.ends), np.append(self.starts, self.length)
        return starts[starts < ends], ends[starts < ends]


@dataclass(frozen=True, eq=False)
class Once:
    """A chunking with each character once, in every way there is, and how many were there again."""

    ways: tuple[Pieces, ...]  # a single one where nothing is repeated
    repeated: int

    @property
    def length(self) -> int:
        return self.ways[0].length

    def worst(self, scores: Sequence[Score], better: Better) -> Score:
        """The worst of a measure's values for the ways, scaled by length / (length + repeated); of an error, 1 - it is.

        Without a value where no way has one.
        """
        values = [score.value for score in scores if score.value is not None]
        if not values:
            return scores[0]
        share = self.length / (self.length + self.repeated)
        if better == "higher":
            return Score(min(values) * share)
        return Score(1 - (1 - max(values)) * share)


def once(starts: Offsets, ends: Offsets, judged: Judged) -> Once:
    """Chunks, given as code points of the text in order of their starts, as pieces of the judged characters."""
    starts, ends = judged.before[starts], judged.before[ends]
    kept = starts < ends
    starts, ends = starts[kept], ends[kept]
    held = int(np.sum(ends - starts))
    order = np.lexsort((ends, starts))
    starts, ends = starts[order], ends[order]
    # A chunk that is there twice, or inside another one, repeats and cuts nothing.
    again = (np.diff(starts, prepend=-1) == 0) & (np.diff(ends, prepend=-1) == 0)
    inside = ends < np.maximum.accumulate(np.append(0, ends))[1:]
    starts, ends = starts[~again & ~inside], ends[~again & ~inside]
    shares = (0.0, 0.5, 1.0) if np.any(starts[1:] < ends[:-1]) else (0.0,)
    ways = tuple(_shared_out(starts, ends, share, judged.length) for share in shares)
    return Once(ways, repeated=held - (judged.length - ways[0].dropped))


def _shared_out(starts: Offsets, ends: Offsets, share: float, length: int) -> Pieces:
    """Each overlap of neighbours is cut where `share` of it lies behind: 0 leaves it to the later chunk."""
    if len(starts):
        overlap = np.maximum(ends[:-1] - starts[1:], 0)
        cuts = starts[1:] + (overlap * share).astype(np.int64)
        starts = np.append(starts[0], np.where(overlap > 0, cuts, starts[1:]))
        ends = np.append(np.where(overlap > 0, cuts, ends[:-1]), ends[-1])
    kept = starts < ends
    return Pieces(starts[kept], ends[kept], length)
