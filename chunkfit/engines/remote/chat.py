"""Answers from a server's chat API."""

import logging
from dataclasses import dataclass
from typing import Any

from chunkfit.engines.protocols import Answer, Question
from chunkfit.engines.remote.connection import Answered, Connection
from chunkfit.engines.remote.dialect import Dialect, Sampling, unfenced
from chunkfit.engines.remote.failures import Garbled, Refused
from chunkfit.engines.remote.usage import count_in
from chunkfit.errors import MethodFailed
from chunkfit.tokens import TokenIndex
from chunkfit.usage import Usage

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prices:
    """Of a million tokens."""

    read: float = 0.0
    written: float = 0.0


class RemoteChat:
    """A chat model behind an OpenAI-compatible API. Threads may share it.

    A schema is sent as `response_format`. A server that refuses that is asked for any JSON object, then without, with
    the schema in the prompt; likewise for `temperature`, `seed` and the name of `max_tokens`. What it took is
    remembered. A code fence around an answer to a schema is taken off.

    An answer that is empty, refused, or cut off at `max_tokens` is an Answer with empty text, and a warning in the log
    says why: what is cut off may read like a whole answer and must not pass for one, and whoever asked knows what to do
    about a useless answer. Raises MethodFailed where the server will never answer this question (too long for the
    model, or against its content rules), EngineUnavailable where it may answer later or is set up wrongly.
    """

    def __init__(self, id: str, connection: Connection, sampling: Sampling, prices: Prices) -> None:
        self.id = id
        self._connection = connection
        self._sampling = sampling
        self._prices = prices
        self._dialect = Dialect()

    def ask(self, question: Question) -> Answer:
        answered = self._answered(question)
        reply = answered.value
        if reply.flaw:
            logger.warning("An answer of %s is %s", self.id, self._advice(reply.flaw))
        text = "" if reply.flaw else reply.text
        tokens_in = prompt_tokens(question) if reply.tokens_in is None else reply.tokens_in
        tokens_out = TokenIndex(reply.text).total if reply.tokens_out is None else reply.tokens_out
        cost = (tokens_in * self._prices.read + tokens_out * self._prices.written) / 1_000_000
        usage = Usage(calls=answered.calls, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost)
        return Answer(unfenced(text) if question.schema is not None else text, usage)

    def _answered(self, question: Question) -> "Answered[_Reply]":
        dialect = known = self._dialect
        while True:
            body = dialect.request(question, self._sampling)
            try:
                answered = self._once(body)
            except Refused as refusal:
                if refusal.failure.is_too_large or refusal.failure.is_about_content:
                    raise MethodFailed(str(refusal)) from None
                milder = dialect.after(body, refusal.failure.words)
                if milder is None:
                    raise
                logger.warning("%s; it is asked in another way", refusal)
                dialect = milder
            else:
                if dialect is not known:  # kept only now: a refusal may have had another cause
                    self._dialect = dialect
                return answered

    def _once(self, body: dict[str, Any]) -> "Answered[_Reply]":
        return self._connection.ask(
            lambda client: client.chat.completions.with_raw_response.create(model=self._connection.model, **body),
            _reply,
        )

    def _advice(self, flaw: str) -> str:
        if flaw != "length":
            return "empty" if flaw == "empty" else f"withheld ({flaw})"
        limit = self._sampling.max_tokens
        return f"cut off at max_tokens={limit}; raise it" if limit else "cut off at the server's limit; set max_tokens"


def prompt_tokens(question: Question) -> int:
    """The o200k_base tokens of a question, without those that a server puts around its parts."""
    return TokenIndex(question.system).total + TokenIndex(question.user).total


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    flaw: str | None  # why the text is not to be used: "length", "empty", or what the server says
    tokens_in: int | None  # None: the server does not say
    tokens_out: int | None


def _reply(payload: Any) -> _Reply:
    try:
        choice = payload["choices"][0]
        text, refusal = choice["message"].get("content"), choice["message"].get("refusal")
        finish = choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        error = payload.get("error") if isinstance(payload, dict) else None
        raise Garbled(f"an error: {error}" if error else "no message") from None
    if not isinstance(text, str | None):
        raise Garbled("a message that is no text")
    text = text or ""
    return _Reply(
        text, _flaw(text, finish, refusal), count_in(payload, "prompt_tokens"), count_in(payload, "completion_tokens")
    )


def _flaw(text: str, finish: object, refusal: object) -> str | None:
    if finish in ("length", "content_filter"):
        return str(finish)
    if refusal:
        return "refusal"
    return None if text.strip() else "empty"
