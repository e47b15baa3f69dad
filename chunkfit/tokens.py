"""Exact o200k_base token counts of any span of a text, from one tokenisation.

The tokeniser cuts a text into words by a pattern that never looks back, then encodes each word by itself. Between
certain neighbours, such as a letter and the space behind it, the pattern must cut whatever stands around them. At such
a *synchronisation point* counts add up:

    tokens(start, end) = tokens(start, p) + tokens(p, q) + tokens(q, end)

`TokenIndex` keeps the number of tokens before each point. A span's count is then one difference and, where it starts or
ends inside a word, that piece of the word encoded alone.
"""

import hashlib
import importlib.util
import re
import unicodedata
from binascii import a2b_base64
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from gzip import decompress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import tiktoken

# What tiktoken publishes for its own download of these ranks.
RANKS_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

# o200k_base's words, less its `\s+(?!\S)`: without a look-ahead the pattern runs in linear time and cannot overflow on
# a million spaces, where the original does. `_encoded` makes up for it.
_WORDS = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+",
    ]
)
# The tokeniser's \s without line ends, which is not Python's: that has four control characters more.
_BLANKS = "\t\v\f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
# The last of two or more blanks belongs to the word behind it: what `\s+(?!\S)` sees to.
_BLANK_BEFORE_LAST = re.compile(rf"[{_BLANKS}](?=[{_BLANKS}][^\r\n{_BLANKS}])")

_CACHED_LENGTH = 48  # code points: pieces of words repeat, and longer ones are rare


