"""The references of many questions as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chunkfit.model import Document
from chunkfit.retrieval.labelled import Labelled
from chunkfit.retrieval.union import per_owner


@dataclass(frozen=True, eq=False)
class References:
    """A row per stretch of text that answers a question. Those of one question share no character."""

    size: int  # questions, all of which have references
    questions: NDArray[np.int64]  # the number of the question, ascending
    documents: NDArray[np.int64]  # the number of the document
    starts: NDArray[np.int64]  # code points of that document's text
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, labelled: Sequence[Labelled], documents: Sequence[Document]) -> "References":
        """In the order of the questions; documents are numbered in their order, as in an index.

        Raises ValueError where a question is about another document, or a reference leaves its document.
        """
        number = {document.name: at for at, document in enumerate(documents)}
        rows = []
        for question, one in enumerate(labelled):
            if one.document not in number:
                raise ValueError(
                    f"the question {one.text[:60]!r} is about {one.document!r}, which is none of the "
                    f"{len(documents)} documents searched; leave it out, or search that one as well"
                )
            document = number[one.document]
            length = len(documents[document].text)
            if one.references[-1].end > length:
                raise ValueError(
                    f"the question {one.text[:60]!r} has a reference up to {one.references[-1].end}, and "
                    f"{one.document!r} has {length} code points; are they of another version of the text?"
                )
            rows += [(question, document, span.start, span.end) for span in one.references]
        return cls(len(labelled), *np.array(rows, np.int64).reshape(-1, 4).T.copy())

    @cached_property
    def characters(self) -> NDArray[np.int64]:
        """Code points of all references of each question."""
        return per_owner(self.questions, self.ends - self.starts, self.size)
