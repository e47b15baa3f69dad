"""What is slow, licensed or remote, each behind a small protocol. An engine's `id` joins the cache keys."""

from chunkfit.engines.language_models import LanguageModel
from chunkfit.engines.making import default_engines, engines
from chunkfit.engines.protocols import (
    Answer,
    ChatModel,
    CoreferenceResolver,
    Embedded,
    Embedder,
    Engines,
    Question,
    Segmenter,
    SpanVectors,
    TextModel,
)
from chunkfit.engines.registry import EngineContext

__all__ = [
    "Answer",
    "ChatModel",
    "CoreferenceResolver",
    "Embedded",
    "Embedder",
    "EngineContext",
    "Engines",
    "LanguageModel",
    "Question",
    "Segmenter",
    "SpanVectors",
    "TextModel",
    "default_engines",
    "engines",
]
