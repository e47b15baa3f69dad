"""Texts in the tokens of a Hugging Face tokeniser, and what of its vocabulary can mark a place."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkfit.lone_surrogates import without_lone_surrogates


@dataclass(frozen=True, eq=False)
class Tokens:
    """A text in tokens."""

    ids: list[int]
    starts: NDArray[np.int64]  # code points of the text
    opens_character: NDArray[np.bool_]  # whether a token starts where a character does, and is the first to do so


class Vocabulary:
    """A fast tokeniser that takes whatever a text spells, special tokens too, as plain text. Not thread-safe."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        usual = tokenizer("", add_special_tokens=True)["input_ids"]
        self.opening: list[int] = [one for one in usual if one == tokenizer.bos_token_id]  # before every text

    def tokens(self, text: str) -> Tokens:
        encoded = self._tokenizer(
            without_lone_surrogates(text),
            add_special_tokens=False,
            split_special_tokens=True,
            return_offsets_mapping=True,
            truncation=False,
            verbose=False,
        )
        starts, ends = np.array(encoded["offset_mapping"], np.int64).reshape(-1, 2).T
        # The bytes of one character may be several tokens, which start alike or inside what one before them holds.
        ended, started = (np.maximum.accumulate(np.concatenate([[-1], edges]))[:-1] for edges in (ends, starts))
        return Tokens(list(encoded["input_ids"]), starts, (starts >= ended) & (starts > started))

    def token(self, text: str) -> int | None:
        """The one token that stands for exactly this text."""
        ids = self.tokens(text).ids
        known = ids[0] if len(ids) == 1 else self._tokenizer.get_vocab().get(text)
        return known if known is not None and self._spelt(known) == text else None

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """What could mark a place in a text where all usual marks occur: symbols before words, short and rare first."""
        special = {*self._tokenizer.all_special_ids, *self._tokenizer.added_tokens_decoder}
        spelt = {one: self._spelt(one) for one in self._tokenizer.get_vocab().values() if one not in special}
        visible = [one for one, text in spelt.items() if _is_visible(text)]
        visible.sort(key=lambda one: (any(map(str.isalnum, spelt[one])), len(spelt[one]), -one))
        return tuple(dict.fromkeys(spelt[one] for one in visible))

    def _spelt(self, token: int) -> str:
        return str(self._tokenizer.decode([token], clean_up_tokenization_spaces=False))


def _is_visible(text: str) -> bool:
    return text.isprintable() and "\ufffd" not in text and text.strip() == text != ""
