"""From what a file states to a reference of a document: the one place where texts are looked for in a document."""

import hashlib
from bisect import bisect_left

from chunkfit.errors import BadDocument
from chunkfit.model import Document, Span
from chunkfit.references.model import Annotation, Reference

_SHOWN = 40  # characters of a text in a message


def place(annotation: Annotation, document: Document) -> Reference:
    """The annotation as spans of the document's text.

    Spans have to lie in the text, in order, without overlaps. Texts are placed one after the other: each is the first
    stretch behind the one before whose characters are the same, blanks left out on both sides, since line breaks and
    indentation rarely survive copying. Nothing else is forgiven. Raises BadDocument that says which chunk does not fit.
    """
    if annotation.document != document.name:
        raise ValueError(f"these chunks are of {annotation.document!r}, the document is {document.name!r}")
    where = f"the reference chunks in {annotation.source}" if annotation.source else "the reference chunks"
    text = document.text
    if annotation.text_sha256 is not None:
        found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if found != annotation.text_sha256.lower():
            raise BadDocument(
                f"{where} were made for another text of {document.name!r}: its SHA-256 is {found}, not "
                f"{annotation.text_sha256}; look whether another parser read it, and correct the offsets"
            )
    if not annotation.spans and not annotation.texts and text.strip():
        raise BadDocument(f"{where} are none, but {document.name!r} has text; give at least one")
    try:
        spans = _placed(annotation.texts, text) if annotation.texts else _within(annotation.spans, len(text))
        return Reference(document.name, spans, annotation.annotator)
    except ValueError as error:
        raise BadDocument(f"{where} do not fit: {error}") from error


def _within(spans: tuple[Span, ...], length: int) -> tuple[Span, ...]:
    for number, span in enumerate(spans):
        if span.end > length:
            raise ValueError(f"chunk {number} is [{span.start}, {span.end}), but the text has {length} code points")
    return spans


class VisibleText:
    """A text less its blanks, and where each of its characters stands: made once, it places any number of texts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._offsets = [offset for offset, character in enumerate(text) if not character.isspace()]
        self._visible = "".join(text.split())

    def first(self, wanted: str, start: int = 0) -> Span | None:
        """The first stretch from an offset on whose characters are the wanted ones, blanks left out on both sides.

        Raises ValueError for a blank text, which stands everywhere.
        """
        sought = "".join(wanted.split())
        if not sought:
            raise ValueError("a blank text cannot be placed")
        found = self._visible.find(sought, bisect_left(self._offsets, start))
        if found < 0:
            return None
        return Span(self._offsets[found], self._offsets[found + len(sought) - 1] + 1)

    def next_visible(self, start: int) -> int:
        """Where the first visible character from an offset on stands; the length of the text where there is none."""
        at = bisect_left(self._offsets, start)
        return self._offsets[at] if at < len(self._offsets) else len(self.text)


def _placed(texts: tuple[str, ...], text: str) -> tuple[Span, ...]:
    visible = VisibleText(text)
    spans = []
    reached = 0
    for number, wanted in enumerate(texts):
        if not wanted.strip():
            raise ValueError(f"chunk {number} is blank; leave it out")
        span = visible.first(wanted, reached)
        if span is None:
            raise ValueError(_missing(number, wanted, visible, reached))
        reached = span.end
        spans.append(span)
    return tuple(spans)


def _missing(number: int, wanted: str, visible: VisibleText, reached: int) -> str:
    text, begins, elsewhere = visible.text, visible.next_visible(reached), visible.first(wanted)
    found = f"chunk {number} {beginning(wanted)} is not in the text from offset {begins} on"
    found += f", where it goes on with {beginning(text[begins:])}" if begins < len(text) else ", where it ends"
    if elsewhere is not None:
        return f"{found}; it stands earlier, at offset {elsewhere.start}: chunks come in order and do not overlap"
    return f"{found}; copy it from the parsed text, word for word"


def beginning(text: str) -> str:
    """How a text begins, in quotes and on one line, for a message."""
    shown = " ".join(text[: 4 * _SHOWN].split())
    return repr(shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…")
