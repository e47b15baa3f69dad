"""A sentence-transformers model on this machine: loading, its tokens, and one thread in it at a time."""

import math
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.embedding.fingerprint import fingerprint
from chunkfit.engines.embedding.token_encoder import Tokens
from chunkfit.errors import EngineRefused
from chunkfit.lone_surrogates import without_lone_surrogates

_ENDLESS = 1_000_000_000  # tokens: what some tokenizers say for "no limit"


class Encoder:
    """A model by its name on the Hugging Face hub or by its folder, loaded when it is first asked for more than its id.

    Code that a model brings along is not run. Spellings of special tokens in a text are plain text. Threads may share
    it. Everything but `id` raises EngineRefused where the model cannot be loaded.
    """

    def __init__(self, model: str, *, revision: str | None = None, device: str | None = None) -> None:
        self.name = model
        self._revision = revision
        self._device = device
        self._lock = threading.RLock()

    @cached_property
    def id(self) -> str:
        """Name and revision, "main" where none is given; of a folder its last part and a fingerprint of its files."""
        folder = Path(self.name).expanduser()
        if folder.is_dir():
            return f"{folder.resolve().name}@{fingerprint(folder)}"
        return f"{self.name}@{self._revision or 'main'}"

    @property
    def limit(self) -> int | None:
        """Tokens that the model reads at once, special tokens included; None where it has no limit."""
        limit = self._model.max_seq_length
        return None if limit is None or math.isinf(limit) or limit > _ENDLESS else int(limit)

    @property
    def room(self) -> int | None:
        """Tokens of a text that the model reads at once, special tokens not counted; None where it has no limit."""
        return None if self.limit is None else self.limit - sum(map(len, self._around))

    def prompt(self, name: str | None) -> str:
        """The text of a prompt, of the model's default one where no name is given; "" where it has none.

        Raises EngineRefused where the model does not know the name.
        """
        known = self._model.prompts
        wanted = name if name is not None else self._model.default_prompt_name
        if wanted is None:
            return ""
        if wanted not in known:
            has = f"has {', '.join(map(repr, known))}" if known else "has none"
            raise EngineRefused(f"the model {self.name} has no prompt {wanted!r}; it {has}")
        return str(known[wanted])

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special tokens included."""
        with self._lock:
            return [len(ids) for ids in self._tokenized([without_lone_surrogates(text) for text in texts]).input_ids]

    def tokens(self, text: str) -> Tokens:
        """The tokens of a text by their numbers and places, special tokens left out."""
        with self._lock:
            found = self._tokenized(
                [without_lone_surrogates(text)], add_special_tokens=False, return_offsets_mapping=True
            )
        edges = np.array(found.offset_mapping[0], np.int64).reshape(-1, 2)
        return Tokens(np.array(found.input_ids[0], np.int64), edges[:, 0], edges[:, 1])

    def vectors(self, texts: Sequence[str], prompt: str, batch_size: int) -> NDArray[np.float32]:
        """A row per text, as the model gives them; what exceeds its limit is cut off."""
        valid = [without_lone_surrogates(text) for text in texts]
        with self._lock:
            rows = self._model.encode(
                valid, prompt=prompt, batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True
            )
        return np.asarray(rows, np.float32)

    def encode(self, windows: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float32]]:
        """The last hidden states of the tokens of each window, encoded between the model's special tokens.

        Raises EngineRefused where the model has none: it is no transformer.
        """
        import torch

        opening, closing = self._around
        whole = [[*opening, *window.tolist(), *closing] for window in windows]
        longest = max(map(len, whole))
        padding = self._tokenizer.pad_token_id or 0
        ids = [[*one, *[padding] * (longest - len(one))] for one in whole]
        mask = [[1] * len(one) + [0] * (longest - len(one)) for one in whole]
        with self._lock, torch.inference_mode():
            features = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
            given = self._model[0]({name: rows.to(self._model.device) for name, rows in features.items()})
            hidden = given.get("token_embeddings")
            if hidden is None or hidden.ndim != 3:
                raise EngineRefused(f"the model {self.name} gives no vectors of tokens; late needs a transformer")
            states = hidden.float().cpu().numpy()
        first = len(opening)
        return [row[first : first + len(window)] for row, window in zip(states, windows, strict=True)]

    def _tokenized(self, texts: list[str], **options: Any) -> Any:
        return self._tokenizer(texts, truncation=False, padding=False, verbose=False, **options)

    @property
    def _tokenizer(self) -> Any:
        tokenizer = getattr(self._model[0], "tokenizer", None)
        if not getattr(tokenizer, "is_fast", False):
            raise EngineRefused(
                f"the model {self.name} has no fast tokenizer, which tells where in a text its tokens are; "
                "choose a model with a tokenizer.json"
            )
        return tokenizer

    @cached_property
    def _around(self) -> tuple[list[int], list[int]]:
        """The special tokens that the model puts before and behind a text."""
        with self._lock:
            alone = self._tokenized(["a"], add_special_tokens=False).input_ids[0]
            whole = self._tokenized(["a"]).input_ids[0]
        first = next(at for at in range(len(whole)) if whole[at : at + len(alone)] == alone)
        return whole[:first], whole[first + len(alone) :]

    @property
    def _model(self) -> Any:
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> Any:
        from sentence_transformers import SentenceTransformer

        name = str(Path(self.name).expanduser()) if Path(self.name).expanduser().is_dir() else self.name
        try:
            model = SentenceTransformer(name, revision=self._revision, device=self._device, trust_remote_code=False)
        except OSError as problem:
            raise EngineRefused(
                f"the model {self.name!r} is neither a folder here nor in the local cache of the Hugging Face hub, and "
                f"could not be fetched: {_first_line(problem)}. Check its name and revision, allow the download, or "
                "give the path of a folder with its files"
            ) from problem
        except Exception as problem:  # whatever its files, the device or a library object to
            raise EngineRefused(f"the model {self.name!r} cannot be loaded: {_first_line(problem)}") from problem
        model.eval()
        tokenizer: Any = getattr(model[0], "tokenizer", None)
        if hasattr(tokenizer, "split_special_tokens"):
            tokenizer.split_special_tokens = True
        return model


def _first_line(problem: Exception) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0].rstrip(".")
