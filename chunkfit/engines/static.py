"""Static word-piece vectors: deterministic, any length of text, no hub and no GPU."""

import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkfit.errors import EngineUnavailable
from chunkfit.model import Document

# No entry of the vocabulary reaches across these edges, so a text's tokens are the tokens of its words put together:
# spaces only open an entry, a line break is in none, and a Chinese, Japanese or Korean character is always alone.
# Longer runs than 256 are cut, so that hostile text stays cheap; only there do the tokens differ.
_ALONE = "\u2e80-\u9fff\uac00-\ud7a3"
_WORD = re.compile(rf"\n{{1,256}}|[{_ALONE}]| {{1,256}}[^ \n{_ALONE}]{{0,256}}|[^ \n{_ALONE}]{{1,256}}")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_STRIDE = 8  # words between two stored prefix sums: 256 bytes a word, and 3.5 rows to add at an edge
_CUTS_AT_ONCE = 2048  # bounds the working memory of one question to some 20 MB
_REMEMBERED_PARTS = 20_000  # parts of words at cuts, about 1.2 KB each


class StaticEmbedder:
    """Mean of static token vectors, 256 dimensions, from the two data files inside the `wordllama` wheel.

    The vector of a text is the mean of its token vectors scaled to length 1, no special tokens added; the spelling of
    a special token counts as plain text. Files are read on first use. Raises EngineUnavailable where they are missing.
    """

    id = "wordllama/l2_supercat_256"

    def embed(self, document: Document) -> "StaticSpanVectors":
        return StaticSpanVectors(document.text, self._model)

    @cached_property
    def _model(self) -> "_Model":
        return _Model.load()


