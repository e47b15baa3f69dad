"""Embedders of models that read texts or tokens, and the store of what they gave."""

from chunkfit.engines.embedding.text_embedder import TextEmbedder

__all__ = ["TextEmbedder"]
