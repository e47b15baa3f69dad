"""From headings to titles: what each heading governs."""

from collections.abc import Sequence
from dataclasses import dataclass

from chunkfit.model import Span, Title


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading where it stands in the text; `span` covers its markup, `level` 1 is the highest."""

    text: str
    level: int
    span: Span


def titles(headings: Sequence[Heading], length: int) -> tuple[Title, ...]:
    """Each heading with the text it governs: up to the next heading of the same or a higher level, or the end.

    `headings` come in order of their starts, in a text of `length` code points. A level may be skipped: `#`, `###`,
    `##` makes both others children of the first.
    """
    ends = [length] * len(headings)
    open_headings: list[int] = []  # indices, levels rising
    for index, heading in enumerate(headings):
        while open_headings and headings[open_headings[-1]].level >= heading.level:
            ends[open_headings.pop()] = heading.span.start
        open_headings.append(index)
    return tuple(
        Title(heading.text, heading.level, heading.span, Span(heading.span.start, end))
        for heading, end in zip(headings, ends, strict=True)
    )
