"""The blocks of a text as a reader sees them, and which chunk each belongs to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics.edges import Offsets, edges, new_from
from chunkfit.model import Chunking


@dataclass(frozen=True, eq=False)
class Units:
    """Stretches of visible text in order, each with a vector. What has no vector is no unit."""

    kind: str  # what they are, for reasons: "blocks" or "sentences"
    middles: Offsets  # code points: halfway between the first and the last visible character
    vectors: NDArray[np.float32]  # [units, dimensions], of length 1


@dataclass(frozen=True, eq=False)
class Groups:
    """The units of each chunk that has any: chunk k holds units `first[k]` to `last[k] - 1`."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]


def units(evidence: Evidence) -> Units:
    """The units of a document, made once.

    They are its blocks, a heading together with the block that it heads first: alone it is unlike both its neighbours,
    and a cut before or behind it would decide every comparison. A heading is a block of that kind, or one with nothing
    in it but a title's heading. A text without known blocks is taken by its sentences.
    """
    return evidence.once(_units)


def grouped(chunking: Chunking, evidence: Evidence) -> Groups:
    """Each unit with the first chunk that holds its middle; a unit whose middle no chunk holds is with none.

    So a cut inside a block counts as one at its nearer end, and an overlap moves no boundary. Raises ValueError as
    `edges` does.
    """
    starts, ends = edges(chunking, evidence)
    middles = units(evidence).middles
    first = np.searchsorted(middles, new_from(starts, ends))
    last = np.searchsorted(middles, ends)
    some = last > first
    return Groups(first[some], last[some])


def _units(evidence: Evidence) -> Units:
    kind, cut = _unit_edges(evidence)
    visible = evidence.visible_before
    before = visible[cut]
    full = before[1:] > before[:-1]
    firsts = np.searchsorted(visible, before[:-1][full], side="right") - 1
    lasts = np.searchsorted(visible, before[1:][full], side="left")
    rows = evidence.vectors(cut[:-1][full], cut[1:][full])
    known = rows.any(axis=1)
    return Units(kind, ((firsts + lasts) // 2)[known], rows[known])


def _unit_edges(evidence: Evidence) -> tuple[str, Offsets]:
    visible, blocks = evidence.visible_before, evidence.document.blocks
    if not blocks:
        return "sentences", np.array([0, *(sentence.end for sentence in evidence.sentences)], np.int64)
    in_headings = _visible_in_headings(evidence)
    edges, after_heading = [0], True
    for block in blocks:
        start, end = block.span.start, block.span.end
        letters = visible[end] - visible[start]
        if not letters:
            continue
        if not after_heading:
            edges.append(start)
        after_heading = block.kind == "heading" or in_headings[end] - in_headings[start] == letters
    return "blocks", np.array([*edges, len(evidence.document.text)], np.int64)


def _visible_in_headings(evidence: Evidence) -> NDArray[np.int64]:
    """How many visible characters of headings stand before each offset: not every parser says what kind a block is."""
    inside = np.zeros(len(evidence.document.text), bool)
    for title in evidence.document.titles:
        inside[title.heading.start : title.heading.end] = True
    return np.concatenate([[0], np.cumsum(np.diff(evidence.visible_before) * inside)])
