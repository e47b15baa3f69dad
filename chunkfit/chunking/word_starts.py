"""Where a text may be cut without tearing a word, in writing with and without blanks between words."""

import numpy as np
import regex
from numpy.typing import NDArray

_UNSPACED = (
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
    r"\u3001-\u303f\uff01-\uff65"  # CJK stops and brackets
)
_STICKY = r"\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}"
# Behind a blank; or behind a character of a script without blanks, unless it opens a bracket or a stop follows.
_START = regex.compile(
    rf"(?<=\s)[^\s{_STICKY}]|(?<=[{_UNSPACED}--\p{{Ps}}--\p{{Pi}}])[^\s{_STICKY}\p{{Pe}}\p{{Pf}}\p{{Po}}\p{{Lm}}]",
    regex.V1,
)


def word_starts(text: str) -> NDArray[np.int64]:
    """Offsets, in order, where a word starts and may open a chunk; the start of the text is none of them.

    A word starts behind a blank or a line end, which stay with what is before them. In scripts without blanks each
    character counts as one, but closing brackets and stops, which stay with what is before them as well. Every such
    offset is a boundary of graphemes.
    """
    return np.fromiter((match.start() for match in _START.finditer(text)), np.int64)
