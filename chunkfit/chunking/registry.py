"""The registry of chunking methods."""

from typing import Protocol

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.registry import Registry


class Chunker(Protocol):
    """Cuts the document of `evidence`; keyword settings have defaults, so that every method runs by its name alone.

    Traits at registration: `bounds_size` (the method keeps its own size limit, so oversized chunks need no split
    afterwards) and `cost` (rank of expense: ties go to the cheaper method; 0 reads structure, 1 counts tokens,
    2 finds sentences, 3 embeds, 4 asks a language model).
    Raises MethodFailed where it cannot handle this document.
    """

    def __call__(self, evidence: Evidence, /, **settings: object) -> Chunking: ...


chunkers: Registry[Chunker] = Registry("chunker")
