"""The remote engines that settings can name."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from chunkfit.calls import Call
from chunkfit.engines.protocols import ChatModel, Embedder
from chunkfit.engines.registry import EngineContext, chats, embedders
from chunkfit.engines.remote.budget import Budgeted
from chunkfit.engines.remote.chat import Prices, RemoteChat
from chunkfit.engines.remote.connection import Connection
from chunkfit.engines.remote.dialect import Sampling
from chunkfit.engines.remote.embeddings import Reading, RemoteTextModel
from chunkfit.engines.remote.exchanges import InMemory, InStore, read
from chunkfit.engines.remote.recorded import NeverAsked, Recorded
from chunkfit.engines.remote.server import OPENAI_URL, Server
from chunkfit.registry import Registry

_API_VERSION = "2024-10-21"  # the last one of Azure OpenAI that is neither a preview nor its versionless "v1"


@embedders.register("openai", version=1)
def openai_embedder(
    context: EngineContext,
    *,
    model: str = "",
    base_url: str = OPENAI_URL,
    key: str | None = None,
    dimensions: int | None = None,
    batch_size: int = 64,
    max_batch_tokens: int = 100_000,
    concurrency: int = 4,
    max_tokens: int = 8000,
    price: float = 0.0,
    timeout: float = 60.0,
) -> Embedder:
    """Any server with OpenAI's embeddings API.

    `key` names the environment variable of the server's key: OPENAI_API_KEY for OpenAI itself, none for other servers
    unless it is given, so that no key goes where it was not sent. `max_tokens` is the longest text that the model
    reads, in o200k_base tokens; `price` that of a million tokens; `timeout` seconds.
    """
    server = Server(_trimmed(base_url), _key(key, base_url), timeout=_positive("timeout", timeout))
    model = _named(model, "openai[model=text-embedding-3-small]")
    reading = _reading(dimensions, batch_size, max_batch_tokens, max_tokens, concurrency, price)
    id = _id(
        embedders,
        "openai",
        model=model,
        base_url=_unless_openai(base_url),
        dimensions=dimensions,
        max_tokens=max_tokens,
    )
    return _embedder(context, id, server, model, reading)


@embedders.register("azure_openai", version=1)
def azure_openai_embedder(
    context: EngineContext,
    *,
    model: str = "",
    endpoint: str = "",
    api_version: str = _API_VERSION,
    key: str = "AZURE_OPENAI_API_KEY",
    dimensions: int | None = None,
    batch_size: int = 64,
    max_batch_tokens: int = 100_000,
    concurrency: int = 4,
    max_tokens: int = 8000,
    price: float = 0.0,
    timeout: float = 60.0,
) -> Embedder:
    """Embeddings of an Azure OpenAI resource; `model` is the name of the deployment."""
    server = Server(_endpoint(endpoint), key, api_version, _positive("timeout", timeout))
    model = _named(model, "azure_openai[model=DEPLOYMENT,endpoint=https://NAME.openai.azure.com]")
    reading = _reading(dimensions, batch_size, max_batch_tokens, max_tokens, concurrency, price)
    id = _id(embedders, "azure_openai", model=model, endpoint=server.url, dimensions=dimensions, max_tokens=max_tokens)
    return _embedder(context, id, server, model, reading)


@chats.register("openai", version=1)
def openai_chat(
    context: EngineContext,
    *,
    model: str = "",
    base_url: str = OPENAI_URL,
    key: str | None = None,
    temperature: float = 0.0,
    seed: int | None = None,
    max_tokens: int | None = None,
    price_in: float = 0.0,
    price_out: float = 0.0,
    timeout: float = 120.0,
) -> ChatModel:
    """Any server with OpenAI's chat API.

    `key` as for the embedder. `max_tokens` is the longest answer, the server's own limit if it is not given; `price_in`
    and `price_out` are those of a million tokens; `timeout` seconds.
    """
    server = Server(_trimmed(base_url), _key(key, base_url), timeout=_positive("timeout", timeout))
    model = _named(model, "openai[model=gpt-4.1-mini]")
    sampling = _sampling(temperature, seed, max_tokens)
    id = _id(chats, "openai", model=model, base_url=_unless_openai(base_url), **asdict(sampling))
    connection = Connection(server, model, context.secret)
    return _chat(context, RemoteChat(id, connection, sampling, _prices(price_in, price_out)))


@chats.register("azure_openai", version=1)
def azure_openai_chat(
    context: EngineContext,
    *,
    model: str = "",
    endpoint: str = "",
    api_version: str = _API_VERSION,
    key: str = "AZURE_OPENAI_API_KEY",
    temperature: float = 0.0,
    seed: int | None = None,
    max_tokens: int | None = None,
    price_in: float = 0.0,
    price_out: float = 0.0,
    timeout: float = 120.0,
) -> ChatModel:
    """Chat of an Azure OpenAI resource; `model` is the name of the deployment."""
    server = Server(_endpoint(endpoint), key, api_version, _positive("timeout", timeout))
    model = _named(model, "azure_openai[model=DEPLOYMENT,endpoint=https://NAME.openai.azure.com]")
    sampling = _sampling(temperature, seed, max_tokens)
    id = _id(chats, "azure_openai", model=model, endpoint=server.url, **asdict(sampling))
    connection = Connection(server, model, context.secret)
    return _chat(context, RemoteChat(id, connection, sampling, _prices(price_in, price_out)))


@chats.register("replay", version=1)
def replay(context: EngineContext, *, transcript: str = "") -> ChatModel:
    """The answers of a recorded run, from its transcript alone.

    It has the id of the recorded model, so that stored results agree. Raises ValueError for a file that is no
    transcript, or that holds answers of several models.
    """
    if not transcript:
        raise ValueError("replay needs a file: replay[transcript=transcript.jsonl]")
    exchanges = read(Path(transcript))
    models = sorted({exchange.model for exchange in exchanges})
    if len(models) != 1:
        held = f"those of {', '.join(models)}" if models else "none"
        raise ValueError(f"replay needs the answers of one model, and {transcript} holds {held}")
    return Recorded(NeverAsked(models[0], transcript), InMemory(exchanges))


def _embedder(context: EngineContext, id: str, server: Server, model: str, reading: Reading) -> Embedder:
    from chunkfit.engines.embedding import TextEmbedder

    connection = Connection(server, model, context.secret, reading.concurrency)
    at_once = reading.batch_size * reading.concurrency  # enough for all requests that may wait together
    return TextEmbedder(RemoteTextModel(id, connection, reading), context.store, texts_at_once=at_once)


def _chat(context: EngineContext, model: RemoteChat) -> ChatModel:
    exchanges = InMemory() if context.store is None else InStore(context.store)
    return Recorded(Budgeted(model, context.budget), exchanges)


def _reading(
    dimensions: int | None, batch_size: int, max_batch_tokens: int, max_tokens: int, concurrency: int, price: float
) -> Reading:
    for name, value in {
        "dimensions": dimensions,
        "batch_size": batch_size,
        "max_batch_tokens": max_batch_tokens,
        "max_tokens": max_tokens,
        "concurrency": concurrency,
    }.items():
        _at_least_one(name, value)
    return Reading(dimensions, batch_size, max_batch_tokens, max_tokens, concurrency, _price("price", price))


def _sampling(temperature: float, seed: int | None, max_tokens: int | None) -> Sampling:
    if not 0 <= temperature <= 2:
        raise ValueError(f"temperature must be from 0 to 2, got {temperature}; 0 is the most repeatable")
    _at_least_one("max_tokens", max_tokens)
    return Sampling(temperature, seed, max_tokens)


def _prices(price_in: float, price_out: float) -> Prices:
    return Prices(_price("price_in", price_in), _price("price_out", price_out))


def _key(key: str | None, base_url: str) -> str | None:
    return key or ("OPENAI_API_KEY" if _trimmed(base_url) == OPENAI_URL else None)


def _trimmed(url: str) -> str:
    return url.strip().rstrip("/")


def _unless_openai(base_url: str) -> str | None:
    return None if _trimmed(base_url) == OPENAI_URL else _trimmed(base_url)


def _endpoint(endpoint: str) -> str:
    if not endpoint:
        raise ValueError("azure_openai needs the address of your resource: endpoint=https://NAME.openai.azure.com")
    return _trimmed(endpoint)


def _named(model: str, example: str) -> str:
    if not model.strip():
        raise ValueError(f"name the model, for instance {example}")
    return model.strip()


def _at_least_one(name: str, value: int | None) -> None:
    if value is not None and value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")


def _positive(name: str, value: float) -> float:
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{name} must be above 0 seconds, got {value}")
    return value


def _price(name: str, value: float) -> float:
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{name} must be at least 0, got {value}; it is that of a million tokens")
    return value


def _id(registry: Registry[Any], name: str, **settings: object) -> str:
    """The line that names the engine with all that changes what it gives, and nothing else."""
    return Call(registry[name], {key: value for key, value in settings.items() if value is not None}).name
