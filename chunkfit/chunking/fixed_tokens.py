"""Equal numbers of tokens, whatever the text says."""

from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.sizes import oversize_flags, require_room
from chunkfit.chunking.token_windows import token_windows
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import shared


@chunkers.register("fixed_tokens", version=1, bounds_size=True, cost=1, on_request=True)
def fixed_tokens(evidence: Evidence, *, size: int = 512, overlap: int = 0) -> Chunking:
    """As many tokens as fit, cut between graphemes.

    Neighbours share up to `overlap` tokens, and the last chunk always adds something. A single grapheme above
    `size` becomes a chunk of its own, flagged. Raises ValueError unless 0 <= overlap < size.
    """
    require_room(size, overlap)
    tokens = evidence.tokens
    spans = tuple(token_windows(tokens, size, overlap))
    return Chunking("fixed_tokens", spans, overlap=shared(spans), flags=oversize_flags(tokens, spans, size))
