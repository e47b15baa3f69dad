"""How well reference chunks and chunks cover one another, character by character."""

import numpy as np
from numpy.typing import NDArray

from chunkfit.model import Score
from chunkfit.references.judged import Judged, Offsets
from chunkfit.references.once import Pieces


def span_iou_reference(pieces: Pieces, judged: Judged) -> Score:
    """Mean over the reference's characters of the IoU that their reference chunk reaches with its best piece.

    sum of |r| * max over c of IoU(r, c), by sum of |r|. The IoU is |r & c| / |r | c+| where c+ is the piece together
    with the text dropped right before and behind it: to strip what does not match raises nothing. Weighted by length,
    because a page of text matters more than a heading. It rewards pieces that are whole reference chunks; many
    small pieces beside the matching ones cost it nothing, and `span_iou_chunks` sees those.
    """
    reference, _, iou = _overlaps(pieces, judged)
    return _weighted(np.diff(judged.edges), reference, iou, judged.length)


def span_iou_chunks(pieces: Pieces, judged: Judged) -> Score:
    """Mean over the judged characters of the IoU that their piece reaches with its best reference chunk.

    sum of |c| * max over r of IoU(r, c), by all judged characters: dropped ones count as 0. IoU as in
    `span_iou_reference`. It rewards pieces that are whole reference chunks; a piece that joins a large reference chunk
    with small ones costs it little, and `span_iou_reference` sees those.
    """
    _, piece, iou = _overlaps(pieces, judged)
    return _weighted(pieces.ends - pieces.starts, piece, iou, judged.length)


def _overlaps(pieces: Pieces, judged: Judged) -> tuple[Offsets, Offsets, NDArray[np.float64]]:
    """A row per reference chunk and piece that share a character: their numbers and their IoU."""
    first = np.searchsorted(judged.edges, pieces.starts, side="right") - 1
    last = np.searchsorted(judged.edges, pieces.ends, side="left") - 1
    counts = last - first + 1
    piece = np.repeat(np.arange(len(counts)), counts)
    nth = np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts)
    reference = first[piece] + nth
    starts, ends = judged.edges[reference], judged.edges[reference + 1]
    shared = np.minimum(ends, pieces.ends[piece]) - np.maximum(starts, pieces.starts[piece])
    # The piece grown over the gaps beside it ends where its neighbours do, or the document.
    grown_from, grown_to = np.append(0, pieces.ends)[piece], np.append(pieces.starts, judged.length)[piece + 1]
    outside = np.maximum(starts - grown_from, 0) + np.maximum(grown_to - ends, 0)
    return reference, piece, shared / (ends - starts + outside)


def _weighted(lengths: Offsets, owner: Offsets, iou: NDArray[np.float64], length: int) -> Score:
    best = np.zeros(len(lengths))
    np.maximum.at(best, owner, iou)
    return Score(min(1.0, float(np.sum(lengths * best)) / length))
