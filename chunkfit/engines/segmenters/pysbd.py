"""Sentences by pySBD's rules, realigned to the text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunkfit.engines.language import detect_language
from chunkfit.engines.protocols import Segmenter
from chunkfit.engines.registry import EngineContext, segmenters
from chunkfit.engines.segmenters.passages import segmented
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.model import Span

LONGEST = 2_000
"""Code points that pySBD is given at once: several of its rules take time with the square of them."""

MOST_LABELS = 24
"""Labels such as "a)" in one passage: pySBD's rules for lists repeat all their work, and lines, for each of them."""

_LABEL = re.compile(r"(?:(?<=[\s(])|\A)(?:[a-zA-Z]{1,5}\)|[a-z]\.|\d{1,2}[.)])")


@dataclass(frozen=True)
class PysbdSegmenter:
    """Sentences as pySBD finds them in each paragraph; layout is read as by the rule segmenter.

    In the given language, or in the one that the text is detected to be in: English and 22 others, of which Burmese is
    not detected. A text in another language, or in none that is recognised, is read by `RuleSegmenter`, and so is a
    passage on which pySBD fails, which it gives back altered other than in its blanks, or which holds more labels of
    a list than it can read in reasonable time. Raises ValueError where `language` is given and pySBD lacks it.

    pySBD gives strings, and its own search for their offsets loses sentences that repeat. Here the visible characters
    of its sentences are counted off along the text.
    """

    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None and self.language not in _languages():
            raise ValueError(
                f"pySBD has no rules for the language {self.language!r}; choose one of "
                f"{', '.join(_languages())}, or give none to have it detected"
            )

    @property
    def id(self) -> str:
        from importlib.metadata import version

        rest = RuleSegmenter(self.language).id
        return f"pysbd/1 pysbd-{version('pysbd')} language={self.language or 'detected'}, else {rest}"

    def sentences(self, text: str) -> tuple[Span, ...]:
        """() for an empty text; a blank text is one span."""
        language = self.language or detect_language(text)
        if language is None or language not in _languages():
            return RuleSegmenter(language).sentences(text)
        return segmented(text, lambda passages: [[*_starts(one, language)] for one in passages], longest=LONGEST)


@segmenters.register("pysbd", version=1)
def pysbd_segmenter(context: EngineContext, *, language: str | None = None) -> Segmenter:
    """pySBD's rules for 23 languages, chosen by the document's."""
    return PysbdSegmenter(language)


def _languages() -> Sequence[str]:
    from pysbd.languages import LANGUAGE_CODES

    return tuple(LANGUAGE_CODES)


def _starts(passage: str, language: str) -> Iterator[int]:
    if sum(1 for _ in _LABEL.finditer(passage)) <= MOST_LABELS:
        starts = aligned(passage, _sentences(passage, language))
        if starts is not None:
            return iter(starts)
    return (span.start for span in RuleSegmenter(language).sentences(passage))


def _sentences(passage: str, language: str) -> list[str]:
    from pysbd import Segmenter

    try:
        sentences: list[str] = Segmenter(language).processor(passage).process()
    except Exception:  # it builds patterns from the text itself, and some do not compile
        return []
    return sentences


def aligned(text: str, sentences: Sequence[str]) -> list[int] | None:
    """Where each sentence starts in the text, the first one included; None where they are not the text, blanks apart.

    >>> aligned("Yes.  Yes. No.", ["Yes.", "Yes.", "No."])
    [0, 6, 11]
    """
    visible = ["".join(sentence.split()) for sentence in sentences]
    if "".join(visible) != "".join(text.split()):
        return None
    places = [place for place, character in enumerate(text) if not character.isspace()]
    starts, counted = [], 0
    for sentence in visible:
        if sentence:
            starts.append(places[counted])
        counted += len(sentence)
    return starts
