"""A causal language model behind a completions API that gives the log-probabilities of a prompt."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkfit.engines.causal.alignment import LOST, aligned
from chunkfit.engines.causal.vocabulary import without_surrogates
from chunkfit.engines.causal.windows import windows
from chunkfit.engines.language_models import Reading, Window
from chunkfit.errors import EngineRefused, EngineUnavailable, MethodFailed
from chunkfit.tokens import TokenIndex
from chunkfit.usage import Usage

if TYPE_CHECKING:
    import openai

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

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        key: str | None,
        secret: Callable[[str], str | None],
        logprobs: int,
        window: int,
        overlap: int,
        timeout: float,
        retries: int,
    ) -> None:
        self._model = model
        self._base_url = base_url
        self._key = key
        self._secret = secret
        self._logprobs = logprobs
        self._window = window
        self._overlap = overlap
        self._timeout = timeout
        self._retries = retries
        self._single: dict[str, bool] = {}

    @property
    def id(self) -> str:
        return f"server/{self._base_url}/{self._model}/{self._logprobs}/{self._window}-{self._overlap}"

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
        behind, text = "".join(prompt), without_surrogates(text)
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
        answer = self._answered(prompts[0] if len(prompts) == 1 else prompts)
        try:
            choices = sorted(answer.choices, key=lambda choice: int(choice.index))
            echoes = [_echo(choice.logprobs, prompt) for choice, prompt in zip(choices, prompts, strict=True)]
        except (AttributeError, TypeError, ValueError) as problem:
            raise EngineUnavailable(
                f"{self._base_url} does not tell the log-probabilities of a prompt ({problem}); it must support echo "
                "and logprobs in its completions API, as vLLM does"
            ) from problem
        told = answer.usage
        tokens = told.prompt_tokens if told else sum(len(echo.tokens) for echo in echoes)
        return echoes, Usage(calls=1, tokens_in=tokens, tokens_out=told.completion_tokens if told else len(prompts))

    def _answered(self, prompt: str | list[str]) -> Any:
        import openai

        try:
            # One token is asked for, since some servers refuse none; it is dropped.
            return self._client.completions.create(
                model=self._model, prompt=prompt, echo=True, logprobs=self._logprobs, max_tokens=1, temperature=0
            )
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            # Without the server's words, which may hold part of the key.
            raise EngineRefused(
                f"{self._base_url} refuses the key ({f'the secret {self._key!r}' if self._key else 'none was given'}); "
                "name a valid one: server[key=NAME]"
            ) from None
        except openai.NotFoundError as problem:
            raise EngineRefused(
                f"{self._base_url} knows no model {self._model!r} or has no completions API there; check model and "
                "base_url, which usually ends in /v1"
            ) from problem
        except (openai.BadRequestError, openai.UnprocessableEntityError) as problem:
            raise MethodFailed(
                f"{self._base_url} refuses the request ({self._shown(problem)}); where it is too long set a smaller "
                "window, where it asks for too many log-probabilities a smaller logprobs"
            ) from None
        except (openai.OpenAIError, ValueError) as problem:
            raise EngineUnavailable(
                f"{self._base_url} gave no answer in {self._retries + 1} tries ({type(problem).__name__}); "
                "try again later"
            ) from problem

    def _shown(self, problem: "openai.APIError") -> str:
        """The server's words, without the key should they repeat it."""
        return problem.message.replace(self._client.api_key, "***")

    @cached_property
    def _client(self) -> "openai.OpenAI":
        import openai

        key = self._secret(self._key) if self._key else "none"  # a key for another service must not go there
        if not key:
            raise EngineRefused(f"the secret {self._key!r} is not set; set the environment variable of that name")
        return openai.OpenAI(api_key=key, base_url=self._base_url, timeout=self._timeout, max_retries=self._retries)


def _echo(told: Any, prompt: str) -> _Echo:
    """Raises AttributeError, TypeError or ValueError where the server told anything else."""
    tokens, alternatives = list(told.tokens), [_numbers(one) for one in told.top_logprobs]
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
