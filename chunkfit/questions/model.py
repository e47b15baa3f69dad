"""The nouns of questions. Offsets are code points of the document's text, half-open."""

from dataclasses import dataclass

from chunkfit.model import Span
from chunkfit.retrieval import Labelled


@dataclass(frozen=True, slots=True)
class StatedReference:
    """Where a file says that an answer is: a span, a verbatim text, or both, which then have to agree."""

    span: Span | None = None
    text: str | None = None

    def __post_init__(self) -> None:
        if self.span is None and self.text is None:
            raise ValueError("a reference needs a span or a text")


@dataclass(frozen=True, slots=True)
class StatedQuestion:
    """A question as a file states it, not yet held against the document."""

    text: str
    document: str  # name of the document, with or without its suffix
    references: tuple[StatedReference, ...]
    answer: str = ""  # the reference answer
    id: str = ""
    source: str = ""  # who asked; the file's name where it does not say
    rows: tuple[int, ...] = ()  # of the file, as it is shown elsewhere: the header of a CSV file is row 1


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A question that takes no part, and why."""

    question: StatedQuestion
    reason: str  # what was wrong and what to do


@dataclass(frozen=True, slots=True)
class Placed:
    """The questions of a file held against the documents. Together the two lists hold each question once, in order."""

    labelled: tuple[Labelled, ...]
    answers: tuple[str, ...]  # the reference answer of each labelled question, "" where the file has none
    unplaced: tuple[Unplaced, ...]
