"""Texts cut into passages that any segmenter can take, whatever the length and layout of the document.

Every library has a limit: spaCy's parser needs memory with the text, pySBD's time grows with its square or worse, and
all of them take the line breaks of a wrapped paragraph for something. So layout is ours to read: blank lines, and line
breaks made on purpose, end a sentence, and headings and table rows stay whole, by the same rules for every segmenter.
The library decides about what is left, paragraph by paragraph.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from chunkfit.engines.lines import LINE_BREAK, line_boundaries, paragraph_starts, whole_lines
from chunkfit.engines.sentences import outside, tiled
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.model import Span

Find = Callable[[Sequence[str]], Sequence[Iterable[int]]]
"""For each passage the offsets in it at which sentences start or the one before ends, in any order."""

_BREAK = re.compile(rf"(?:{LINE_BREAK}|\f)\s*")
_BLANKS = re.compile(r"\s*")


def segmented(text: str, find: Find, *, longest: int) -> tuple[Span, ...]:
    """Sentences that tile the text, each with the blanks behind it, found passage by passage.

    `find` is given paragraphs of at most `longest` code points, none of them blank, in lists: characters keep their
    places, wrapped lines are joined by blanks, line breaks made on purpose are `\\n`, lone surrogates U+FFFD. A longer
    paragraph is read in windows, cut at a line or a blank. The last sentence of a window may go on behind it, so the
    next window starts with it again, or, where it fills half the window, behind it and without a boundary between.
    No code point is read more than twice.
    """
    lines = [*line_boundaries(text)]
    readable = _readable(text, lines)
    paragraphs = pairwise([0, *paragraph_starts(text), len(text)])
    waiting = [*paragraphs]
    found: list[int] = []
    while waiting := [(start, end) for start, end in _from_visible(readable, waiting) if start < end]:
        windows = [(start, _window_end(readable, start, end, lines, longest), end) for start, end in waiting]
        answers = find([readable[start:cut] for start, cut, _ in windows])
        waiting = []
        for (start, cut, end), answer in zip(windows, answers, strict=True):
            starts = sorted(start + offset for offset in answer if 0 < offset < cut - start)
            if cut < end:
                resumed = starts[-1] if starts and not _is_in(lines, cut) and starts[-1] - start >= longest / 2 else cut
                waiting.append((resumed, end))
            found += starts
    return tiled(text, {*lines, *outside(whole_lines(text), (_visible(text, offset) for offset in found))})


def _from_visible(text: str, stretches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return ((min(_visible(text, start), end), end) for start, end in stretches)


def _visible(text: str, offset: int) -> int:
    """The first offset from there on at which there is no blank."""
    match = _BLANKS.match(text, offset)
    assert match is not None
    return match.end()


def _readable(text: str, lines: Sequence[int]) -> str:
    on_purpose = {*lines}

    def same_length(match: re.Match[str]) -> str:
        return " " * (len(match[0]) - 1) + ("\n" if match.end() in on_purpose else " ")

    return without_lone_surrogates(_BREAK.sub(same_length, text))


def _window_end(text: str, start: int, end: int, lines: Sequence[int], longest: int) -> int:
    if end - start <= longest:
        return end
    line = bisect_right(lines, start + longest) - 1
    if line >= 0 and lines[line] > start:
        return lines[line]
    return text.rfind(" ", start + longest // 2, start + longest) + 1 or start + longest


def _is_in(ordered: Sequence[int], offset: int) -> bool:
    place = bisect_right(ordered, offset)
    return place > 0 and ordered[place - 1] == offset
