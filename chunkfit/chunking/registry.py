"""The registry of chunking methods."""

from collections.abc import Callable

from chunkfit.model import Chunking
from chunkfit.registry import Registry

Chunker = Callable[..., Chunking]
"""`chunker(evidence, *, setting=default, ...) -> Chunking`: cuts the document of `evidence`.

Settings are keywords with defaults and simple types, so that every method runs by its name alone and a line of text can
give them. `size` is always the most tokens of a chunk, `min_size` the fewest, `overlap` the tokens that two neighbours
may share. Settings are checked before anything else (ValueError), and an empty text has no chunks and asks no engine.
Raises MethodFailed where it cannot handle this document.

Traits at registration: `bounds_size` (the method keeps its own size limit, so oversized chunks need no split
afterwards); `cost` (rank of expense, since ties go to the cheaper method: 0 reads structure, 1 counts tokens, 2 finds
sentences, 3 embeds, 4 asks a language model); `engines` (fields of `Engines` that it asks: their ids join its keys, and
it is skipped where one is not configured); `on_request` (it runs only where it is named: a general form of others).
"""

chunkers: Registry[Chunker] = Registry("chunker")
