"""Static word-piece vectors: deterministic, any length of text, no hub and no GPU."""

import importlib.util
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines.protocols import Spend
from chunkfit.errors import EngineRefused
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.model import Document
from chunkfit.usage import Usage

Offsets = NDArray[np.int64]

# No entry of the vocabulary reaches across these edges, so a text's tokens are the tokens of its words put together:
# spaces only open an entry, a line break is in none, and a Chinese, Japanese or Korean character is always alone.
# Longer runs than 256 are cut, so that hostile text stays cheap; only there do the tokens differ.
_ALONE = "\u2e80-\u9fff\uac00-\ud7a3"
_LONGEST_WORD = 512
_BLANK = ord(" ")
_WORD = re.compile(rf"\n{{1,256}}|[{_ALONE}]| {{1,256}}[^ \n{_ALONE}]{{0,256}}|[^ \n{_ALONE}]{{1,256}}")
_STRETCH = 64  # words: as long as a sum may grow in single precision
_SUMS_WITHIN = 262_144  # sums of the beginnings of stretches that one document may keep: 256 MB
_SPANS_AT_ONCE = 2048  # bounds the working memory of one question to some 20 MB
_CUTS = 8192  # remembered, at 4 KB each: twice as many as one question can ask for
_VOCABULARY = 65_536  # words remembered between documents: 64 MB of sums
_PARTS = 65_536  # and as many parts of words, at cuts through them


class StaticEmbedder:
    """Mean of static token vectors, 256 dimensions, from the two data files inside the `wordllama` wheel.

    The vector of a text is the mean of its token vectors scaled to length 1, no special tokens added; the spelling of
    a special token counts as plain text. Files are read on first use. Raises EngineRefused where they are missing.
    Threads may share it, each with documents of its own: words are remembered from document to document.
    """

    id = "wordllama/l2_supercat_256"

    def embed(self, document: Document) -> "StaticSpanVectors":
        return StaticSpanVectors(document.text, self._room_for_words(), self._parts)

    def queries(self, texts: Sequence[str], spend: Spend | None = None) -> NDArray[np.float32]:
        """A row per text, equal to that of a document's span of the same text; zeros for an empty one."""
        words = self._room_for_words()
        # A text alone begins with a blank, as spans do.
        found = [_WORD.findall(" " + without_lone_surrogates(text)) if text else [""] for text in texts]
        numbers, _ = words.numbers([word for some in found for word in some])
        if spend is not None:
            spend(Usage(characters=sum(map(len, texts)), texts=len(texts)))
        result = np.zeros((len(texts), self._model.table.shape[1]), np.float32)
        for row, end, count in zip(result, np.cumsum([len(some) for some in found]), map(len, found), strict=True):
            total = words.sums[numbers[end - count : end]].sum(axis=0, dtype=np.float64)
            row[:] = total / (np.linalg.norm(total) or 1)
        return result

    def _room_for_words(self) -> "_Words":
        if len(self._words.sums) > _VOCABULARY:
            self._words = _Words(self._model)  # documents read so far keep theirs
        return self._words

    @cached_property
    def _model(self) -> "_Model":
        return _Model.load()

    @cached_property
    def _words(self) -> "_Words":
        return _Words(self._model)

    @cached_property
    def _parts(self) -> "_Words":
        return _Words(self._model)


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
            raise EngineRefused("the static embedder reads its vectors from the package wordllama: install it")
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
        for first in range(0, len(words), 1024):  # in slices: the gathered token rows are larger than the result
            some = words[first : first + 1024]
            encoded = [self.tokenizer.encode(word, add_special_tokens=False).ids for word in some]
            edges = np.cumsum([0, *map(len, encoded)])[:-1]
            tokens = np.fromiter((token for ids in encoded for token in ids), dtype=np.int64)
            np.add.reduceat(self.table[tokens], edges, axis=0, out=result[first : first + len(some)])
        return result


