"""Requests to one server: asked again when that may help, a bounded number at once, and failures told clearly."""

import json
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chunkfit.engines.remote.failures import Failure, Garbled, Refused, failure, garbled
from chunkfit.engines.remote.patience import Patience
from chunkfit.engines.remote.server import Server, client_of, key_of
from chunkfit.errors import EngineRefused, EngineUnavailable

if TYPE_CHECKING:
    from openai import OpenAI

T = TypeVar("T")


@dataclass(frozen=True)
class Answered(Generic[T]):
    value: T
    calls: int  # answers that came until one could be used


class Connection:
    """One server and one of its models. Threads may share it; no more than `at_once` of them wait for it together."""

    def __init__(
        self,
        server: Server,
        model: str,
        secret: Callable[[str], str | None],
        at_once: int | None = None,
        patience: Patience = Patience(),  # noqa: B008 - frozen
    ) -> None:
        self.server = server
        self.model = model
        self._secret = secret
        self._patience = patience
        self._turn: AbstractContextManager[Any] = threading.BoundedSemaphore(at_once) if at_once else nullcontext()

    def ask(self, send: Callable[["OpenAI"], Any], read: Callable[[Any], T]) -> Answered[T]:
        """What `read` makes of the JSON that answers `send`.

        `send` calls a method of the client `.with_raw_response`, `read` raises Garbled where the answer is not what was
        asked for. Asks again, a bounded number of times, where a server is busy, fails, breaks off, does not answer or
        answers garbled. Raises Refused where it does not take the request as it is, EngineRefused where it would not
        take another either (its key, the model's name), else EngineUnavailable. None of them carries the client's
        exception, whose words may hold parts of the key.
        """
        calls = 0
        attempt = 1
        while True:
            with self._turn:
                outcome, answered = self._once(send, read)
            calls += answered
            if not isinstance(outcome, Failure):
                return Answered(outcome, calls)
            pause = self._patience.pause(attempt, outcome.pause) if outcome.again else None
            if pause is None:
                raise _error(outcome, attempt)
            self._patience.sleep(pause)
            attempt += 1

    def _once(self, send: Callable[["OpenAI"], Any], read: Callable[[Any], T]) -> tuple[T | Failure, bool]:
        import openai

        key = self._key
        try:
            content = send(self._client).http_response.content
        except openai.OpenAIError as problem:
            return failure(problem, self.server, key, self.model), False
        try:
            return read(_json(content)), True
        except Garbled as problem:
            return garbled(problem, self.server, key), True

    @cached_property
    def _key(self) -> str | None:
        return key_of(self.server, self._secret)

    @cached_property
    def _client(self) -> "OpenAI":
        return client_of(self.server, self._key)


def _error(outcome: Failure, attempts: int) -> EngineUnavailable:
    if outcome.is_refusal:
        return Refused(outcome)
    if not outcome.again:
        return EngineRefused(outcome.reason)
    return EngineUnavailable(outcome.reason if attempts == 1 else f"{outcome.reason} ({attempts} attempts)")


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):  # of bytes that are no UTF-8, too
        raise Garbled(f"{len(content)} bytes that are no JSON") from None
