"""What is slow, licensed or remote, each behind a small protocol. An engine's `id` joins the cache keys."""

from chunkfit.engines.defaults import default_engines
from chunkfit.engines.protocols import CoreferenceResolver, Embedder, Engines, Segmenter, SpanVectors

__all__ = ["CoreferenceResolver", "Embedder", "Engines", "Segmenter", "SpanVectors", "default_engines"]