class _Words:
    """Numbered words and the sum of the token vectors of each."""

    def __init__(self, model: _Model) -> None:
        self._model = model
        self._number = {"": 0}
        self._room = np.zeros((1, model.table.shape[1]), dtype=np.float32)
        self._lock = threading.RLock()  # documents in several threads share the words

    @property
    def sums(self) -> NDArray[np.float32]:
        """[words, dimensions], by number."""
        return self._room[: len(self._number)]

    def numbers(self, words: Sequence[str]) -> tuple[NDArray[np.int32], int]:
        """The number of each word, and how many characters new ones had; these are tokenised together."""
        with self._lock:
            new = [word for word in dict.fromkeys(words) if word not in self._number]
            if new:
                known = len(self._number)
                if known + len(new) > len(self._room):  # grow by doubling; whoever holds the old room keeps its sums
                    room = np.empty((max(2 * known, known + len(new)), self._room.shape[1]), dtype=np.float32)
                    room[:known] = self._room[:known]
                    self._room = room
                self._room[known : known + len(new)] = self._model.sums(new)
                self._number.update(zip(new, range(known, known + len(new)), strict=True))
            numbers = np.fromiter(map(self._number.__getitem__, words), dtype=np.int32, count=len(words))
            return numbers, sum(map(len, new))

    def sums_of(self, words: Sequence[str], at_most: int) -> tuple[NDArray[np.float32], int]:
        """The sum of each word: [words, dimensions], and how many characters had to be read for them.

        Forgets the others where it knows more than `at_most`.
        """
        with self._lock:
            if len(self._number) > at_most:
                self._number = {"": 0}
            numbers, read = self.numbers(words)
            return self._room[numbers], read


