"""Embedders of models that read texts or tokens, and the store of what they gave."""

from chunkfit.engines.embedding.text_embedder import TextEmbedder

from chunkfit.engines.embedding import registered  # isort: skip  # noqa: F401

__all__ = ["TextEmbedder"]