@dataclass(frozen=True)
class _Model:
    tokenizer: Any  # tokenizers.Tokenizer
    table: NDArray[np.float32]  # [tokens of the vocabulary, dimensions]

    @classmethod
    def load(cls) -> "_Model":
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer, normalizers

        spec = importlib.util.find_spec("wordllama")  # finds the files without running the package, which wants a hub
        if spec is None or spec.origin is None:
            raise EngineUnavailable("the static embedder reads its vectors from the package wordllama: install it")
        home = Path(spec.origin).parent
        tokenizer = Tokenizer.from_file(str(home / "tokenizers" / "l2_supercat_tokenizer_config.json"))
        # Its own normalizer puts a blank before every text. Words inside a text have none, so blanks are ours to put.
        tokenizer.normalizer = normalizers.Replace(" ", "▁")
        tokenizer.encode_special_tokens = True
        weights = load_file(home / "weights" / "l2_supercat_256.safetensors")
        return cls(tokenizer, weights["embedding.weight"].astype(np.float32))

    def sums(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The sum of the token vectors of each word: [words, dimensions]."""
        result = np.empty((len(words), self.table.shape[1]), dtype=np.float32)
        for first in range(0, len(words), 8192):  # in slices: the gathered token rows are larger than the result
            some = words[first : first + 8192]
            encoded = [e.ids for e in self.tokenizer.encode_batch_fast(some, add_special_tokens=False)]
            edges = np.cumsum([0, *map(len, encoded)])[:-1]
            tokens = np.fromiter((token for ids in encoded for token in ids), dtype=np.int64)
            np.add.reduceat(self.table[tokens], edges, axis=0, out=result[first : first + len(some)])
        return result


class StaticSpanVectors:
    """Vectors of any span of one text, equal to those of the span read alone.

    A text alone begins with a blank, and a word that a cut goes through falls into other tokens. So a span is the sum of

        the rest of its first word, after a blank + the whole words between + the beginning of its last word

    where the whole words come from prefix sums stored at every eighth word (in double precision: a prefix is thousands
    of times longer than the difference of two), and the parts are tokenised when asked for.
    """

    def __init__(self, text: str, model: _Model) -> None:
        self._text = _LONE_SURROGATE.sub("\ufffd", text)  # the tokenizer takes valid Unicode only; the length stays
        self._model = model
        words = _WORD.findall(self._text)
        self._edges = np.cumsum([0, *map(len, words)], dtype=np.int64)
        self._number: dict[str, int] = {}
        self._words = np.fromiter(
            (self._number.setdefault(word, len(self._number)) for word in words), dtype=np.int32, count=len(words)
        )
        self._sums = model.sums(list(self._number))
        self._parts: dict[str, NDArray[np.float32]] = {}
        self._prefixes = self._prefix_sums()

    def _prefix_sums(self) -> NDArray[np.float64]:
        """Row k is the sum of the first k * _STRIDE words."""
        count = len(self._words) // _STRIDE
        prefixes = np.zeros((count + 1, self._sums.shape[1]))
        for first in range(0, count, 1024):
            last = min(first + 1024, count)
            rows = self._sums[self._words[first * _STRIDE : last * _STRIDE]]
            prefixes[first + 1 : last + 1] = rows.reshape(last - first, _STRIDE, -1).sum(axis=1)
        return np.cumsum(prefixes, axis=0, out=prefixes)

    def __call__(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float32]:
        """One row per span; zeros for an empty span. Raises ValueError where a span leaves the text."""
        starts, ends = np.asarray(starts, dtype=np.int64), np.asarray(ends, dtype=np.int64)
        if len(starts) and not (starts.min() >= 0 and (starts <= ends).all() and ends.max() <= len(self._text)):
            raise ValueError(f"spans need 0 <= start <= end <= {len(self._text)}, the length of the text")
        result = np.zeros((len(starts), self._sums.shape[1]), dtype=np.float32)
        for first in range(0, len(starts), _CUTS_AT_ONCE):
            some = slice(first, first + _CUTS_AT_ONCE)
            result[some] = self._sums_of(starts[some], ends[some])
        lengths = np.sqrt(np.einsum("ij,ij->i", result, result))
        result /= np.where(lengths > 0, lengths, 1)[:, None]
        return result

    def _sums_of(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
        opening, of_start = np.unique(starts, return_inverse=True)
        closing, of_end = np.unique(ends, return_inverse=True)
        sums: NDArray[np.float64] = self._before(closing)[of_end]
        sums -= self._before_rest(opening)[of_start]
        within_one_word = (starts == ends) | (self._word_at(starts) == self._word_at(ends - 1))
        for i in np.flatnonzero(within_one_word):
            sums[i] = self._part(" " + self._text[starts[i] : ends[i]]) if starts[i] < ends[i] else 0.0
        return sums

    def _before(self, cuts: NDArray[np.int64]) -> NDArray[np.float64]:
        """The sum of all that stands before each cut, the beginning of a word that it goes through included."""
        words = self._word_at(cuts)
        sums = self._prefix(words)
        for i in np.flatnonzero(self._edges[words] < cuts):
            sums[i] += self._part(self._text[self._edges[words[i]] : cuts[i]])
        return sums

    def _before_rest(self, cuts: NDArray[np.int64]) -> NDArray[np.float64]:
        """What to take from a later sum so that it begins at the cut: after a blank, with the rest of the word there."""
        following = np.minimum(self._word_at(cuts) + 1, len(self._words))
        sums = self._prefix(following)
        for i, (cut, edge) in enumerate(zip(cuts.tolist(), self._edges[following].tolist(), strict=True)):
            if cut < edge:
                sums[i] -= self._part(" " + self._text[cut:edge])
        return sums

    def _word_at(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of the word that each position is in; the number of words at the end of the text."""
        return np.searchsorted(self._edges, positions, side="right") - 1

    def _prefix(self, words: NDArray[np.int64]) -> NDArray[np.float64]:
        """The sum of all words before each of these."""
        stored, over = np.divmod(words, _STRIDE)
        sums = self._prefixes[stored]
        ragged = np.flatnonzero(over)
        over = over[ragged]
        firsts = np.cumsum(over) - over
        rows = np.arange(over.sum()) - np.repeat(firsts - stored[ragged] * _STRIDE, over)
        if len(rows):
            sums[ragged] += np.add.reduceat(self._sums[self._words[rows]], firsts, axis=0)
        return sums

    def _part(self, part: str) -> NDArray[np.float32]:
        number = self._number.get(part)
        if number is not None:
            return self._sums[number]
        if part not in self._parts:
            if len(self._parts) >= _REMEMBERED_PARTS:
                self._parts.clear()
            self._parts[part] = self._model.sums([part])[0]
        return self._parts[part]
