"""Cuts where neighbouring sentences differ most in meaning."""

from chunkfit.chunking.bounding import Units, bounded, require_limits
from chunkfit.chunking.breakpoints import Breakpoint, above, amount_of, largest, signal
from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.sentence_windows import Windows, require_windows, sentence_edges, window_distances
from chunkfit.chunking.span_vectors import BATCH, require_batch
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking


@chunkers.register("semantic", version=2, bounds_size=False, cost=3, engines=("segmenter", "embedder"))
def semantic(
    evidence: Evidence,
    *,
    breakpoint: Breakpoint = "gradient",
    amount: float | None = None,
    chunks: int | None = None,
    buffer: int = 1,
    windows: Windows = "paper",
    min_size: int = 0,
    size: int | None = None,
    batch: int = BATCH,
) -> Chunking:
    """Embed each sentence with its neighbours; cut where the distance to the next one is, or grows, unusually large.

    Each sentence is embedded together with `buffer` sentences on each side, and between neighbouring windows
    `distance = 1 - cosine`. A cut falls behind a sentence where the distance, or for breakpoint="gradient" its central
    difference, is above a threshold: its percentile `amount` over the document ("percentile", "gradient"), or its mean
    plus `amount` times its standard deviation ("standard_deviation") or interquartile range ("interquartile"). Without
    an `amount` that is 95, 95, 3 and 1.5. With `chunks` the cuts are at the `chunks - 1` largest instead, of equal ones
    at the earlier. Sentences without any token never cut. The defaults are the paper's.

    With windows="langchain", the same sentences and the same embedder, cuts are those of langchain-experimental's
    SemanticChunker (after G. Kamradt) wherever one blank parts the sentences, as its windows have it: a window here is
    the text as it stands, line ends included, which an embedder may read otherwise. Two sentences are one chunk, where
    its "gradient" always parts them. "paper" lets the first and the last sentence stand in for neighbours that they
    lack.

    A chunk above `size` tokens is cut further where the same value is largest, one below `min_size` tokens joins a
    neighbour (see `bounded`); what cannot keep them is flagged. `batch` windows at most are embedded at once: that
    changes no cut. A text of one sentence is one chunk unless it is above `size`; an empty text has none.

    Raises ValueError for settings out of range or at odds, MethodFailed where the embedder gives other than one finite
    vector per window.
    """
    threshold = amount_of(breakpoint, amount)
    if chunks is not None and chunks < 1:
        raise ValueError(f"chunks must be at least 1, got {chunks}")
    if chunks is not None and amount is not None:
        raise ValueError(f"chunks={chunks} and amount={amount} both say where to cut; give one of them")
    if buffer < 0:
        raise ValueError(f"buffer must be at least 0 sentences, got {buffer}")
    require_windows(windows)
    require_limits(min_size, size)
    require_batch(batch)
    edges = sentence_edges(evidence)
    if not len(edges):
        return Chunking("semantic", ())
    distances = window_distances(evidence, edges, buffer=buffer, windows=windows, batch=batch)
    values = signal(distances, breakpoint)
    cuts = above(values, breakpoint, threshold) if chunks is None else largest(values, chunks - 1)
    return bounded("semantic", Units(evidence.tokens, edges, values), cuts.tolist(), min_size=min_size, size=size)
