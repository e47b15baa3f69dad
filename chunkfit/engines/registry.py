"""The engines that settings can name, one registry a kind.

An engine is registered by a factory, `factory(context, *, setting=...) -> engine`, that is cheap: models load when they
are first asked. It is named in settings as methods are: `sentence_transformers[model=BAAI/bge-small-en-v1.5]`.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chunkfit.engines.language_models import LanguageModel
from chunkfit.engines.protocols import ChatModel, CoreferenceResolver, Embedder, Segmenter
from chunkfit.registry import Registry
from chunkfit.settings import Budget
from chunkfit.storage import Store


def from_environment(name: str) -> str | None:
    """A secret by the name of its environment variable."""
    return os.environ.get(name)


@dataclass(frozen=True)
class EngineContext:
    """What engines need besides their settings, none of which changes a result."""

    store: Store | None = None  # where vectors and answers are kept for later runs; None: only in memory
    secret: Callable[[str], str | None] = from_environment
    budget: Budget = Budget()  # noqa: RUF009 - frozen


embedders: Registry[Callable[..., Embedder]] = Registry("embedder")
segmenters: Registry[Callable[..., Segmenter]] = Registry("segmenter")
coreferences: Registry[Callable[..., CoreferenceResolver]] = Registry("coreference engine")
chats: Registry[Callable[..., ChatModel]] = Registry("chat model")
language_models: Registry[Callable[..., LanguageModel]] = Registry("language model")

KINDS: dict[str, Registry[Any]] = {
    "embedder": embedders,
    "segmenter": segmenters,
    "coreference": coreferences,
    "chat": chats,
    "language_model": language_models,
}
"""By the name of the setting that chooses one."""
