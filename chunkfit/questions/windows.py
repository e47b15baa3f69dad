"""Stretches of a document that a chat model is asked about, one at a time."""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from chunkfit.chunking.sizes import longest_prefix
from chunkfit.evidence import Evidence
from chunkfit.model import Span


def windows(evidence: Evidence, max_tokens: int) -> tuple[Span, ...]:
    """Runs of whole sentences of at most `max_tokens` each, in order, without overlap; blank ones are left out.

    A sentence above that is cut between graphemes.
    """
    text, starts = evidence.document.text, [sentence.start for sentence in evidence.sentences]
    found = []
    start = 0
    while start < len(text):
        end = longest_prefix(evidence.tokens, start, len(text), max_tokens)
        if end < len(text):
            sentence = starts[bisect_right(starts, end) - 1]
            end = sentence if sentence > start else end
        found.append(Span(start, end))
        start = end
    return tuple(window for window in found if window.of(text).strip())


def chosen(windows: Sequence[Span], most: int, seed: int, key: str) -> tuple[Span, ...]:
    """At most so many of the windows, in order, drawn evenly; seed and the document's key decide which."""
    if len(windows) <= most:
        return tuple(windows)
    drawn = np.random.default_rng([seed, int(key[:8], 16)]).choice(len(windows), most, replace=False)
    return tuple(windows[index] for index in sorted(drawn.tolist()))
