"""Chunks as pieces that share no character: what dropping and repeating do to a comparison is decided here.

Measures are taken of disjoint pieces. Where chunks overlap, there are several ways of having each character once: less
the chunks inside others, or less those that others cover, and then with the first chunk that holds it, with the last,
or shared out in the middle. The worst of them counts, and is scaled down by the share of repeated characters. So a
chunking that repeats text is never better than the one that it was before its chunks were made longer, backwards,
forwards or both ways, and before a chunk was added.

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
    held = int(np.sum(ends - starts))
    order = np.lexsort((ends[kept], starts[kept]))
    starts, ends = starts[kept][order], ends[kept][order]
    again = (np.diff(starts, prepend=-1) == 0) & (np.diff(ends, prepend=-1) == 0)
    starts, ends = starts[~again], ends[~again]
    if not np.any(starts[1:] < ends[:-1]):
        ways: tuple[Pieces, ...] = (Pieces(starts, ends, judged.length),)
    else:
        families = (_without_inner(starts, ends), _without_spare(starts, ends))
        ways = tuple(_shared_out(*one, share, judged.length) for one in families for share in (0.0, 0.5, 1.0))
    return Once(ways, repeated=held - (judged.length - ways[0].dropped))


def _without_inner(starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Less the chunks that lie inside another one."""
    outer = ends == np.maximum.accumulate(ends)
    return starts[outer], ends[outer]


def _without_spare(starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Less the chunks that the others cover: first those around smaller ones, then those between their neighbours."""
    around = np.append(np.minimum.accumulate(ends[::-1])[::-1][1:] <= ends[:-1], False)
    around[1:] |= starts[1:] == starts[:-1]  # in order of their ends
    opens, closes = _merged(starts[~around], ends[~around])
    within = np.searchsorted(opens, starts, side="right") - 1
    covered = around & (within >= 0) & (ends <= closes[within])
    starts, ends = _without_inner(starts[~covered], ends[~covered])
    kept: list[int] = []
    for chunk in range(len(starts)):
        between = kept and chunk + 1 < len(starts) and starts[chunk + 1] <= ends[kept[-1]]
        if not between:
            kept.append(chunk)
    return starts[kept], ends[kept]


def _merged(starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Stretches without gaps, of chunks in order of starts and ends."""
    opens = np.append(True, starts[1:] > ends[:-1])
    closes = np.append(opens[1:], True)
    return starts[opens], ends[closes]


def _shared_out(starts: Offsets, ends: Offsets, share: float, length: int) -> Pieces:
    """Each overlap of neighbours is cut where `share` of it lies behind: 0 leaves it to the later chunk."""
    overlap = np.maximum(ends[:-1] - starts[1:], 0)
    cuts = starts[1:] + (overlap * share).astype(np.int64)
    starts = np.append(starts[0], np.where(overlap > 0, cuts, starts[1:]))
    ends = np.append(np.where(overlap > 0, cuts, ends[:-1]), ends[-1])
    kept = starts < ends
    return Pieces(starts[kept], ends[kept], length)
