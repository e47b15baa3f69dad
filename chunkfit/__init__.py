"""Choose how to chunk each document for retrieval, with evidence.

>>> import chunkfit
>>> document = chunkfit.parse("report.pdf")
>>> chunks = chunkfit.chunk(document, method="recursive_600")
>>> evaluation = chunkfit.evaluate(document)
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkfit.model import Chunk, Chunking, Document, Span
    from chunkfit.parsing import parse
    from chunkfit.pipeline import Evaluation, chunk, evaluate
    from chunkfit.settings import Settings

__version__ = "0.1.0"

__all__ = ["Chunk", "Chunking", "Document", "Evaluation", "Settings", "Span", "chunk", "evaluate", "parse"]

_HOMES = {
    "Chunk": "chunkfit.model",
    "Chunking": "chunkfit.model",
    "Document": "chunkfit.model",
    "Evaluation": "chunkfit.pipeline",
    "Settings": "chunkfit.settings",
    "Span": "chunkfit.model",
    "chunk": "chunkfit.pipeline",
    "evaluate": "chunkfit.pipeline",
    "parse": "chunkfit.parsing",
}


def __getattr__(name: str) -> object:
    # Public names load on first use: `import chunkfit` stays instant and free of every engine.
    if name not in _HOMES:
        raise AttributeError(f"module 'chunkfit' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
