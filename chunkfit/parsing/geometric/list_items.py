"""Markers that open a list item: bullets, numbers and letters."""

import re
from dataclasses import dataclass

from chunkfit.parsing.geometric.lines import Line

# Symbol fonts put their bullets into the private use area.
_BULLET = re.compile(r"^([•‣◦⁃∙▪▫●○■□◆◇►▶▸▹➢➤→✓✔✗✘·*–—\-\u2212\ue000-\uf8ff])(?:\s+|$)")
_ORDINAL = re.compile(
    r"^(?P<open>[(\[]?)(?:(?P<dotted>\d{1,3}(?:\.\d{1,3})+)|(?P<number>\d{1,3})|(?P<roman>[ivxl]{2,5})|(?P<letter>[A-Za-z]))"
    r"(?P<close>[.)\]]?)(?:\s+|$)"
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_PRIVATE_USE = "\ue000"
_WEAK = {"A.", "a.", "i."}  # may as well be an initial or an abbreviation


@dataclass(frozen=True, slots=True)
class Marker:
    """A list marker and what it counts."""

    text: str
    kind: str  # "•", or the shape of the ordinal: "1.", "(a)", "1.1"
    ordinal: int | None  # None: bullets, dotted numbers
    length: int  # characters of the line's text, following blanks included
    text_left: float | None  # where the item's text begins, if it was drawn apart from the marker

    @property
    def plain(self) -> str:
        """The marker as it is written; a bullet from a symbol font becomes a common one."""
        return "•" if self.kind == "•" and self.text >= _PRIVATE_USE else self.text

    @property
    def weak(self) -> bool:
        """Whether it takes a second item to believe in the list."""
        return self.kind in _WEAK

    def follows(self, last: int | None) -> bool:
        """Whether it begins a list or counts on from `last`."""
        return self.ordinal is None or self.ordinal == 1 or (last is not None and self.ordinal == last + 1)


def marker_of(line: Line) -> Marker | None:
    """The marker at the start of a line, None where there is none or nothing but a number in the text."""
    text = line.text
    # A marker drawn as a run of its own tells where the text begins.
    first = line.runs[0] if line.rightward else line.runs[-1]
    apart = len(line.runs) > 1
    text_left = line.runs[1].box.left if apart and line.rightward else None
    if bullet := _BULLET.match(text):
        return Marker(bullet[1], "•", None, bullet.end(), text_left if first.text.strip() == bullet[1] else None)
    match = _ORDINAL.match(text)
    if match is None:
        return None
    opening, closing = match["open"], match["close"]
    if match["dotted"]:
        return Marker(match[0].strip(), "1.1", None, match.end(), None) if opening in ("", closing) else None
    if not closing or (opening == "[") != (closing == "]"):
        return None
    kind, ordinal = _kind(match)
    alone = first.text.strip() == match[0].strip()
    return Marker(match[0].strip(), f"{opening}{kind}{closing}", ordinal, match.end(), text_left if alone else None)


def _kind(match: re.Match[str]) -> tuple[str, int]:
    if match["number"]:
        return "1", int(match["number"])
    if match["roman"]:
        values = [_ROMAN[letter] for letter in match["roman"]]
        return "i", sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))
    letter = match["letter"]
    return ("A" if letter.isupper() else "a"), ord(letter.lower()) - ord("a") + 1
