"""The nouns of the comparison with chunks made by people. Offsets are code points, half-open."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from chunkfit.model import Span

Better = Literal["higher", "lower"]

NO_CUTS, ALL_CUTS, EVEN_CUTS, SHUFFLED_LENGTHS = "no cuts", "all cuts", "even cuts", "shuffled lengths"
CHANCES = (NO_CUTS, ALL_CUTS, EVEN_CUTS, SHUFFLED_LENGTHS)
"""What each measure is compared with: the document in one piece; every sentence a chunk; as many chunks as the method
made, of equal length; the method's own lengths in random order."""

MEASURES: Mapping[str, Better] = {
    "word_iou": "higher",
    "span_iou_reference": "higher",
    "span_iou_chunks": "higher",
    "boundary_precision": "higher",
    "boundary_recall": "higher",
    "boundary_f1": "higher",
    "pk": "lower",
    "window_diff": "lower",
    "boundary_similarity": "higher",
}
"""Every measure in the order in which it is shown, and which way is better: Pk and WindowDiff count errors."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's chunks of one document as a file states them: spans or texts, not yet held against the document."""

    document: str  # name of the document
    spans: tuple[Span, ...] = ()
    texts: tuple[str, ...] = ()
    annotator: str = ""  # who cut, where several people did
    text_sha256: str | None = None  # of the text that was cut, as UTF-8
    source: str = ""  # the file

    def __post_init__(self) -> None:
        if self.spans and self.texts:
            raise ValueError(f"the chunks of {self.document!r} must be all spans or all texts, got both")


@dataclass(frozen=True, slots=True)
class Reference:
    """One person's chunks of one document. Raises ValueError where they are empty, out of order or overlap.

    What they leave out is text that nobody judged: it takes no part in any measure.
    """

    document: str
    spans: tuple[Span, ...]
    annotator: str = ""

    def __post_init__(self) -> None:
        for number, span in enumerate(self.spans):
            if not span:
                raise ValueError(f"reference chunk {number} of {self.document!r} is empty, at {span.start}")
        for number, (before, span) in enumerate(pairwise(self.spans), start=1):
            if span.start < before.end:
                raise ValueError(
                    f"reference chunk {number} of {self.document!r} starts at {span.start}, but chunk {number - 1} "
                    f"ends at {before.end}; reference chunks come in order and do not overlap"
                )


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of one chunking against one or more people's chunks: a value in [0, 1], or None with the reason."""

    value: float | None  # mean over the annotators
    better: Better
    reason: str | None = None
    best: float | None = None  # against the annotator that it agrees with most
    chance: Mapping[str, float] = field(default_factory=dict)  # by name of the chance level; those that have a value

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("a measure without a value needs a reason")
        for value in (self.value, self.best, *self.chance.values()):
            if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
                raise ValueError(f"a measure must lie in [0, 1], got {value}")

    def gain(self, chance: str = SHUFFLED_LENGTHS) -> float | None:
        """How much better than a chance level, above 0 where it is better; None where either value is missing."""
        if self.value is None or chance not in self.chance:
            return None
        return (self.value - self.chance[chance]) * (1 if self.better == "higher" else -1)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One method's chunks of one document beside those made by people."""

    document: str
    method: str
    measures: Mapping[str, Measure]  # in the order of MEASURES
    tolerance: int  # judged characters that matching boundaries may lie apart
    annotators: int = 1
    dropped: float = 0.0  # share of the judged characters that is in no chunk
    repeated: float = 0.0  # characters that are in a further chunk, as a share of the judged ones; may exceed 1
