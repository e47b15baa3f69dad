"""Sentences by a spaCy pipeline."""

import hashlib
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from chunkfit.engines.language import detect_language
from chunkfit.engines.protocols import Segmenter
from chunkfit.engines.registry import EngineContext, segmenters
from chunkfit.engines.segmenters.passages import segmented
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.engines.spacy_model import english_model, english_model_name, reading
from chunkfit.errors import EngineRefused
from chunkfit.model import Span

LONGEST = 10_000
"""Code points that the pipeline is given at once: a parser needs about 1 GB for 100,000."""

BATCH = 16
"""Paragraphs read together."""

FINDERS = ("parser", "senter", "sentencizer")
"""Components that find sentences, the one that is asked first."""

SPACELESS = ("ja", "km", "lo", "my", "th", "zh")
"""Languages written without blanks between words, whose tokenizers do not go by them."""

# What spaCy's tokenizer takes time with the square of. Its ends may hold a stop; what is between is no matter.
_LONG_WORD = re.compile(r"(?<=\S{12})\S{76,}(?=\S{12})")

_loading = threading.Lock()


@dataclass(frozen=True)
class SpacySegmenter:
    """Sentences as a spaCy pipeline finds them in each paragraph; layout is read as by the rule segmenter.

    `model` is the name of an installed package or a folder; its parser, else its senter, else its sentencizer decides,
    for documents of any language. Without a model, English is read by the small English one, the official package
    first; a document in another language, or in none that is recognised, is read by `RuleSegmenter`. Of words of more
    than 100 characters only the ends are read. Raises EngineRefused, when asked for its id or for
    sentences, where the model is missing or has none of these components.
    """

    model: str | None = None

    @property
    def id(self) -> str:
        from importlib.metadata import version

        if self.model is None:
            return f"spacy/1 spacy-{version('spacy')} {english_model_name()} en, else {RuleSegmenter().id}"
        return f"spacy/1 spacy-{version('spacy')} {_name_and_version(self.model)}"

    def sentences(self, text: str) -> tuple[Span, ...]:
        """() for an empty text; a blank text is one span."""
        if self.model is None and detect_language(text) != "en":
            return RuleSegmenter().sentences(text)
        pipeline = english_model() if self.model is None else _pipeline(self.model)
        return segmented(text, lambda passages: _starts(pipeline, passages), longest=LONGEST)


@segmenters.register("spacy", version=1)
def spacy_segmenter(context: EngineContext, *, model: str | None = None) -> Segmenter:
    """Any spaCy pipeline that finds sentences; without one, the small English model."""
    return SpacySegmenter(model)


def _starts(pipeline: Any, passages: Sequence[str]) -> list[list[int]]:
    idle = [name for name in pipeline.pipe_names if name not in _needed(pipeline)]
    tame = passages if pipeline.lang in SPACELESS else [_LONG_WORD.sub(_plain_word, one) for one in passages]
    with reading(pipeline):
        documents = pipeline.pipe(tame, batch_size=BATCH, disable=idle)
        return [[sentence.start_char for sentence in document.sents] for document in documents]


def _plain_word(match: re.Match[str]) -> str:
    return "x" * len(match[0])


def _needed(pipeline: Any) -> tuple[str, ...]:
    """The component that finds sentences and those that it listens to."""
    finder = next(name for name in FINDERS if name in pipeline.pipe_names)
    return (finder, "tok2vec", "transformer")


def _name_and_version(model: str) -> str:
    """Of a package from its metadata, of a folder from the description in it; loads nothing."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{model}-{version(model)}"
    except (PackageNotFoundError, ValueError):
        description = Path(model, "meta.json")
    if not description.is_file():
        raise _missing(model)
    return f"{model} {hashlib.sha256(description.read_bytes()).hexdigest()[:12]}"


def _pipeline(model: str) -> Any:
    with _loading:  # two threads must not both pay for the model
        return _loaded(model)


@cache
def _loaded(model: str) -> Any:
    import spacy

    try:
        pipeline = spacy.load(model)
    except OSError as error:
        raise _missing(model) from error
    if not any(name in pipeline.pipe_names for name in FINDERS):
        raise EngineRefused(
            f"the spaCy pipeline {model!r} finds no sentences, its components are "
            f"{', '.join(pipeline.pipe_names) or 'none'}; choose one with {', '.join(FINDERS[:-1])} or {FINDERS[-1]}"
        )
    return pipeline


def _missing(model: str) -> EngineRefused:
    return EngineRefused(
        f"there is no spaCy pipeline {model!r}: it is neither an installed package nor a folder; install it, for "
        f"instance by `python -m spacy download {model}`, or give none to read English by the model that is installed"
    )