class StaticSpanVectors:
    """Vectors of any span of one text, equal to those of the span read alone.

    A text alone begins with a blank, and a word that a cut goes through falls into other tokens. So a span's sum is

        the rest of its first word, after a blank + the whole words between + the beginning of its last word

    = (all before its end) - (all before its start, less the rest of the word there after a blank)

    Both brackets belong to one cut, and are remembered for it: metrics and their null ask for the same cuts again. They
    come from prefix sums over the words; the parts of words are tokenised when asked for.
    """

    def __init__(self, text: str, words: _Words, parts: _Words) -> None:
        self._text = without_lone_surrogates(text)  # the tokenizer takes valid Unicode only; the length stays
        found = _WORD.findall(self._text)
        self._edges = np.cumsum([0, *map(len, found)], dtype=np.int64)
        self._words, _ = words.numbers(found)
        self._read = len(text)  # a word met before was not tokenised again; the text was read all the same
        self._sums = words.sums
        self._parts = parts
        codes = np.frombuffer((self._text + "  ").encode("utf-32-le"), dtype="<u4")
        self._after_one_blank = (codes[self._edges] == _BLANK) & (codes[self._edges + 1] != _BLANK)
        self._blank = self._part_sums([" "])[0]
        self._step = _step(len(self._words))
        self._sum_far, self._sum_near = _prefix_sums(self._words, self._sums, self._step)
        self._row = np.full(len(self._text) + 1, -1, dtype=np.int32)  # of each offset in the two tables below
        self._known = 0
        self._before = np.empty((_CUTS, self._sums.shape[1]))
        self._before_rest = np.empty((_CUTS, self._sums.shape[1]))

    def __call__(self, starts: Offsets, ends: Offsets) -> NDArray[np.float32]:
        """One row per span; zeros for an empty span. Raises ValueError where a span leaves the text."""
        starts, ends = np.asarray(starts, dtype=np.int64), np.asarray(ends, dtype=np.int64)
        if len(starts) and not (starts.min() >= 0 and (starts <= ends).all() and ends.max() <= len(self._text)):
            raise ValueError(f"spans need 0 <= start <= end <= {len(self._text)}, the length of the text")
        result = np.empty((len(starts), self._sums.shape[1]), dtype=np.float32)
        for first in range(0, len(starts), _SPANS_AT_ONCE):
            some = slice(first, first + _SPANS_AT_ONCE)
            self._add(starts[some], ends[some], result[some])
        lengths = np.sqrt(np.einsum("ij,ij->i", result, result))
        result /= np.where(lengths > 0, lengths, 1)[:, None]
        return result

    @property
    def usage(self) -> Usage:
        """The text, once, and the parts of words at cuts through them."""
        return Usage(characters=self._read, texts=1)

    def _add(self, starts: Offsets, ends: Offsets, sums: NDArray[np.float32]) -> None:
        """Write the sum of each span into `sums`."""
        self._learn(np.concatenate([starts, ends]))
        of_start, of_end = self._row[starts], self._row[ends]
        np.subtract(self._before[of_end], self._before_rest[of_start], out=sums, casting="same_kind")
        short = np.flatnonzero(ends - starts <= _LONGEST_WORD)
        if len(short):
            within = short[self._word_at(starts[short]) == self._word_at(ends[short])]  # one word
            sums[within] = self._part_sums(self._slices(starts[within], ends[within], " "))

    def _learn(self, cuts: Offsets) -> None:
        """Make the rows of cuts that have none."""
        unknown = self._row[cuts] < 0
        if not unknown.any():
            return
        new = self._once_each(cuts[unknown])
        if self._known + len(new) > _CUTS:
            self._row[:] = -1
            self._known, new = 0, self._once_each(cuts)
        rows = slice(self._known, self._known + len(new))
        self._write_brackets(new, self._before[rows], self._before_rest[rows])
        self._row[new] = np.arange(rows.start, rows.stop)
        self._known = rows.stop

    def _write_brackets(self, cuts: Offsets, before: NDArray[np.float64], before_rest: NDArray[np.float64]) -> None:
        """Into two tables: all before each cut, and the same less the rest of the word there after a blank."""
        words = self._word_at(cuts)
        np.add(self._sum_far[words // _STRETCH], self._sum_near[words // self._step], out=before)
        for back in range(1, self._step):
            more = np.flatnonzero(words % self._step >= back)
            before[more] += self._sums[self._words[words[more] - back]]
        before_rest[:] = before
        # Most cuts are behind the one blank before a word: its rest, after a blank, is the word itself.
        usual = (cuts == self._edges[words] + 1) & self._after_one_blank[words]
        np.add(before, self._blank, out=before, where=usual[:, None])
        unusual = np.flatnonzero(~usual & (words < len(self._words)))
        if len(unusual):
            cut, word = cuts[unusual], words[unusual]
            parts = self._slices(self._edges[word], cut) + self._slices(cut, self._edges[word + 1], " ")
            sums = self._part_sums(parts)
            before[unusual] += sums[: len(unusual)]
            before_rest[unusual] += self._sums[self._words[word]] - sums[len(unusual) :]

    def _once_each(self, cuts: Offsets) -> Offsets:
        """The distinct ones of cuts without rows. (np.unique takes longer than all the rest for a hundred.)"""
        number = np.arange(len(cuts))
        self._row[cuts] = number  # of equal cuts the last one's number stays
        distinct: Offsets = cuts[self._row[cuts] == number]
        return distinct

    def _slices(self, starts: Offsets, ends: Offsets, before: str = "") -> list[str]:
        return [before + self._text[a:b] if a < b else "" for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]

    def _part_sums(self, parts: list[str]) -> NDArray[np.float32]:
        sums, read = self._parts.sums_of(parts, at_most=_PARTS)
        self._read += read
        return sums

    def _word_at(self, positions: Offsets) -> Offsets:
        """The number of the word that each position is in; the number of words at the end of the text."""
        return np.searchsorted(self._edges, positions, side="right") - 1


def _step(words: int) -> int:
    """How many words lie between two sums within a stretch: two, or as many as keep an enormous text in bounds."""
    step = 2
    while words > step * _SUMS_WITHIN and step < _STRETCH:
        step *= 2
    return step


def _prefix_sums(
    words: NDArray[np.int32], sums: NDArray[np.float32], step: int
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """All before each stretch of words, and within a stretch all before every `step`-th word.

    The first in double precision: it grows thousands of times as long as the difference of two. The second in single
    precision: 512 bytes a word for a step of two.
    """
    stretches = len(words) // _STRETCH + 1
    dimensions = sums.shape[1]
    far = np.zeros((stretches + 1, dimensions))
    near = np.zeros((stretches, _STRETCH // step, dimensions), dtype=np.float32)
    padded = np.zeros(stretches * _STRETCH, dtype=np.int32)  # word 0 is empty and sums to 0
    padded[: len(words)] = words
    for first in range(0, stretches, 32):  # 2 MB at once; sums by steps, as np.cumsum takes five times as long
        some = slice(first, min(first + 32, stretches))
        rows = sums[padded[some.start * _STRETCH : some.stop * _STRETCH]].reshape(
            -1, _STRETCH // step, step, dimensions
        )
        steps, through = rows[:, :, 0], near[some]
        for k in range(1, step):
            steps += rows[:, :, k]
        for k in range(1, _STRETCH // step):
            np.add(through[:, k - 1], steps[:, k - 1], out=through[:, k])
        far[some.start + 1 : some.stop + 1] = through[:, -1] + steps[:, -1]
    for before, row in pairwise(far):
        row += before
    return far, near.reshape(-1, dimensions)
