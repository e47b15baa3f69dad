"""Where the words of a text are, for lexical search."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from chunkfit.evidence import Evidence

# Scripts that put no blanks between words. The extensions hold signs shared by two scripts: the long mark of kana.
_UNSPACED = "".join(
    rf"\p{{scx={script}}}" for script in ("Han", "Hira", "Kana", "Bopo", "Hang", "Thai", "Laoo", "Khmr", "Mymr")
)
# Marks belong to the letter before them; alone, as within emoji, they and joiners are no word. Digits are of no script.
_WORD = regex.compile(
    rf"(?V1)([\p{{L}}&&[{_UNSPACED}]][[\p{{L}}\p{{M}}]&&[{_UNSPACED}]]*)"
    rf"|[\w--[\p{{M}}\p{{Join_Control}}]--[\p{{L}}&&[{_UNSPACED}]]][\w--[\p{{L}}&&[{_UNSPACED}]]]*"
)


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one text in order. Neither their starts nor their ends ever go back."""

    vocabulary: Mapping[str, int]  # the number of each distinct word
    numbers: NDArray[np.int32]  # [words]
    starts: NDArray[np.int32]  # code points
    ends: NDArray[np.int32]


def words(evidence: Evidence) -> Words:
    """The words of a document: `evidence.once(words)` finds them once for all its chunkings."""
    return words_of(evidence.document.text)


def words_of(text: str) -> Words:
    """Runs of Unicode letters, marks, digits and underscores, in lower case and otherwise as they stand.

    No stemming, no stop words, no normalisation. Scripts without blanks between words (Chinese, Japanese, Thai, Lao,
    Khmer, Burmese; Korean with its long inflected words as well) give every two neighbouring characters, and a
    character alone where it has no neighbour, as Lucene's CJKAnalyzer does.
    """
    vocabulary: dict[str, int] = {}
    found = [(vocabulary.setdefault(word, len(vocabulary)), start, end) for word, start, end in _occurrences(text)]
    numbers, starts, ends = np.array(found, np.int32).reshape(-1, 3).T.copy()
    return Words(vocabulary, numbers, starts, ends)


def terms(text: str) -> tuple[str, ...]:
    """The words of a query in order, repeated ones repeated."""
    return tuple(word for word, _, _ in _occurrences(text))


def _occurrences(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _WORD.finditer(text):
        start, end = match.span()
        if match.lastindex is None or end == start + 1:
            yield match[0].lower(), start, end
        else:
            for first in range(start, end - 1):
                yield text[first : first + 2], first, first + 2
