"""The ruler of all measures but the word sets: a document's judged characters, counted from 0.

Judged is every character that is not blank and lies in a reference chunk. On this ruler reference chunks tile the
text, blanks at a border belong to nobody, and text that a person left out moves nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.references.model import Reference
from chunkfit.spans import offsets

Offsets = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Judged:
    """One reference on its ruler."""

    length: int  # judged characters
    before: Offsets  # how many of them stand before each offset of the text, its end included
    edges: Offsets  # of the reference chunks, 0 and `length` included; [0] where nothing is judged
    sentences: Offsets  # edges of the sentences, the same way

    @property
    def boundaries(self) -> Offsets:
        """Where one reference chunk ends and the next begins."""
        return self.edges[1:-1]


def judged(reference: Reference, evidence: Evidence) -> Judged:
    """Raises ValueError where a reference chunk leaves the text: the reference belongs to another text."""
    length = len(evidence.document.text)
    if reference.spans and reference.spans[-1].end > length:
        raise ValueError(
            f"a reference chunk of {reference.document!r} ends at {reference.spans[-1].end}, but the text has {length} "
            "code points; compare with the text that the reference was made for"
        )
    starts, ends = offsets(reference.spans)
    inside = np.zeros(length + 1, np.int64)
    inside[starts] += 1
    np.subtract.at(inside, ends, 1)  # an end may be the next one's start
    visible = np.diff(evidence.visible_before)
    before = np.concatenate([[0], np.cumsum(visible * np.cumsum(inside)[:-1])])
    sentences = np.array([0, *(span.end for span in evidence.sentences)], np.int64)
    return Judged(
        length=int(before[-1]),
        before=before,
        edges=np.unique([0, *before[ends]]),
        sentences=np.unique([0, *before[sentences], before[-1]]),
    )
