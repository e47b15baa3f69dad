"""The similarity of a document's sentences as a picture, with the chunks of each method as squares on its diagonal."""

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.model import Chunking
from chunkfit.reporting.text import number, plural
from chunkfit.similarity import SentenceSimilarity

SHADES = 16
"""Alpha levels of the picture: it is drawn in one colour of the page, so that both themes and paper have their own."""

FINEST = 2
"""Steps a cell in which edges of chunks are told apart: half a cell is a pixel or two."""

SPREAD = (5.0, 95.0)
"""Percentiles of the cosines that are the palest and the fullest shade."""


@dataclass(frozen=True, slots=True)
class Heatmap:
    """What the template puts on the page."""

    image: str  # a PNG as a data address: white, with the similarity as opacity
    cells: int
    together: int  # sentences a cell; the last may have fewer
    low: float  # the cosine, and all below it, that has the palest shade
    high: float  # the one, and all above it, that has the fullest
    outlines: tuple["Outline", ...]  # one a method
    label: str  # the same in words


@dataclass(frozen=True, slots=True)
class Outline:
    """The chunks of one method."""

    method: str
    path: str  # SVG path data in units of cells
    told: str  # how alike neighbours are within its chunks, and across their edges
    chosen: bool


def heatmap(similarity: SentenceSimilarity, chunkings: Mapping[str, Chunking], chosen: str | None) -> Heatmap:
    """The picture of the similarities and the squares of every method; the first where none is chosen."""
    matrix = similarity.matrix
    low, high = _scale(matrix)
    shown = chosen if chosen in chunkings else next(iter(chunkings), None)
    outlines = tuple(
        Outline(method, _squares(similarity, chunking), _told(similarity, matrix, chunking), method == shown)
        for method, chunking in chunkings.items()
    )
    of_chosen = "".join(f" Chunks of {one.method}: {one.told}" for one in outlines if one.chosen)
    return Heatmap(
        image=f"data:image/png;base64,{base64.b64encode(_png(_shades(matrix, low, high))).decode('ascii')}",
        cells=similarity.cells,
        together=-(-similarity.sentences // max(1, similarity.cells)),
        low=low,
        high=high,
        outlines=outlines,
        label=f"Cosine of each two of {plural(similarity.sentences, 'sentence')} of this document.{of_chosen}",
    )


def _scale(matrix: NDArray[np.float64]) -> tuple[float, float]:
    """The cosines that get the palest and the fullest shade; a sentence with itself does not count."""
    others = matrix[~np.eye(len(matrix), dtype=bool)]
    known = others[~np.isnan(others)]
    if not len(known):
        return 0.0, 1.0
    low, high = np.percentile(known, SPREAD)
    return (float(low), float(high)) if high > low else (float(low), 1.0 if low < 1 else 2.0)


def _shades(matrix: NDArray[np.float64], low: float, high: float) -> NDArray[np.uint8]:
    """[cells, cells]: 0 for `low` and below or no value, SHADES - 1 for `high` and above."""
    share = np.nan_to_num(np.clip((matrix - low) / (high - low), 0, 1))
    return np.rint(share * (SHADES - 1)).astype(np.uint8)


def _png(shades: NDArray[np.uint8]) -> bytes:
    """White, with the shade as opacity: half a byte a pixel, an index into a palette of SHADES alphas."""
    height, width = shades.shape
    padded = np.pad(shades, ((0, 0), (0, width % 2)))
    rows = padded[:, 0::2] << 4 | padded[:, 1::2]
    filtered = np.pad(rows, ((0, 0), (1, 0)))  # a leading 0 a row: stored as it is
    header = struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)
    alphas = bytes(255 * shade // (SHADES - 1) for shade in range(SHADES))
    chunks = (
        (b"IHDR", header),
        (b"PLTE", b"\xff" * 3 * SHADES),
        (b"tRNS", alphas),
        (b"IDAT", zlib.compress(filtered.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _squares(similarity: SentenceSimilarity, chunking: Chunking) -> str:
    """A square on the diagonal a chunk; of those that look the same, one, and none that is too small to see."""
    starts, ends = (
        np.rint(_places(similarity.edges, [getattr(span, edge) for span in chunking.spans]) * FINEST) / FINEST
        for edge in ("start", "end")
    )
    squares = dict.fromkeys((start, end - start) for start, end in zip(starts, ends, strict=True) if end > start)
    return "".join(f"M{start:g} {start:g}h{size:g}v{size:g}h{-size:g}z" for start, size in squares)


def _places(edges: Sequence[int], offsets: Sequence[int]) -> NDArray[np.float64]:
    """Where offsets of the text are along the picture, in cells."""
    return np.interp(np.asarray(offsets, np.float64), edges, np.arange(len(edges)))


def _told(similarity: SentenceSimilarity, matrix: NDArray[np.float64], chunking: Chunking) -> str:
    """The mean cosine of neighbouring cells within a chunk, and of those with a chunk's edge between or in them."""
    edges = np.array(similarity.edges)
    middles = (edges[:-1] + edges[1:]) / 2
    chunk_of = np.searchsorted([span.start for span in chunking.spans], middles, side="right")
    beside = np.diagonal(matrix, 1)
    parted = chunk_of[:-1] != chunk_of[1:]
    across, within = beside[parted & ~np.isnan(beside)], beside[~parted & ~np.isnan(beside)]
    what = "sentences" if similarity.cells == similarity.sentences else "groups of sentences"
    found = [
        f"{number(float(values.mean()), 2)} {where}"
        for values, where in ((within, "inside chunks"), (across, "across cuts"))
        if len(values)
    ]
    return f"neighbouring {what} have a mean cosine of {' and '.join(found)}." if found else ""
