"""Questions with the places of their answers."""

from dataclasses import dataclass

from chunkfit.model import Span


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question and where one document answers it. Raises ValueError for empty, overlapping or unsorted references."""

    text: str
    document: str  # its name
    references: tuple[Span, ...]  # code points of the document's text, in order, apart from one another
    id: str = ""
    source: str = ""  # who asked: a file, a model

    def __post_init__(self) -> None:
        if not self.references:
            raise ValueError(
                f"the question {self.text[:60]!r} has no references; leave it out, or say where the answer is"
            )
        edge = 0
        for span in self.references:
            if not span or span.start < edge:
                raise ValueError(
                    f"references must not be empty and must come in order, apart from one another; those of "
                    f"{self.text[:60]!r} have [{span.start}, {span.end}) behind {edge}"
                )
            edge = span.end
