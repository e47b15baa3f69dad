"""A causal language model behind a completions API that gives the log-probabilities of a prompt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunkfit.engines.causal.alignment import LOST, aligned
from chunkfit.engines.causal.windows import windows
from chunkfit.engines.language_models import Reading, Window
from chunkfit.engines.remote.connection import Connection
from chunkfit.engines.remote.failures import Garbled, Refused
from chunkfit.engines.remote.usage import count_in
from chunkfit.errors import MethodFailed
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.tokens import TokenIndex
from chunkfit.usage import Usage

_ASKED_AT_ONCE = 16  # strings in one request


@dataclass(frozen=True, eq=False)
class _Echo:
    """A prompt in the server's tokens."""

    tokens: list[str]
    starts: list[int]  # code points of the prompt, or LOST
    alternatives: list[Mapping[str, float]]  # at each token, the log-probabilities of what could stand there

    @property
    def found(self) -> list[str]:
        """The tokens that stand in the prompt."""
        return [token for token, start in zip(self.tokens, self.starts, strict=True) if start != LOST]


class ServerLanguageModel:
    """Sends prompt and window with `echo`, and reads each separator among the alternatives that the server tells.

    Where a separator is not among the N most likely tokens of a place, its log-probability is at most that of the Nth,
    and that bound stands in for it. A window is one request, which carries the prompt again: a server that keeps
    prefixes computes it once. Which marks are single tokens is asked once; that is in no document's usage.
    """

    def __init__(self, connection: Connection, *, logprobs: int, window: int, overlap: int) -> None:
        self._connection = connection
        self._logprobs = logprobs
        self._window = window
        self._overlap = overlap
        self._single: dict[str, bool] = {}

    @property
    def id(self) -> str:
        where = f"{self._connection.server.url}/{self._connection.model}"
        return f"server/{where}/{self._logprobs}/{self._window}-{self._overlap}"

    def single_tokens(self, preferred: Sequence[str]) -> Iterator[str]:
        """Those of `preferred` that the server returns as one token; its vocabulary is not known beyond them."""
        for first in range(0, len(preferred), _ASKED_AT_ONCE):
            some = list(preferred[first : first + _ASKED_AT_ONCE])
            if any(text not in self._single for text in some):
                echoes, _ = self._echoes(some)
                self._single |= {text: echo.found == [text] for text, echo in zip(some, echoes, strict=True)}
            yield from (text for text in some if self._single[text])

    def read(self, prompt: Sequence[str], text: str, separators: Sequence[str]) -> Reading:
        """As LanguageModel says. Raises MethodFailed where the server refuses a request that holds this text."""
        behind, text = "".join(prompt), without_lone_surrogates(text)
        tokens = TokenIndex(text)
        ending = tokens.before(np.arange(len(text) + 1))
        found, usage = [], Usage()
        for first, last in windows(tokens.total, self._window, self._overlap):
            start, end = np.searchsorted(ending, [first, last]).tolist()
            (echo,), used = self._echoes([behind + text[start:end]])
            found.append(_window(echo, len(behind), start, separators, self._logprobs))
            usage += used
        return Reading(tuple(found), usage)

    def _echoes(self, prompts: list[str]) -> tuple[list[_Echo], Usage]:
        """What the server tells of each prompt."""
        try:
            # One token is asked for, since some servers refuse none; it is dropped.
            answered = self._connection.ask(
                lambda client: client.completions.with_raw_response.create(
                    model=self._connection.model,
                    prompt=prompts[0] if len(prompts) == 1 else prompts,
                    echo=True,
                    logprobs=self._logprobs,
                    max_tokens=1,
                    temperature=0,
                ),
                lambda payload: (
                    _echoes(payload, prompts),
                    count_in(payload, "prompt_tokens"),
                    count_in(payload, "completion_tokens"),
                ),
            )
        except Refused as refusal:
            raise MethodFailed(
                f"{refusal}; where it is too long set a smaller window, where it asks for too many log-probabilities a "
                "smaller logprobs"
            ) from None
        echoes, read, written = answered.value
        tokens_in = sum(len(echo.tokens) for echo in echoes) if read is None else read
        tokens_out = len(prompts) if written is None else written
        return echoes, Usage(calls=answered.calls, tokens_in=tokens_in, tokens_out=tokens_out)


def _echoes(payload: Any, prompts: Sequence[str]) -> list[_Echo]:
    """Raises Garbled where the server told anything else."""
    try:
        choices = sorted(payload["choices"], key=lambda choice: int(choice["index"]))
        return [_echo(choice["logprobs"], prompt) for choice, prompt in zip(choices, prompts, strict=True)]
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise Garbled(
            f"no log-probabilities of the prompt ({problem}); it must support echo and logprobs in its completions "
            "API, as vLLM does"
        ) from None


def _echo(told: Mapping[str, Any], prompt: str) -> _Echo:
    tokens, alternatives = list(told["tokens"]), [_numbers(one) for one in told["top_logprobs"]]
    if len(tokens) != len(alternatives):
        raise ValueError(f"{len(tokens)} tokens, but alternatives for {len(alternatives)}")
    return _Echo(tokens, aligned(tokens, prompt), alternatives)


def _numbers(alternatives: Mapping[str, Any] | None) -> Mapping[str, float]:
    return {token: float(value) for token, value in (alternatives or {}).items()}


def _window(echo: _Echo, behind: int, start: int, separators: Sequence[str], most: int) -> Window:
    """The places of a text that begins `behind` characters into the prompt and `start` into its document."""
    first = max((i for i, at in enumerate(echo.starts) if LOST < at <= behind), default=0)  # it opens the text
    places = [i for i, at in enumerate(echo.starts) if i > first and at > behind and echo.alternatives[i]]
    return Window(
        np.array([echo.starts[i] for i in places], np.int64) + (start - behind),
        np.array(places, np.int64) - first,
        np.array([_bounded(echo.alternatives[i], separators, most) for i in places], np.float64).reshape(
            -1, len(separators)
        ),
    )


def _bounded(alternatives: Mapping[str, float], separators: Sequence[str], most: int) -> list[float]:
    """The log-probability of each separator, or that of the last of the `most` likely tokens, which bounds it."""
    bound = sorted(alternatives.values(), reverse=True)[:most][-1]  # the text's own token may come on top of them
    return [float(alternatives.get(separator, bound)) for separator in separators]
