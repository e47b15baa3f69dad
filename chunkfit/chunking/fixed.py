"""Equal numbers of tokens, whatever the text says."""

from bisect import bisect_left

from chunkfit import graphemes
from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.sizes import longest_prefix, oversize_flags, require_room
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Span
from chunkfit.spans import shared
from chunkfit.tokens import TokenIndex


@chunkers.register("fixed", version=1, bounds_size=True, cost=1)
def fixed(evidence: Evidence, *, size: int = 512, overlap: int = 0) -> Chunking:
    """As many tokens as fit, cut between graphemes.

    Neighbours share up to `overlap` tokens, and the last chunk always adds something. A single grapheme above
    `size` becomes a chunk of its own, flagged. Raises ValueError unless 0 <= overlap < size.
    """
    require_room(size, overlap)
    tokens = evidence.tokens
    end = len(tokens.text)
    spans: list[Span] = []
    start = 0
    while start < end:
        stop = longest_prefix(tokens, start, end, size)
        spans.append(Span(start, stop))
        if stop == end:
            break
        start = _overlapped(tokens, start, stop, size, overlap)
    return Chunking("fixed", tuple(spans), overlap=shared(spans), flags=oversize_flags(tokens, spans, size))


def _overlapped(tokens: TokenIndex, start: int, stop: int, max_tokens: int, overlap: int) -> int:
    """Where the next chunk starts: as early as the overlap with `[start, stop)` allows, if it gets past `stop` so."""
    if not overlap:
        return stop
    inner = range(start + 1, stop)
    early = start + 1 + bisect_left(inner, True, key=lambda position: tokens.count(position, stop) <= overlap)
    early = graphemes.ceiling(tokens.text, early, start)
    while tokens.count(early, stop) > overlap:  # a grapheme less may still be a token more
        early = graphemes.ceiling(tokens.text, early + 1, early)
    gets_past = longest_prefix(tokens, early, len(tokens.text), max_tokens) > stop
    return early if gets_past else stop
