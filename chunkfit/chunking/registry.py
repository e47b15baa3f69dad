"""The registry of chunking methods."""

from collections.abc import Callable

from chunkfit.model import Chunking
from chunkfit.registry import Registry

Chunker = Callable[..., Chunking]
"""`chunker(evidence, *, setting=default, ...) -> Chunking`: cuts the document of `evidence`.

Settings are keywords with defaults, so that every method runs by its name alone. Raises MethodFailed where it cannot
handle this document. Traits at registration: `bounds_size` (the method keeps its own size limit, so oversized chunks
need no split afterwards) and `cost` (rank of expense, since ties go to the cheaper method: 0 reads structure, 1 counts
tokens, 2 finds sentences, 3 embeds, 4 asks a language model).
"""

chunkers: Registry[Chunker] = Registry("chunker")
