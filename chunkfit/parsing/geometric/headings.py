"""Which paragraphs are headings, and how headings rank."""

import re
from collections.abc import Iterable

from chunkfit.parsing.geometric.paragraphs import Paragraph, ends_sentence
from chunkfit.parsing.geometric.regions import Look
from chunkfit.parsing.geometric.survey import Survey

_LARGER = 1.12  # times the body size
_MUCH_LARGER = 1.5
_NOT_SMALLER = 0.93
_MAX_LINES = 3
_LARGE = 1.3  # times the body size
_MAX_LINES_LARGE = 6  # a title in large type, perhaps in a narrow column
_MAX_CHARACTERS = 250
_MAX_WORDS_BOLD = 18
_MAX_WORDS_CAPITALS = 10
_ROOM_ABOVE = 1.12  # usual line distances
_SAME_SIZE = 0.04  # relative
_NUMBERING = re.compile(r"^(?:[A-Z]\.)?(\d{1,3}(?:\.\d{1,3})*)\.?\s+\S")
_PART = re.compile(
    r"^(?:chapter|part|section|appendix|annex|kapitel|teil|chapitre|partie|capítulo|capitolo)\s+\w+\b", re.I
)
_LEADERS = re.compile(r"(?:\. ?){4}")  # an entry of a table of contents
_MAX_LEVEL = 6


def heading_look(paragraph: Paragraph, text: str, known: Survey, follows_heading: bool) -> Look | None:
    """The look of a heading, None where the paragraph is none.

    A heading is short, has letters, and is set larger than the body; or bold (or in capitals) with room above, and then
    not a sentence, not a label with a colon, not the continuation of something. The size alone decides nothing: twelve
    points are body text in one document and a heading in another.
    """
    letters = sum(map(str.isalpha, text))
    ratio = paragraph.size / known.body_size
    most_lines = _MAX_LINES_LARGE if ratio >= _LARGE else _MAX_LINES
    if len(paragraph.lines) > most_lines or len(text) > _MAX_CHARACTERS or letters < 2:
        return None
    sentence = ends_sentence(text) and not text.endswith(("?", "!"))
    words = len(text.split())
    look = Look(paragraph.size, paragraph.bold, numbering_depth(text))
    if letters < 0.3 * len(text.replace(" ", "")) or _LEADERS.search(text):
        return None
    if ratio >= _MUCH_LARGER or (ratio >= _LARGER and paragraph.bold):
        return look if not (sentence and words > 12) else None
    if ratio >= _LARGER:
        return look if not sentence and words <= 25 and not text[:1].islower() else None
    if ratio < _NOT_SMALLER or sentence or text[:1].islower():
        return None
    apart = paragraph.gap >= _ROOM_ABOVE or follows_heading
    bold = paragraph.bold and not known.body_bold
    capitals = text.isupper() and letters >= 4
    if not apart or not (bold or capitals):
        return None
    return look if words <= (_MAX_WORDS_BOLD if bold else _MAX_WORDS_CAPITALS) else None


def numbering_depth(text: str) -> int:
    """2 for `3.1 Scope`, 1 for `3 Scope` and `Chapter 3`, 0 without a number."""
    if match := _NUMBERING.match(text):
        return match[1].count(".") + 1
    return 1 if _PART.match(text) else 0


def heading_levels(looks: Iterable[Look]) -> dict[Look, int]:
    """Rank the looks of one document's headings from 1 on: by size, then weight, then depth of the numbering.

    Sizes within 4 % are one size. A heading without a number ranks with the highest numbered ones of its
    size and weight.
    """
    distinct = sorted(set(looks), key=lambda look: -look.size)
    styles: dict[Look, tuple[float, bool]] = {}
    largest = 0.0
    for look in distinct:
        if largest == 0.0 or look.size < largest * (1 - _SAME_SIZE):
            largest = look.size
        styles[look] = (-largest, not look.bold)
    shallowest: dict[tuple[float, bool], int] = {}
    for look, style in styles.items():
        if look.depth:
            shallowest[style] = min(shallowest.get(style, look.depth), look.depth)
    ranks = {look: (*style, look.depth or shallowest.get(style, 0)) for look, style in styles.items()}
    order = sorted(set(ranks.values()))
    return {look: min(order.index(rank) + 1, _MAX_LEVEL) for look, rank in ranks.items()}