class TokenIndex:
    """Counts the o200k_base tokens of any span of `text` as if the span were encoded alone.

    Special tokens are plain text, and a lone surrogate counts as U+FFFD. Building reads the text once. A count costs
    two binary searches and the encoding of at most two pieces of words; only where there is no synchronisation point
    for long (a run of a million equal letters) does it grow with the span. Never changes, so threads may share it.

    >>> TokenIndex("Tea is hot. Ice is cold.").count(4, 11)
    3
    """

    def __init__(self, text: str) -> None:
        self.text = text
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        surrogates = (codes >= 0xD800) & (codes <= 0xDFFF)
        if surrogates.any():
            codes = np.where(surrogates, np.uint32(0xFFFD), codes).astype("<u4")
            text = codes.tobytes().decode("utf-32-le")
        self._text = text
        classes = _classes(codes)
        points = _synchronisation_points(classes)
        tokens = _encoded_between(text, _last_blanks(classes).tolist())
        self._points = points.astype(np.int32)
        ending = _ending_at(tokens, codes)
        self._before = ending[points]
        new = np.diff(ending, prepend=0)
        at = np.flatnonzero(new)
        self._ends = np.repeat(at, new[at]).astype(np.int32)
        # A memoryview hands bisect plain integers, several times as fast as numpy does for a single look-up.
        self._point = self._points.data
        self._tokens = self._before.data
        self.total = self._tokens[-1]

    def count(self, start: int, end: int) -> int:
        """Tokens of `text[start:end]`, encoded alone. Raises ValueError unless 0 <= start <= end <= len(text)."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"[{start}, {end}) is no span of a text of {len(self.text)} code points")
        first = bisect_left(self._point, start)
        last = bisect_right(self._point, end) - 1
        if first > last:
            return _length(self._text[start:end])
        head = self._text[start : self._point[first]]
        tail = self._text[self._point[last] : end]
        return _length(head) + self._tokens[last] - self._tokens[first] + _length(tail)

    def counts(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Tokens of each `text[starts[i]:ends[i]]`, encoded alone: `count` for many spans at once."""
        starts, ends = np.asarray(starts, np.int64), np.asarray(ends, np.int64)
        if not ((starts >= 0) & (starts <= ends) & (ends <= len(self.text))).all():
            raise ValueError(f"a span needs 0 <= start <= end <= {len(self.text)}, the length of the text")
        # Offsets of the points' own type: any other and each search copies all points first.
        first = np.searchsorted(self._points, starts.astype(np.int32), "left")
        last = np.searchsorted(self._points, ends.astype(np.int32), "right") - 1
        synchronised = first <= last
        # Without a point inside, the whole span is its head, and the tail is empty.
        heads = np.where(synchronised, self._points[first], ends)
        tails = np.where(synchronised, self._points[last], ends)
        tokens = np.where(synchronised, self._before[last].astype(np.int64) - self._before[first], 0)
        for edges, from_, to in ((starts < heads, starts, heads), (tails < ends, tails, ends)):
            at = np.flatnonzero(edges)
            pieces = zip(from_[at].tolist(), to[at].tolist(), strict=True)
            tokens[at] += np.fromiter((_length(self._text[a:b]) for a, b in pieces), np.int64, len(at))
        return tokens

    def before(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many tokens of the whole text end at or before each offset.

        The difference of two is the size of what lies between to within a token at each edge, adds up exactly, and
        costs nothing: for weights and windows, where `counts` would encode the edges of a thousand spans.
        """
        return np.searchsorted(self._ends, np.asarray(offsets, np.int32), "right").astype(np.int64)

    def longest(self, start: int, limit: int, end: int | None = None) -> int:
        """Where the longest span from `start` with at most `limit` tokens ends, at `end` at most.

        Its tokens stay within the limit and those of a span one code point longer do not; `start` where even one code
        point is too much. (Tokens do not grow quite steadily: a still longer span may fit again, by ending a word.)
        Raises ValueError where `count` would, and for a limit below 0.
        """
        end = len(self.text) if end is None else end
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"[{start}, {end}) is no span of a text of {len(self.text)} code points")
        if limit < 0:
            raise ValueError(f"limit must be at least 0 tokens, got {limit}")
        first = bisect_left(self._point, start)
        last = bisect_right(self._point, end) - 1
        stop = self._point[first] if first <= last else end
        head = _fitting_prefix(self._text, start, stop, limit)
        if first > last or start + head < stop:
            return start + head
        before = self._tokens[first] - _length(self._text[start:stop])  # as if the index began at `start`
        reach = min(last, bisect_right(self._tokens, before + limit) - 1)
        stop = self._point[reach + 1] if reach < last else end
        known = self._point[reach]
        return known + _fitting_prefix(self._text, known, stop, before + limit - self._tokens[reach])


def _fitting_prefix(text: str, start: int, end: int, limit: int) -> int:
    """Code points from `start` that encode to at most `limit` tokens, where one more would not."""
    width = 4 * limit + 8  # code points; a guess
    while True:
        piece = text[start : min(start + width, end)]
        tokens = _encoded(piece)
        if len(tokens) > limit:
            break
        if start + len(piece) == end:
            return len(piece)
        width *= 2
    size = len(_encoding().decode_bytes(tokens[:limit]).decode("utf-8", "ignore"))
    while size and _length(piece[:size]) > limit:
        size -= 1
    while size < len(piece) and _length(piece[: size + 1]) <= limit:
        size += 1
    return size


def _length(piece: str) -> int:
    if len(piece) > _CACHED_LENGTH:
        return len(_encoded(piece))
    return _short_length(piece) if piece else 0


@lru_cache(1 << 16)
def _short_length(piece: str) -> int:
    return len(_encoded(piece))


def _encoded(text: str) -> list[int]:
    """The tokens of a text without surrogates."""
    return _encoded_between(text, [match.end() for match in _BLANK_BEFORE_LAST.finditer(text)])


def _encoded_between(text: str, cuts: list[int]) -> list[int]:
    """The tokens of a text, given where the last of two or more blanks stands before a word."""
    encode = _encoding().encode_ordinary
    if not cuts:
        return encode(text)
    tokens: list[int] = []
    for start, end in pairwise([0, *cuts, len(text)]):
        tokens += encode(text[start:end])
    return tokens


def _ending_at(tokens: list[int], codes: NDArray[np.uint32]) -> NDArray[np.int32]:
    """How many of the text's tokens end at or before each offset."""
    sizes = np.ones(len(codes), np.uint8)  # bytes in UTF-8
    for wider in (0x80, 0x800, 0x10000):
        sizes += codes >= wider
    bytes_before = np.zeros(len(codes) + 1, np.int32)
    np.cumsum(sizes, out=bytes_before[1:])
    ending = np.zeros(bytes_before[-1] + 1, np.int32)  # at each byte, how many tokens
    ending[np.cumsum(_token_sizes()[np.array(tokens, np.int32)], dtype=np.int32)] = 1
    return cast("NDArray[np.int32]", np.cumsum(ending, out=ending)[bytes_before])


# What a character is to the tokeniser's pattern. Marks, controls and the apostrophe stand in several of its branches,
# and what Python's Unicode does not know yet may be anything: no point depends on what is unsure.
_CLASSES = 7
_UNSURE, _LETTER, _DIGIT, _SYMBOL, _SLASH, _BLANK, _NEWLINE = range(_CLASSES)
_CLASS_OF_CATEGORY = {"L": _LETTER, "N": _DIGIT, "P": _SYMBOL, "S": _SYMBOL}
_CLASS_OF_CHARACTER = {"'": _UNSURE, "/": _SLASH, "\r": _NEWLINE, "\n": _NEWLINE} | dict.fromkeys(_BLANKS, _BLANK)


def _cuts_between_classes() -> NDArray[np.bool_]:
    """`cuts[before, after]`: whether the pattern cuts between two such characters, whatever stands around them."""
    cuts = np.zeros((_CLASSES, _CLASSES), bool)
    cuts[[_UNSURE, _LETTER, _DIGIT, _SYMBOL, _SLASH], _BLANK] = True  # a blank never continues a word
    cuts[[_LETTER, _DIGIT], _NEWLINE] = True  # symbols take the newlines behind them, and letters do not
    cuts[_NEWLINE, [_UNSURE, _LETTER, _DIGIT, _SYMBOL]] = True  # symbols take a slash behind their newlines, too
    cuts[_DIGIT, [_LETTER, _SYMBOL, _SLASH]] = True
    cuts[[_LETTER, _SYMBOL, _SLASH], _DIGIT] = True
    cuts[_LETTER, [_SYMBOL, _SLASH]] = True  # the other way round, a symbol begins the word
    return cuts


_CUTS = _cuts_between_classes().ravel()


def _classes(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The class of each character."""
    occurs = np.zeros(int(codes.max(initial=0)) + 1, bool)
    occurs[codes] = True
    classes = np.zeros(len(occurs), np.uint8)
    for code in np.flatnonzero(occurs).tolist():
        character = chr(code)
        by_category = _CLASS_OF_CATEGORY.get(unicodedata.category(character)[0], _UNSURE)
        classes[code] = _CLASS_OF_CHARACTER.get(character, by_category)
    return classes[codes]


def _synchronisation_points(classes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Offsets where the pattern must cut, in order; both ends of the text are among them."""
    inner = np.flatnonzero(_CUTS[classes[:-1] * _CLASSES + classes[1:]]) + 1
    return np.unique([0, len(classes)]) if not len(inner) else np.concatenate([[0], inner, [len(classes)]])


def _last_blanks(classes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """What _BLANK_BEFORE_LAST finds, in a tenth of the time."""
    is_blank = classes == _BLANK
    opens_word = ~is_blank & (classes != _NEWLINE)
    return np.flatnonzero(is_blank[:-2] & is_blank[1:-1] & opens_word[2:]) + 1


@cache
def _encoding() -> "tiktoken.Encoding":
    import tiktoken

    ranks = {token: rank for rank, token in enumerate(_tokens())}
    return tiktoken.Encoding("o200k_base", pat_str=_WORDS, mergeable_ranks=ranks, special_tokens={})


@cache
def _token_sizes() -> NDArray[np.uint8]:
    """Bytes of each token."""
    return np.array([len(token) for token in _tokens()], np.uint8)


def _tokens() -> list[bytes]:
    """The tokens of o200k_base in order of rank."""
    package = importlib.util.find_spec("bpe_openai")  # only its data is read: importing it loads 70 MB
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("the o200k_base ranks are missing; pip install 'bpe-openai>=0.1.4'")
    file = Path(package.submodule_search_locations[0]) / "data" / "o200k_base.tiktoken.gz"
    content = decompress(file.read_bytes())
    if (found := hashlib.sha256(content).hexdigest()) != RANKS_SHA256:
        raise RuntimeError(
            f"{file} holds ranks with SHA-256 {found}, o200k_base has {RANKS_SHA256}: counts would be wrong; "
            "reinstall bpe-openai"
        )
    return [a2b_base64(token) for token in content.split()[::2]]  # lines of "base64 rank", from rank 0 up
