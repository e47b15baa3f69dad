"""From what a file states to questions with the places of their answers."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import PurePath

from chunkfit.model import Document, Span
from chunkfit.questions.model import Placed, StatedQuestion, StatedReference, Unplaced
from chunkfit.references.placing import VisibleText, beginning
from chunkfit.retrieval import Labelled


def place_questions(questions: Iterable[StatedQuestion], documents: Iterable[Document]) -> Placed:
    """Each question with the spans of its document that answer it, or with the reason why they are not known.

    A document goes by its name, or by its name less the suffix where only one has that. A verbatim text has to stand in
    the document, blanks left out on both sides, exactly once: which of several is meant nobody knows. A span has to
    hold visible text, and where a text is given as well, that text. References that overlap are merged. Where one
    reference of a question does not fit, the question is unplaced: to look for half its answer would flatter.
    """
    catalogue = _Catalogue(documents)
    labelled, answers, unplaced = [], [], []
    for question in questions:
        try:
            document = catalogue.document(question.document)
            references = _spans(question.references, catalogue.visible(document))
        except ValueError as error:
            unplaced.append(Unplaced(question, str(error)))
        else:
            labelled.append(Labelled(question.text, document.name, references, question.id, question.source))
            answers.append(question.answer)
    return Placed(tuple(labelled), tuple(answers), tuple(unplaced))


class NotInText(ValueError):  # noqa: N818 - says what it is
    """A text that the document does not have."""


class NotUnique(ValueError):  # noqa: N818
    """A text that the document has more than once."""


def the_only(wanted: str, visible: VisibleText) -> Span:
    """Where a text stands, blanks left out on both sides. Raises NotInText and NotUnique."""
    found = visible.first(wanted)
    if found is None:
        raise NotInText(f"{beginning(wanted)} is not in the text; copy it word for word")
    again = visible.first(wanted, found.start + 1)
    if again is not None:
        raise NotUnique(
            f"{beginning(wanted)} stands more than once in the text, at {found.start} and at {again.start}; quote more "
            "of it"
        )
    return found


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order of their starts, those that overlap as one; neighbours that only touch stay two."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


class _Catalogue:
    """Documents by name, and their visible texts, each made once."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._by_name = {document.name: document for document in documents}
        self._by_stem: dict[str, list[Document]] = {}
        for document in self._by_name.values():
            self._by_stem.setdefault(_stem(document.name), []).append(document)
        self._visible: dict[str, VisibleText] = {}

    def document(self, name: str) -> Document:
        if name in self._by_name:
            return self._by_name[name]
        candidates = self._by_stem.get(name, [])
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise ValueError(f"{name!r} may be {' or '.join(repr(one.name) for one in candidates)}; give its full name")
        near = get_close_matches(name, [*self._by_name, *self._by_stem], n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {len(self._by_name)} others"
        raise ValueError(f"there is no document {name!r}; {hint}")

    def visible(self, document: Document) -> VisibleText:
        if document.name not in self._visible:
            self._visible[document.name] = VisibleText(document.text)
        return self._visible[document.name]


def _stem(name: str) -> str:
    return PurePath(name).stem


def _spans(references: Sequence[StatedReference], visible: VisibleText) -> tuple[Span, ...]:
    if not references:
        raise ValueError("it has no references; say where the answer is")
    found = []
    for number, reference in enumerate(references):
        try:
            found.append(_span(reference, visible))
        except ValueError as error:
            raise ValueError(f"reference {number}: {error}") from error
    return merged(found)


def _span(reference: StatedReference, visible: VisibleText) -> Span:
    if reference.span is None:
        assert reference.text is not None
        return the_only(reference.text, visible)
    span, length = reference.span, len(visible.text)
    if span.end > length:
        raise ValueError(f"[{span.start}, {span.end}) leaves the text, which has {length} code points")
    there = span.of(visible.text)
    if not there.strip():
        raise ValueError(f"[{span.start}, {span.end}) holds nothing but blanks")
    if reference.text is not None and "".join(there.split()) != "".join(reference.text.split()):
        elsewhere = visible.first(reference.text)
        where = "which is nowhere in it" if elsewhere is None else f"which stands at {elsewhere.start}"
        raise ValueError(
            f"[{span.start}, {span.end}) holds {beginning(there)} and not {beginning(reference.text)}, {where}; "
            "correct offsets of another text or in bytes, or leave them out to have the text looked for"
        )
    return span
