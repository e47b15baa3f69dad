"""Chunking methods: `chunker(evidence, **settings) -> Chunking`, one file per method, all listed here."""

from chunkfit.chunking import page, fixed, sentence, langchain, recursive, semantic, llm_regex, agentic  # isort: skip  # noqa: F401
from chunkfit.chunking.methods import cut_raw, method, order, trait
from chunkfit.chunking.registry import Chunker, chunkers

__all__ = ["Chunker", "chunkers", "cut_raw", "method", "order", "trait"]
