"""As many tokens as fit, cut behind a separator of one's own."""

import re

from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.sizes import grapheme_floors, oversize_flags, require_room
from chunkfit.chunking.token_windows import token_windows
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import shared


@chunkers.register("fixed", version=2, bounds_size=True, cost=1)
def fixed(evidence: Evidence, *, size: int = 512, overlap: int = 0, separator: str = "") -> Chunking:
    """As many tokens as fit, cut behind a separator where one fits.

    `separator` is plain text and stays at the end of its chunk. Where none lies within reach the cut falls where the
    tokens end, between graphemes; an empty separator never does, and the chunks are those of `fixed_tokens`. Neighbours
    share up to `overlap` tokens; with a separator the overlap begins behind one, too. The last chunk always adds
    something. A single grapheme above `size` becomes a chunk of its own, flagged. Raises ValueError unless
    0 <= overlap < size.
    """
    require_room(size, overlap)
    tokens = evidence.tokens
    spans = tuple(token_windows(tokens, size, overlap, _behind(separator, tokens.text)))
    return Chunking("fixed", spans, overlap=shared(spans), flags=oversize_flags(tokens, spans, size))


def _behind(separator: str, text: str) -> list[int]:
    """The offsets behind each occurrence of a separator that tear no grapheme."""
    if not separator:
        return []
    ends = [match.end() for match in re.finditer(re.escape(separator), text)]
    return [end for end, floor in zip(ends, grapheme_floors(text, ends), strict=True) if end == floor]
