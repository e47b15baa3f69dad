"""A causal language model of Hugging Face that runs here, with the keys and values of the prompt kept."""

import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from inspect import signature
from itertools import chain
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.causal.vocabulary import Tokens, Vocabulary
from chunkfit.engines.causal.windows import SHARE, SHORTEST, windows
from chunkfit.engines.language_models import Reading, Window
from chunkfit.errors import EngineUnavailable
from chunkfit.usage import Usage

if TYPE_CHECKING:
    import torch

_STEP = 256  # tokens at once: the scores of a vocabulary of 150,000 are then 150 MB, whatever the window


class LocalLanguageModel:
    """Reads a text in windows, each behind the same prompt, whose keys and values are computed once and copied.

    The cache is copied and never cropped: layers with a sliding window forget what a crop would have to bring back.
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

        Raises EngineUnavailable where the weights are missing, memory is short, or the prompt leaves no room.
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
                raise EngineUnavailable(
                    f"{self._model!r} ran out of memory in a window of {self._window} tokens; set a smaller window"
                ) from problem

    def _read(self, prompt: list[int], tokens: Tokens, separators: list[int]) -> Reading:
        window = min(self._window, self._context - len(prompt))
        if window < SHORTEST:
            raise EngineUnavailable(
                f"{self._model!r} reads {self._context} tokens at once, and the prompt alone takes {len(prompt)}; "
                "choose a model with a longer context"
            )
        overlap = min(self._overlap, window // SHARE)
        cache, fed = self._behind(prompt)
        found = []
        # What follows the last token is no place to cut, so that it need not be read.
        for first, last in windows(len(tokens.ids) - 1, window, overlap):
            rows = self._log_probabilities(tokens.ids[first:last], deepcopy(cache), separators)
            places = np.arange(first, last) + 1
            whole = tokens.opens_character[places]
            found.append(Window(tokens.starts[places][whole], (places - first)[whole], rows[whole]))
            fed += last - first
        return Reading(tuple(found), Usage(tokens_in=fed))

    def _behind(self, prompt: list[int]) -> tuple[Any, int]:
        """The cache behind a prompt, and how many tokens had to be read for it."""
        if not prompt:
            return None, 0
        if self._prompt is not None and self._prompt[0] == prompt:
            return self._prompt[1], 0
        cache = [behind for _, behind in self._steps(prompt, None)][-1]
        if cache is None:
            raise EngineUnavailable(f"{self._model!r} keeps no keys and values (use_cache); choose another model")
        self._prompt = prompt, cache
        return cache, len(prompt)

    def _log_probabilities(self, ids: list[int], cache: Any, separators: list[int]) -> NDArray[np.float64]:
        """A row per token: the log-probability of each separator behind it."""
        rows = []
        for logits, _ in self._steps(ids, cache):
            scores = logits[0].float()
            rows.append((scores[:, separators] - scores.logsumexp(-1, keepdim=True)).cpu().numpy())
        return np.concatenate(rows).astype(np.float64)

    def _steps(self, ids: list[int], cache: Any) -> Iterator[tuple["torch.Tensor", Any]]:
        """Logits [1, step, vocabulary] of one step after the other, and the cache behind each."""
        import torch

        for first in range(0, len(ids), _STEP):
            step = torch.tensor([ids[first : first + _STEP]], device=self._network.device)
            with torch.no_grad():
                output = self._network(input_ids=step, use_cache=True, **{self._cache_name: cache})
            cache = output.get(self._cache_name)
            yield output.logits, cache

    def _token(self, separator: str) -> int:
        token = self._vocabulary.token(separator)
        if token is None:
            raise ValueError(f"{separator!r} is not one token of {self._model!r}; take separators from single_tokens")
        return token

    @cached_property
    def _network(self) -> Any:
        import torch
        from transformers import AutoModelForCausalLM

        device = self._device or ("cuda" if torch.cuda.is_available() else "cpu")
        network = self._loaded(AutoModelForCausalLM, dtype=self._dtype, use_safetensors=True)
        return network.to(device).eval()

    @cached_property
    def _cache_name(self) -> str:
        """What transformers calls the cache; it dropped the old name during version 5."""
        return "cache" if "cache" in signature(self._network.forward).parameters else "past_key_values"

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        from transformers import AutoTokenizer

        tokenizer = self._loaded(AutoTokenizer)
        if not tokenizer.is_fast:
            raise EngineUnavailable(
                f"the tokeniser of {self._model!r} does not tell where its tokens stand in a text; choose a model "
                "with a fast tokeniser (tokenizer.json)"
            )
        return Vocabulary(tokenizer)

    @property
    def _context(self) -> int:
        """The most tokens that the model reads at once."""
        config = self._network.config.get_text_config()
        return getattr(config, "max_position_embeddings", None) or sys.maxsize

    def _loaded(self, kind: Any, **how: Any) -> Any:
        try:
            return kind.from_pretrained(self._model, revision=self._revision, trust_remote_code=False, **how)
        except (OSError, ValueError, ImportError) as problem:
            reason = str(problem).strip().partition("\n")[0]
            raise EngineUnavailable(
                f"the language model {self._model!r} cannot be loaded ({reason}); fetch its safetensors weights with "
                "`hf download`, or name a local folder that holds them: hf[model=/path/to/model]"
            ) from problem
