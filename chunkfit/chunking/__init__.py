"""Chunking methods: `chunker(evidence, **settings) -> Chunking`, one file per method, all listed here."""

from chunkfit.chunking.registry import Chunker, chunkers
from chunkfit.chunking import page  # isort: skip  # noqa: F401

__all__ = ["Chunker", "chunkers"]
