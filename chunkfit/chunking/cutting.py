"""Cuts that were found by somebody who knows nothing of graphemes or blanks."""

from collections.abc import Iterable

from chunkfit import graphemes
from chunkfit.model import Span
from chunkfit.spans import between


def cut_at(text: str, cuts: Iterable[int]) -> tuple[Span, ...]:
    """Spans that tile the text, cut at `cuts` as far as these make sense; they come in order.

    A cut inside a grapheme or a CRLF moves in front of it. One that would leave a chunk of blanks alone is left out:
    those go with the chunk behind them, the last ones with the last chunk. An empty text has no spans. Linear.
    """
    if not text:
        return ()
    last_visible = len(text.rstrip())
    edges = [0]
    known = reach = 0  # boundaries of graphemes: the last one at or before a cut, and where the grapheme behind it ends
    has_visible = False
    for cut in cuts:
        if cut < reach:
            continue
        if cut >= last_visible:
            break
        at = graphemes.floor(text, cut, known)
        if at < cut:  # other cuts may fall inside the same grapheme, which can be as long as the text
            reach = graphemes.ceiling(text, at + 1, at)
        has_visible = has_visible or not (text[known:at] or " ").isspace()
        known = at
        if has_visible:
            edges.append(at)
            has_visible = False
    return between([*edges, len(text)])
