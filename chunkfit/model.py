"""The nouns of chunkfit, all immutable. Offsets are code points of `Document.text`, half-open `[start, end)`."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal

BlockKind = Literal[
    "heading", "paragraph", "list_item", "table", "code", "formula", "caption", "footnote", "picture", "other"
]
Stage = Literal["raw", "no_oversizing", "no_small_chunks"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a document's text. Empty spans are legal (a blank page is one). Raises ValueError on a bad order."""

    start: int  # code points, inclusive
    end: int  # exclusive: so the length is end - start, and neighbours share an edge

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, got [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        return self.end > self.start

    def contains(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share at least one character."""
        return max(self.start, other.start) < min(self.end, other.end)

    def of(self, text: str) -> str:
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Page:
    """One page; `number` counts from 1 and blank pages keep their number."""

    number: int
    span: Span


@dataclass(frozen=True, slots=True)
class Title:
    """A heading and what it governs: everything up to the next heading of the same or a higher level."""

    text: str  # its words on one line, without #'s and underline; what is marked inside it stays as written
    level: int  # 1 is the highest
    heading: Span  # the heading itself, markup included
    span: Span  # heading and governed text


@dataclass(frozen=True, slots=True)
class Block:
    """What the parser saw as one unit. A document's blocks tile its text: each owns the blank lines behind it."""

    kind: BlockKind
    span: Span


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document came from and what read it."""

    path: str
    sha256: str  # of the file's bytes
    media_type: str
    parser: str  # "docling-geometric/1"


@dataclass(frozen=True)
class Document:
    """A parsed document. Pages and blocks tile the text in order. Raises ValueError where the parts contradict it.

    A text without known pages is one page; a text without known blocks has no blocks, and block metrics do not apply.
    """

    name: str  # unique within a run
    text: str
    pages: tuple[Page, ...] = ()
    blocks: tuple[Block, ...] = ()
    titles: tuple[Title, ...] = ()
    source: Source | None = None
    unread: tuple[str, ...] = ()  # what the file shows and the text lacks, a phrase each: "hidden sheet 'Prices'"

    def __post_init__(self) -> None:
        if not self.pages:
            object.__setattr__(self, "pages", (Page(1, Span(0, len(self.text))),))
        _require_tiling("pages", [page.span for page in self.pages], len(self.text))
        if self.blocks:
            _require_tiling("blocks", [block.span for block in self.blocks], len(self.text))
        for before, number in pairwise([0, *(page.number for page in self.pages)]):
            if number <= before:
                raise ValueError(f"pages must be numbered upwards from 1, got {number} behind {before}")
        for title in self.titles:
            if title.level < 1:
                raise ValueError(f"the level of a title counts from 1, that of {title.text!r} is {title.level}")
            if title.span.end > len(self.text) or not title.span.contains(title.heading):
                raise ValueError(f"title {title.text!r} at {title.span} leaves the text ({len(self.text)} code points)")

    @cached_property
    def key(self) -> str:
        """SHA-256 over text and structure: equal keys mean equal results from every method and metric."""
        structure = [
            [[page.number, page.span.start, page.span.end] for page in self.pages],
            [[block.kind, block.span.start, block.span.end] for block in self.blocks],
            [[t.text, t.level, t.heading.start, t.heading.end, t.span.start, t.span.end] for t in self.titles],
        ]
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass"))
        digest.update(json.dumps(structure, ensure_ascii=True, separators=(",", ":")).encode())
        return digest.hexdigest()


def _require_tiling(what: str, spans: list[Span], length: int) -> None:
    edge = 0
    for span in spans:
        if span.start != edge:
            raise ValueError(f"{what} must tile the text: expected one to start at {edge}, got {span.start}")
        edge = span.end
    if edge != length:
        raise ValueError(f"{what} must tile the text: they end at {edge}, the text at {length}")


@dataclass(frozen=True, slots=True)
class Flag:
    """Why one chunk breaks a rule that a method promised, for instance one grapheme larger than the limit."""

    chunk_index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Chunking:
    """One document cut in one way: spans in order of their starts.

    `overlap` is what the method declares: how many code points two neighbours may share at most.
    """

    method: str
    spans: tuple[Span, ...]
    stage: Stage = "raw"
    overlap: int = 0
    flags: tuple[Flag, ...] = ()
    repairs: tuple[str, ...] = ()  # the post-processing steps that changed its spans, in order
    fallback: str | None = None  # why the method gave up here and another one's chunks stand in for its own

    def __len__(self) -> int:
        return len(self.spans)


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is handed over for indexing. `text == document.text[start:end]`, always."""

    document: str
    method: str
    index: int
    text: str
    start: int
    end: int
    pages: tuple[int, ...]  # numbers of the pages that the span overlaps
    titles: tuple[str, ...]  # headings that govern the chunk's first character, highest level first
    tokens: int  # o200k_base
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """An entity mention and a pronoun that refers to it."""

    entity: Span
    pronoun: Span


@dataclass(frozen=True, slots=True)
class Mentions:
    """Coreference of one document: chains of mentions and the entity-pronoun pairs drawn from them.

    `pairs` is None, with a `reason`, where coreference does not apply: another language, no engine.
    """

    resolver: str
    chains: tuple[tuple[Span, ...], ...] = ()
    pairs: tuple[Pair, ...] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Chance:
    """What the same chunk lengths in random order score: mean and standard deviation over seeded draws."""

    mean: float
    deviation: float
    draws: int


@dataclass(frozen=True, slots=True)
class Score:
    """A value in [0, 1], or None with the reason why there is nothing to measure. Never NaN."""

    value: float | None
    reason: str | None = None
    chance: Chance | None = None
    error: float | None = None  # standard error, of a value that is an estimate

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("a score without a value needs a reason")
        if self.value is not None and not 0.0 <= self.value <= 1.0:
            raise ValueError(f"a score must lie in [0, 1], got {self.value}")

    @property
    def lift(self) -> float | None:
        """Value minus what chance gives; None where either is missing."""
        return None if self.value is None or self.chance is None else self.value - self.chance.mean


@dataclass(frozen=True, slots=True)
class SizeStatistics:
    """Tokens per chunk."""

    chunks: int
    mean: float
    deviation: float
    minimum: int
    median: float
    maximum: int


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Everything measured on one chunking of one document."""

    method: str
    scores: Mapping[str, Score] = field(default_factory=dict)
    sizes: SizeStatistics | None = None
    disqualified: str | None = None  # the reason: the method failed here, or a gate closed
    repairs: tuple[str, ...] = ()  # of the chunking that was scored
    fallback: str | None = None  # of the chunking that was scored
    diagnostics: Mapping[str, Score] = field(default_factory=dict)  # measured and shown; no part of the choice


@dataclass(frozen=True, slots=True)
class Ranked:
    """A method's place in one document's ranking."""

    method: str
    mean: float | None  # weighted over the metrics that every competitor has; None where there are none
    chunks: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Which method one document should be cut with, and why."""

    best: str | None  # None where no method could be used
    ranking: tuple[Ranked, ...]
    margin: float | None  # best mean minus the runner-up's; None where nobody else competed
    tied: tuple[str, ...]  # methods within the tie margin of the top, the best included
    disqualified: Mapping[str, str]  # method -> reason
    metrics: tuple[str, ...]  # those that counted
    left_out: Mapping[str, str]  # metric -> why it did not count here
    reason: str  # one sentence for a reader


@dataclass(frozen=True, slots=True)
class Failure:
    """One source that gave no result, or no complete one: a row in the report's table of failures."""

    path: str
    stage: str  # "discover", "parse", "chunk", "mentions", "score"
    reason: str  # what was wrong and what to do, in one sentence
