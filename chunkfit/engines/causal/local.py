"""A causal language model of Hugging Face that runs here, with the keys and values of the prompt kept."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from threading import RLock
from typing import Any

import numpy as np

from chunkfit.engines.causal.network import Network
from chunkfit.engines.causal.vocabulary import Tokens, Vocabulary
from chunkfit.engines.causal.windows import SHARE, SHORTEST, windows
from chunkfit.engines.language_models import Reading, Window
from chunkfit.errors import EngineRefused
from chunkfit.usage import Usage


class LocalLanguageModel:
    """Reads a text in windows, each behind the same prompt, whose keys and values are computed once and copied.

    What two windows share is read again, because its keys and values hold what stood before it in the other window. So
    a window gives exactly what one pass over prompt and window would. The prompt's cache stays for the next text with
    the same prompt. Threads may share a model; it reads one text at a time. Code and pickles that come with weights are
    not run.
    """

    def __init__(
        self, model: str, *, revision: str | None, device: str | None, dtype: str, window: int, overlap: int
    ) -> None:
        self._model = model
        self._revision = revision
        self._device = device
        self._dtype = dtype
        self._window = window
        self._overlap = overlap
        self._lock = RLock()
        self._prompt: tuple[list[int], Any] | None = None

    @property
    def id(self) -> str:
        return f"hf/{self._model}@{self._revision or 'main'}/{self._dtype}/{self._window}-{self._overlap}"

    def single_tokens(self, preferred: Sequence[str]) -> Iterator[str]:
        """Those of `preferred` that are one token, then the vocabulary: short symbols first, whole words last."""
        with self._lock:
            known = [text for text in preferred if self._vocabulary.token(text) is not None]
        yield from known
        with self._lock:
            marks = self._vocabulary.marks
        for text in marks:
            with self._lock:
                single = self._vocabulary.token(text) is not None
            if single:
                yield text

    def read(self, prompt: Sequence[str], text: str, separators: Sequence[str]) -> Reading:
        """As LanguageModel says. `usage.tokens_in` counts what the model was really fed.

        Raises EngineRefused where the weights are missing, memory is short, or the prompt leaves no room.
        """
        with self._lock:
            vocabulary = self._vocabulary
            tokens = vocabulary.tokens(text)
            if len(tokens.ids) < 2:
                return Reading((), Usage())
            marks = {separator: self._token(separator) for separator in separators}
            parts = ([marks[part]] if part in marks else vocabulary.tokens(part).ids for part in prompt)
            import torch

            try:
                return self._read([*vocabulary.opening, *chain.from_iterable(parts)], tokens, list(marks.values()))
            except torch.OutOfMemoryError as problem:
                raise EngineRefused(
                    f"{self._model!r} ran out of memory in a window of {self._window} tokens; set a smaller window"
                ) from problem

    def _read(self, prompt: list[int], tokens: Tokens, separators: list[int]) -> Reading:
        context = self._network.context
        window = min(self._window, context - len(prompt))
        if window < SHORTEST:
            raise EngineRefused(
                f"{self._model!r} reads {context} tokens at once, and the prompt alone takes {len(prompt)}; "
                "choose a model with a longer context"
            )
        overlap = min(self._overlap, window // SHARE)
        cache, fed = self._behind(prompt)
        found = []
        # What follows the last token is no place to cut, so that it need not be read.
        for first, last in windows(len(tokens.ids) - 1, window, overlap):
            rows = self._network.log_probabilities(tokens.ids[first:last], cache, separators)
            places = np.arange(first, last) + 1
            whole = tokens.opens_character[places]
            found.append(Window(tokens.starts[places][whole], (places - first)[whole], rows[whole]))
            fed += last - first
        return Reading(tuple(found), Usage(tokens_in=fed))

    def _behind(self, prompt: list[int]) -> tuple[Any, int]:
        """The cache behind a prompt, and how many tokens had to be read for it."""
        if self._prompt is not None and self._prompt[0] == prompt:
            return self._prompt[1], 0
        self._prompt = prompt, self._network.behind(prompt)
        return self._prompt[1], len(prompt)

    def _token(self, separator: str) -> int:
        token = self._vocabulary.token(separator)
        if token is None:
            raise ValueError(f"{separator!r} is not one token of {self._model!r}; take separators from single_tokens")
        return token

    @cached_property
    def _network(self) -> Network:
        import torch
        from transformers import AutoModelForCausalLM

        device = self._device or ("cuda" if torch.cuda.is_available() else "cpu")
        model = self._loaded(AutoModelForCausalLM, dtype=self._dtype, use_safetensors=True)
        try:
            return Network(model.to(device).eval())
        except (ValueError, RuntimeError) as problem:
            raise EngineRefused(
                f"{self._model!r} cannot be used on {device!r} ({problem}); choose another model or device"
            ) from problem

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        from transformers import AutoTokenizer

        tokenizer = self._loaded(AutoTokenizer)
        if not tokenizer.is_fast:
            raise EngineRefused(
                f"the tokeniser of {self._model!r} does not tell where its tokens stand in a text; choose a model "
                "with a fast tokeniser (tokenizer.json)"
            )
        return Vocabulary(tokenizer)

    def _loaded(self, kind: Any, **how: Any) -> Any:
        try:
            return kind.from_pretrained(self._model, revision=self._revision, trust_remote_code=False, **how)
        except (OSError, ValueError, ImportError) as problem:
            reason = str(problem).strip().partition("\n")[0]
            raise EngineRefused(
                f"the language model {self._model!r} cannot be loaded ({reason}); fetch its safetensors weights with "
                "`hf download`, or name a local folder that holds them: hf[model=/path/to/model]"
            ) from problem
