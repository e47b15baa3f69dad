"""What every stored result depends on. A key is a hash of exactly that: change any of it and the result is made again.

    file ── parsed ── document ─┬─ mentions ──┐
                                └─ chunks ────┴─ scorecard ── selection

A document's own key is its content, so two files that read the same share every result behind it. Failures to read are
never stored: such a file is tried again in the next run.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from chunkfit.chunking import chunkers, method
from chunkfit.codec import codec
from chunkfit.engines import Engines
from chunkfit.metrics import measured, profiles
from chunkfit.model import Chunking, Document, Mentions, Scorecard, Selection, Stage
from chunkfit.pipeline import methods as asked_for
from chunkfit.pipeline import skipped
from chunkfit.postprocessing import steps
from chunkfit.references import Annotation, Comparison
from chunkfit.settings import Settings
from chunkfit.similarity import SentenceSimilarity
from chunkfit.storage import Kind


@dataclass(frozen=True, slots=True)
class Cut:
    """What one method made of one document, or why it cannot handle it."""

    stages: tuple[Chunking, ...]  # raw first, final last; () where it failed
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A file of mentions that were found elsewhere: document name -> key of its mentions."""

    mentions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Annotations:
    """The chunks that people made of one document, as their files state them."""

    annotations: tuple[Annotation, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One method's chunks of one document beside people's, or None where it made none."""

    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class Similar:
    """How alike the sentences of a document are, or None where that cannot be told."""

    similarity: SentenceSimilarity | None


PARSED = Kind("parsed", Document)
MENTIONS = Kind("mentions", Mentions)
GIVEN = Kind("given", Given)
CHUNKS = Kind("chunks", Cut)
SCORECARDS = Kind("scorecards", Scorecard)
SELECTIONS = Kind("selections", Selection)
ANNOTATIONS = Kind("annotations", Annotations)
COMPARISONS = Kind("comparisons", Compared)
SIMILARITIES = Kind("similarities", Similar)

# What no part's own version covers. Raise one when its code gives other results than before.
POSTPROCESSING = 1  # the order of the steps; each step has a version
SELECTING = 1
COMPARING = 1
SENTENCE_SIMILARITY = 1
COUNTING = "o200k_base"


@dataclass(frozen=True, slots=True)
class EngineIds:
    """Model and revision of each engine of a run."""

    embedder: str
    segmenter: str
    coreference: str
    chat: str = ""  # "" where none is configured
    language_model: str = ""

    @classmethod
    def of(cls, engines: Engines) -> "EngineIds":
        return cls(
            engines.embedder.id,
            engines.segmenter.id,
            engines.coreference.id,
            engines.chat.id if engines.chat else "",
            engines.language_model.id if engines.language_model else "",
        )


@dataclass(frozen=True)
class Recipe:
    """Everything besides the documents that decides a run's results, and the keys that follow from it."""

    settings: Settings
    engines: EngineIds
    scored: Stage = "no_small_chunks"  # the last one; the paper's table has methods without post-processing too

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods that compete. Raises UnknownPart for unknown names, ValueError for settings they cannot have."""
        return tuple(name for name in asked_for(self.settings) if name not in self.skipped)

    @cached_property
    def skipped(self) -> Mapping[str, str]:
        """The methods that were asked for and cannot run with these engines, and why."""
        return skipped(asked_for(self.settings), self.engines)

    def mentions(self, document: str) -> str:
        return _key("mentions", document, self.engines.coreference)

    def chunks(self, document: str, name: str) -> str:
        called = method(name)
        part = called.part
        uses = [getattr(self.engines, str(name)) for name in cast("Sequence[str]", part.traits.get("engines", ()))]
        repairs = [
            POSTPROCESSING,
            {step.name: step.version for step in steps},
            chunkers["recursive_1100"].version,  # oversized chunks are split by it
            self.settings.postprocess.model_dump(),
        ]
        return _key("chunks", document, part.name, part.version, dict(called.settings), uses, COUNTING, repairs)

    def scorecard(self, document: str, mentions: str, method: str) -> str:
        metrics = {part.name: part.version for part in (*profiles[self.settings.profile], *measured(self.settings))}
        how = [self.scored, self.settings.profile, metrics, self.settings.chance.model_dump()]
        engines = [self.engines.embedder, self.engines.segmenter]  # a metric may ask for vectors and for sentences
        return _key("scorecard", self.chunks(document, method), mentions, how, engines)

    def comparison(self, document: str, annotations: str, name: str) -> str:
        """Of a method's final chunks with people's; `annotations` is the key of these."""
        how = [COMPARING, self.settings.chance.model_dump(), self.engines.segmenter]  # cuts between sentences
        return _key("comparison", self.chunks(document, name), annotations, how)

    def similarity(self, document: str) -> str:
        return _key("similarity", document, self.engines.embedder, self.engines.segmenter, SENTENCE_SIMILARITY)

    def selection(self, document: str, mentions: str, methods: Sequence[str]) -> str:
        """Of the choice among these methods: those of the run whose engines answered for this document."""
        scorecards = [self.scorecard(document, mentions, name) for name in sorted(methods)]
        costs = {name: method(name).part.traits["cost"] for name in methods}
        return _key("selection", scorecards, costs, SELECTING, self.settings.selection.model_dump())


def parsed(sha256: str, media_type: str, parser: str) -> str:
    """The key of what a parser, named with its version, reads from a file."""
    return _key("parsed", sha256, media_type, parser)


def given(sha256: str) -> str:
    """The key of what is read from a file of mentions."""
    return _key("given", sha256)


def content(mentions: Mentions) -> str:
    """The key of given mentions: what they say, so that a file with other rows changes nothing for this one."""
    return _key("mentions", hashlib.sha256(codec(Mentions).encode(mentions)).hexdigest())


def annotated(annotations: Annotations) -> str:
    """The key of people's chunks of a document: what they say."""
    return _key("annotations", hashlib.sha256(codec(Annotations).encode(annotations)).hexdigest())


def _key(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
