"""A text with one kind of line end, and the way back to the offsets of the text as it is."""

import re
from bisect import bisect_left

_LINE_END = re.compile(r"\r\n?")


class Unified:
    """`text` has a \\n for each \\r\\n and \\r of the original, so that `^` and `$` mean what a reader sees."""

    def __init__(self, original: str) -> None:
        self.text = _LINE_END.sub("\n", original)
        pairs = (match.start() for match in re.finditer("\r\n", original))
        self._shortened = [start - before for before, start in enumerate(pairs)]  # offsets here of what was a CRLF

    def original(self, offset: int) -> int:
        """The offset in the original of an offset in `text`; never one inside a CRLF."""
        return offset + bisect_left(self._shortened, offset)
