"""The words of a text, numbered: what lexical measures count."""

from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.metrics.edges import Offsets

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"(?V1)[[\p{{L}}\p{{N}}]&&[{_UNSPACED}]]\p{{M}}*+"
    rf"|[[\p{{L}}\p{{N}}]--[{_UNSPACED}]][[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]*+"
)


@dataclass(frozen=True, eq=False)
class Words:
    """Runs of letters and digits with their marks, in lower case, in order.

    Scripts that put no blanks between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) count by the letter.
    """

    starts: Offsets  # code points
    numbers: NDArray[np.int64]  # of each word in the vocabulary
    vocabulary: tuple[str, ...]  # in order of first occurrence


def words(evidence: Evidence) -> Words:
    """The words of a document, made once."""
    return evidence.once(_words)


def _words(evidence: Evidence) -> Words:
    number: dict[str, int] = {}
    starts, numbers = [], []
    for match in _WORD.finditer(evidence.document.text):
        starts.append(match.start())
        numbers.append(number.setdefault(match[0].lower(), len(number)))
    return Words(np.array(starts, np.int64), np.array(numbers, np.int64), tuple(number))
