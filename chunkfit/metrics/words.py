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
    ends: Offsets
    numbers: NDArray[np.int64]  # of each word in the vocabulary
    vocabulary: tuple[str, ...]  # in order of first occurrence


def words(evidence: Evidence) -> Words:
    """The words of a document, made once."""
    return evidence.once(_words)


def _words(evidence: Evidence) -> Words:
    found = list(_WORD.finditer(evidence.document.text))
    spans = np.array([match.span() for match in found], np.int64).reshape(-1, 2)
    number: dict[str, int] = {}
    numbers = [number.setdefault(match[0].lower(), len(number)) for match in found]  # lower case may change the length
    return Words(spans[:, 0], spans[:, 1], np.array(numbers, np.int64), tuple(number))
