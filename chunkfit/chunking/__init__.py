"""Chunking methods: `chunker(evidence, **settings) -> Chunking`, one file per method, all listed here."""

from chunkfit.chunking import page, fixed, fixed_tokens, sentence, langchain, recursive  # isort: skip  # noqa: F401
from chunkfit.chunking import semantic, cluster_semantic, semantic_threshold, whole_document  # isort: skip  # noqa: F401
from chunkfit.chunking import llm_regex, agentic, zchunk  # isort: skip  # noqa: F401
from chunkfit.chunking.methods import cut_raw, method, order, trait
from chunkfit.chunking.registry import Chunker, chunkers

__all__ = ["Chunker", "chunkers", "cut_raw", "method", "order", "trait"]
