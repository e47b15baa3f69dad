"""RC, references completeness: how many pronouns stay with what they stand for."""

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import Offsets, edges, held
from chunkfit.model import Chunking, Score


@registry.paper.register("RC", version=1, chance=True, gate=False)
def paper(chunking: Chunking, evidence: Evidence) -> Score:
    """1 - share of entity-pronoun pairs with a chunk start or end between them.

    Between: behind the first character of the earlier mention and not behind the last one of the later. Starts count
    but for the first chunk's, ends but for the last one's. Source: "Adaptive Chunking" (arXiv 2603.25333). Rewards cuts
    that no reference crosses; large chunks have fewer cuts and score high by themselves. Overlap, which gives a cut
    pair a whole copy, *lowers* it: each chunk has two edges then. Mentions beyond the end of the text, which the
    published ones of some documents have, count as the rest: no edge is there. The reference finds chunks by searching
    the text, and so an empty chunk (a blank page) one character behind the start of the chunk before; Table 3 has those
    edges.
    """
    starts, ends = edges(chunking, evidence)
    pairs = evidence.pair_edges
    if not len(pairs):
        return _without_pairs(evidence)
    if not len(starts):
        return Score(None, "there are no chunks")
    entity_first = pairs[:, 0] <= pairs[:, 2]
    firsts = np.minimum(pairs[:, 0], pairs[:, 2])
    lasts = np.where(entity_first, pairs[:, 3], pairs[:, 1])
    starts, ends = _as_searched(starts, ends)
    cuts = np.sort(np.concatenate([starts[1:], ends[:-1]]))
    broken = np.searchsorted(cuts, firsts, side="right") < np.searchsorted(cuts, lasts, side="left")
    return Score(1 - float(np.mean(broken)))


@registry.strict.register("RC", version=1, chance=True, gate=False)
def strict(chunking: Chunking, evidence: Evidence) -> Score:
    """Share of entity-pronoun pairs that some chunk holds, both mentions as a whole.

    Rewards chunks in which a pronoun can be understood; an overlap that brings the two together counts as it should.
    One chunk of everything scores 1: see the chance value beside it. None where a mention lies beyond the text, for
    then the mentions are of another text.
    """
    starts, ends = edges(chunking, evidence)
    pairs = evidence.pair_edges
    if not len(pairs):
        return _without_pairs(evidence)
    firsts = np.minimum(pairs[:, 0], pairs[:, 2])
    lasts = np.maximum(pairs[:, 1], pairs[:, 3])
    length = len(evidence.document.text)
    if lasts.max() > length:
        return Score(None, f"the mentions are of another text: one ends at {lasts.max()}, this text at {length}")
    return Score(float(np.mean(held(starts, ends, firsts, lasts))))


def _as_searched(starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """The edges with each empty chunk one character behind the start of the chunk before it."""
    number = np.arange(len(starts))
    full = np.maximum.accumulate(np.where(ends > starts, number, -1))  # the last chunk with text up to here
    found = np.where(full < 0, number, starts[full] + number - full)
    return found, np.where(full == number, ends, found)


def _without_pairs(evidence: Evidence) -> Score:
    return Score(None, evidence.mentions.reason or "no pronoun here refers to a named entity")
