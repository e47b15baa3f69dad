"""Causal language models: any of Hugging Face on this machine, or behind a server that scores prompts."""

import math
from typing import Literal

from chunkfit.engines.causal.windows import checked_overlap
from chunkfit.engines.language_models import LanguageModel
from chunkfit.engines.registry import EngineContext, language_models


@language_models.register("hf", version=1)
def hf(
    context: EngineContext,
    *,
    model: str = "",
    revision: str | None = None,
    device: str | None = None,
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto",
    window: int = 2048,
    overlap: int | None = None,
) -> LanguageModel:
    """Any causal language model of Hugging Face, from a local folder, the local cache or the hub.

    `device` is one of torch's ("cuda:1"; by default a GPU where there is one); `dtype` "auto" is that of the stored
    weights. A text is read in windows of `window` of the model's tokens, fewer where its context is shorter, of which
    each repeats the last `overlap` of the one before, an eighth of a window by default. Name a `revision` (a commit):
    what is stored under a moving branch cannot be told from what the branch gives later. Raises ValueError without a
    model, and unless 0 <= overlap <= window / 6.
    """
    from chunkfit.engines.causal.local import LocalLanguageModel

    _require_model(model, "hf[model=Qwen/Qwen3-0.6B]")
    overlap = checked_overlap(window, overlap)
    return LocalLanguageModel(model, revision=revision, device=device, dtype=dtype, window=window, overlap=overlap)


@language_models.register("server", version=1)
def server(
    context: EngineContext,
    *,
    model: str = "",
    base_url: str = "",
    key: str | None = None,
    logprobs: int = 20,
    window: int = 2048,
    overlap: int | None = None,
    timeout: float = 120.0,
    retries: int = 4,
) -> LanguageModel:
    """Any server whose completions API gives the log-probabilities of a prompt (`echo` and `logprobs`), such as vLLM.

    `key` is the name of the secret that holds the API key, for servers that ask for one. `logprobs` is how many
    alternatives the server tells at each place, at most what it allows (vLLM: `--max-logprobs`, 20). `window` and
    `overlap` count o200k_base tokens, since the server's own are not known before it answers: leave room in its
    context. `timeout` is in seconds; a request is sent again up to `retries` times, ever later, where the server is
    busy, broken or unreachable. Raises ValueError for settings out of range.
    """
    from chunkfit.engines.causal.server import ServerLanguageModel
    from chunkfit.engines.remote.connection import Connection
    from chunkfit.engines.remote.patience import Patience
    from chunkfit.engines.remote.server import Server

    _require_model(model, "server[model=Qwen/Qwen3-8B,base_url=http://localhost:8000/v1]")
    overlap = checked_overlap(window, overlap)
    if logprobs < 1 or retries < 0 or not 0 < timeout < math.inf:
        raise ValueError(
            f"logprobs must be at least 1, retries at least 0 and timeout above 0, got {logprobs}, {retries}, {timeout}"
        )
    connection = Connection(
        Server(base_url.rstrip("/"), key, timeout=timeout), model, context.secret, patience=Patience(retries + 1)
    )
    return ServerLanguageModel(connection, logprobs=logprobs, window=window, overlap=overlap)


def _require_model(model: str, example: str) -> None:
    if not model.strip():
        raise ValueError(f"name the language model, as in {example}")
