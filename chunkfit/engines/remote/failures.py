"""What went wrong between here and a server, in words for a user, without any secret."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkfit.engines.remote.patience import asked_pause
from chunkfit.engines.remote.redaction import redacted
from chunkfit.engines.remote.server import Server
from chunkfit.errors import EngineRefused

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

# As OpenAI, Azure, vLLM, Ollama, Jina and Hugging Face's servers put it.
_TOO_LARGE = re.compile(
    r"context.?(length|window|size)|too (long|large|many|big)|exceed|maximum (input|allowed|batch|sequence|number of)|"
    r"less than \d+ tokens|batch size",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"content.?(filter|policy|management)|responsible.?ai", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient.?quota", re.IGNORECASE)  # other 429s speak of quotas and bills, too
_SHOWN = 300  # characters of a server's words that are worth showing


class Garbled(Exception):  # noqa: N818
    """An answer that is not what was asked for. Asking again may help."""


@dataclass(frozen=True)
class Failure:
    """One attempt that failed."""

    reason: str
    again: bool  # whether the same request may succeed in a moment
    pause: float | None = None  # seconds that the server asks to wait
    status: int | None = None
    words: str = ""  # the server's own, redacted

    @property
    def is_refusal(self) -> bool:
        """The server understood, and does not take the request as it is."""
        return self.status in (400, 413, 422)

    @property
    def is_too_large(self) -> bool:
        return self.status == 413 or (self.is_refusal and bool(_TOO_LARGE.search(self.words)))

    @property
    def is_about_content(self) -> bool:
        return self.is_refusal and bool(_CONTENT.search(self.words))


class Refused(EngineRefused):
    """The server does not take a request as it is. Another form of it may do."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def shortened(words: str) -> str:
    return words if len(words) <= _SHOWN else words[: _SHOWN - 1] + "…"


def garbled(problem: Garbled, server: Server, key: str | None) -> Failure:
    return Failure(f"{server.host} answers with {shortened(redacted(str(problem), key))}", again=True)


def failure(problem: "OpenAIError", server: Server, key: str | None, model: str) -> Failure:
    """What an exception of the client means."""
    import openai

    if isinstance(problem, openai.APIStatusError):
        return _answered(problem, server, key, model)
    if isinstance(problem, openai.APITimeoutError):
        return Failure(f"{server.host} did not answer within {server.timeout:g} seconds; raise timeout", again=True)
    why = shortened(redacted(str(problem.__cause__ or problem), key)) or type(problem).__name__
    return Failure(f"no connection to {server.url}: {why}", again=isinstance(problem, openai.APIConnectionError))


def _answered(problem: "APIStatusError", server: Server, key: str | None, model: str) -> Failure:
    status, host = problem.status_code, server.host
    words = redacted(_words(problem.body), key)
    said = f": {shortened(words)}" if words else ""
    if status == 401 and server.key is None:
        return Failure(f"{host} wants a key (401): name the environment variable that holds it, key=NAME", False)
    if status == 401:  # without its words: they repeat parts of the key
        return Failure(f"{host} does not accept the key in {server.key} (401): check that environment variable", False)
    if status == 403:
        whose = f"the key in {server.key}" if server.key else "a request without a key"
        return Failure(f"{host} does not allow {whose} to use the model {model!r} (403){said}", False)
    if status == 404:
        where = f"the address {server.url}"
        return Failure(f"{host} has no model {model!r}, or its API is not at {where} (404): check both{said}", False)
    if status == 429 and _NO_CREDIT.search(words):
        return Failure(f"the account at {host} has no credit left (429){said}", False)
    pause = asked_pause(problem.response.headers, time.time())
    if status == 429:
        wait = f" and asks to wait {pause:.0f} seconds" if pause else ""
        return Failure(f"{host} takes no more requests at the moment (429){wait}{said}", True, pause, status, words)
    if status in (408, 409) or status >= 500:
        return Failure(f"{host} failed ({status}){said}", True, pause, status, words)
    return Failure(f"{host} does not take the request ({status}){said}", False, None, status, words)


def _words(body: object) -> str:
    """What the body of an error says: OpenAI's form, FastAPI's, or plain text."""
    if isinstance(body, Mapping):
        inner: Any = body.get("error", body)
        if not isinstance(inner, Mapping):
            return str(inner)
        parts = [inner.get(name) for name in ("message", "detail", "code", "param")]
        return " ".join(str(part) for part in parts if part)
    text = str(body or "")
    return "" if text.lstrip().startswith("<") else text  # an HTML page of a gateway says nothing
