"""Sentences by rule, offset-exact and in linear time."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from chunkfit import graphemes
from chunkfit.engines.abbreviations import Abbreviations, abbreviations
from chunkfit.engines.language import detect_language
from chunkfit.engines.lines import line_boundaries, whole_lines
from chunkfit.model import Span

# What may follow a stop and still belongs to its sentence: quotes, brackets, emphasis, footnote marks.
_FOOTNOTE = r"""(?:(?<=[^\W\d_]{3}[.!?])|(?<=["'”’)][.!?])|(?<=[.!?]["'”’)]))\d{1,3}(?=\s)"""
_CLOSERS = rf"""(?P<closers>(?:["'”’»«)\]}}›*_¹²³⁰⁴-⁹]|\[\^?\d{{1,3}}\]|{_FOOTNOTE})*+)"""
_STOP = re.compile(rf"(?P<marks>[.!?…]++){_CLOSERS}")
# Scripts that write their own stop need no blank behind it.
_FULL_STOP = re.compile(r"""[。！？｡।॥۔؟։።፧။។]++[!?！？]*+["'”’»)\]」』】）〉》〕]*+\s*""")
_BLANKS = re.compile(r"\s*")
_STRAY_CLOSERS = re.compile(r"""["'”’»)\]]++(?=\s|$)\s*""")
_OPENING = re.compile(r"""["'“”‘’„«»‹(\[{¿¡*_—–-]*\s?""")
_WORD_AHEAD = re.compile(r"[^\W\d_]+(?!\.)")
_ROMAN = re.compile(r"[IVXLC]+\b")
_WORD_BEHIND = re.compile(r"[^\W_]+(?:[.-][^\W_]+)*$")
_DOTTED = re.compile(r"[^\W\d_]{1,2}(?:[.-][^\W\d_]{1,2})+")
_LABEL = re.compile(
    r"[\n\r\v\f\x85\u2028\u2029][ \t\u00a0>|#*•-]*\(?(?:(?P<number>\d{1,3}(?:\.\d{1,3})*)|[a-zA-Z]|[ivxlIVXL]+)$"
)
_INITIALS_THEN_NAME = re.compile(r"\s(?:[^\W\d_]\.\s?){0,3}(?P<name>[^\W\d_][^\W\d_'’-]+)")

LOOK_BEHIND = 32
"""Code points before a stop that are read for its word; longer words are no abbreviations."""


@dataclass(frozen=True)
class RuleSegmenter:
    """Sentences that tile the text, from stops, line layout and abbreviations; each owns the blanks behind it.

    The abbreviations are those of `language`, or of the language detected in the text: pySBD's lists (22 languages)
    and our own. pySBD itself is not run: it needs 20 times as long and hands back rewritten strings, not offsets.
    A blank line always ends a sentence, a line break where the line was not wrapped there. No boundary falls inside
    a heading, a table row or a grapheme. Linear in the text, whatever it holds.
    """

    language: str | None = None

    @property
    def id(self) -> str:
        from importlib.metadata import version

        return f"rules/2 abbreviations=pysbd-{version('pysbd')} language={self.language or 'detected'}"

    def sentences(self, text: str) -> tuple[Span, ...]:
        """() for an empty text; a blank text is one span."""
        known = abbreviations(self.language or detect_language(text))
        stops = {*_full_stops(text), *_stops(text, known)}
        return tiled(text, {*line_boundaries(text), *outside(whole_lines(text), stops)})


def tiled(text: str, boundaries: Iterable[int]) -> tuple[Span, ...]:
    """The sentences between boundaries, less those inside a grapheme or before the first visible character."""
    first = _skip(_BLANKS, text, 0)
    inner = (offset for offset in sorted({*boundaries}) if first < offset < len(text))
    edges = [0, *(offset for offset in inner if graphemes.floor(text, offset) == offset), len(text)]
    return tuple(Span(start, end) for start, end in pairwise(edges) if end > start)


def outside(stretches: Iterable[tuple[int, int]], offsets: Iterable[int]) -> Iterator[int]:
    """The offsets that lie inside none of the stretches, which come in order."""
    starts, ends = [0], [0]
    for start, end in stretches:
        starts.append(start)
        ends.append(end)
    return (offset for offset in offsets if offset >= ends[bisect_left(starts, offset) - 1])


def _full_stops(text: str) -> Iterator[int]:
    for match in _FULL_STOP.finditer(text):
        yield match.end()


def _stops(text: str, known: Abbreviations) -> Iterator[int]:
    for match in _STOP.finditer(text):
        if _ends_sentence(text, match, known):
            boundary = _skip(_BLANKS, text, match.end())
            stray = _STRAY_CLOSERS.match(text, boundary)  # French sets a blank before », tokenised text before ''
            yield stray.end() if stray else boundary


def _ends_sentence(text: str, match: re.Match[str], known: Abbreviations) -> bool:
    marks, start, end = match["marks"], match.start(), match.end()
    if end == len(text):
        return False  # there the text ends anyway
    if not text[end].isspace():
        return start > 0 and _is_ideographic(text[start - 1]) and _is_ideographic(text[end])
    ahead = _skip(_OPENING, text, _skip(_BLANKS, text, end))
    following = text[ahead : ahead + 1]
    if following and following in ",;:":
        return False  # tokenised text: "etc . , as"
    if "!" in marks or "?" in marks:
        return not (following.islower() and match["closers"])  # "Why?" he asked.
    if len(marks) > 1 or marks == "…":
        return not following.islower()
    # The beginning of the text counts as a line break: labels stand behind one.
    behind = ("" if start > LOOK_BEHIND else "\n") + text[max(0, start - LOOK_BEHIND) : start]
    word = _WORD_BEHIND.search(behind)
    if word is None:
        return not following.islower()
    label = _LABEL.search(behind)
    if label is not None and (label["number"] or _WORD_AHEAD.match(text, ahead)):
        return False  # "3. Scope" is one sentence
    return _word_ends_sentence(word[0], text, end, ahead, known)


def _word_ends_sentence(word: str, text: str, end: int, ahead: int, known: Abbreviations) -> bool:
    """Whether `word` with a full stop ends a sentence; blanks start at `end`, the next word or number at `ahead`."""
    lowered, following = word.lower(), text[ahead : ahead + 1]
    if lowered in known.never_final:
        return False
    if lowered in known.before_numbers and (following.isdigit() or following == "§" or _ROMAN.match(text, ahead)):
        return False
    if len(word) == 1 and word.isupper():
        return not _is_initial(text, end, known)
    if _DOTTED.fullmatch(word):
        return following.isupper() and (lowered in ("a.m", "p.m") or _opens_sentence(text, ahead, known))
    if known.ordinal_stop and word.isdigit() and len(word) <= 2 and following.isalpha():
        return _opens_sentence(text, ahead, known)
    if lowered in known.known:
        return not (following.islower() or following.isdigit())
    if following.islower():  # careless writing, or an abbreviation that nobody listed: those are short
        return len(word) >= 4 and word == lowered
    return True


def _is_initial(text: str, end: int, known: Abbreviations) -> bool:
    """Whether the capital before `end` abbreviates a name: "J. R. Tolkien", "Article L. 123", not "vitamin C. The"."""
    match = _INITIALS_THEN_NAME.match(text, end)
    if match is None:
        return text[end + 1 : end + 2].isdigit()
    return match["name"].lower() not in known.openers


def _opens_sentence(text: str, ahead: int, known: Abbreviations) -> bool:
    match = _WORD_AHEAD.match(text, ahead)
    return match is not None and match[0].lower() in known.openers


def _is_ideographic(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"


def _skip(optional: re.Pattern[str], text: str, start: int) -> int:
    """Where a pattern that also matches nothing ends."""
    match = optional.match(text, start)
    assert match is not None
    return match.end()
