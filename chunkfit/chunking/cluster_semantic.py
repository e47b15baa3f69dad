"""The partition into chunks whose pieces are most alike, of all that keep a size."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from chunkfit.chunking.partition import best_partition
from chunkfit.chunking.recursive import split_recursively
from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.sizes import oversize_flags, require_room
from chunkfit.chunking.span_vectors import BATCH, in_batches, require_batch
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Span
from chunkfit.spans import between, offsets
from chunkfit.tokens import TokenIndex

_PIECES_PER_CHUNK = 8  # 400 tokens and 50, as published
_STEPS = 100_000  # rewards are whole numbers of these steps of similarity; what is finer is noise in single precision
_ROWS = 4096  # pieces whose rewards are worked out at once: bounds the memory, whatever the length of the text


@chunkers.register("cluster_semantic", version=1, bounds_size=True, cost=3, engines=("embedder",))
def cluster_semantic(evidence: Evidence, *, size: int = 400, piece: int | None = None, batch: int = BATCH) -> Chunking:
    """Cut so that the pieces within chunks are as alike as a hard limit of size allows, over the whole text at once.

    The text is split into pieces of at most `piece` tokens (an eighth of `size` unless given) as by `recursive`. A
    chunk is a run of pieces with at most `size` tokens, counted as one text. Of all such partitions it takes the one
    with the largest sum, over all chunks and all pairs of pieces in the same chunk, of

        cosine(piece, other piece) - the mean of that over all pairs of pieces of the document

    so pieces more alike than any two of the document draw together, and others apart. That is the reward of the
    ClusterSemanticChunker of Smith and Troynikov (Chroma, "Evaluating Chunking Strategies for Retrieval", 2024).
    Theirs limits a chunk to eight pieces, whatever their size, and makes one chunk of all that it finds no reward for;
    here the limit is one of tokens and always holds. Ties go to fewer chunks, then to longer ones first: a text that is
    alike everywhere, or unlike everywhere, is filled up to the limit. Pieces without any token go anywhere.

    Time and memory grow with the length of the text times the pieces in a chunk. `batch` pieces at most are embedded at
    once. A single grapheme above `size` becomes a chunk of its own, flagged. An empty text has no chunks. Raises
    ValueError unless 1 <= piece <= size, MethodFailed where the embedder gives other than one finite vector per piece.
    """
    require_room(size)
    piece = max(size // _PIECES_PER_CHUNK, 1) if piece is None else piece
    if not 1 <= piece <= size:
        raise ValueError(f"piece must be at least 1 token and at most size={size}, got {piece}")
    require_batch(batch)
    tokens = evidence.tokens
    pieces = split_recursively(tokens, Span(0, len(tokens.text)), piece)
    if not pieces:
        return Chunking("cluster_semantic", ())
    starts, ends = offsets(pieces)
    vectors = np.concatenate([some.astype(np.float32) for some in in_batches(evidence, starts, ends, batch)])
    cuts = best_partition(len(pieces), _rewards(vectors, _most_pieces(tokens, starts, ends, size)))
    spans = between([*starts[cuts[:-1]].tolist(), len(tokens.text)])
    return Chunking("cluster_semantic", spans, flags=oversize_flags(tokens, spans, size))


def _most_pieces(
    tokens: TokenIndex, starts: NDArray[np.int64], ends: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """How many pieces from each on fit together, one at least. Each shorter run of them fits as well."""
    most = np.ones(len(starts), np.int64)
    growing = np.arange(len(starts) - 1)
    while growing.size:
        fits = tokens.counts(starts[growing], ends[growing + most[growing]]) <= size
        growing = growing[fits]
        most[growing] += 1
        growing = growing[growing + most[growing] < len(starts)]
    return most


def _rewards(vectors: NDArray[np.float32], most: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """For each piece, the last first: the reward of each run that starts there and may be a chunk.

    A run has the pairs that its first piece makes, and those of the run behind that piece.
    """
    count, width = len(vectors), int(most.max())
    mean = _mean_similarity(vectors)
    says_something = np.any(vectors, axis=1)
    behind = np.zeros(width, np.int64)
    for last in range(count, 0, -_ROWS):
        first = max(last - _ROWS, 0)
        of_first = np.zeros((last - first, width), np.int64)  # [piece, how many pieces behind it are in the run]
        for k in range(1, width):
            stop = min(last, count - k)
            pieces, others = slice(first, stop), slice(first + k, stop + k)
            alike = np.einsum("ij,ij->i", vectors[pieces], vectors[others], dtype=np.float64) - mean
            alike *= says_something[pieces] & says_something[others]
            of_first[: len(alike), k] = of_first[: len(alike), k - 1] + np.rint(alike * _STEPS).astype(np.int64)
        for reward, allowed in zip(of_first[::-1], most[first:last][::-1].tolist(), strict=True):
            reward[1:] += behind[:-1]
            behind = reward
            yield reward[:allowed]


def _mean_similarity(vectors: NDArray[np.float32]) -> float:
    """The mean cosine of all pairs of pieces with tokens: that of the sum with itself, less each one's with itself."""
    count = int(np.count_nonzero(np.any(vectors, axis=1)))
    if count < 2:
        return 0.0
    total = vectors.sum(axis=0, dtype=np.float64)
    own = np.einsum("ij,ij->", vectors, vectors, dtype=np.float64)
    return float((total @ total - own) / (count * (count - 1)))
