"""What a report is made of: one run, and one value per document."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from chunkfit.model import Chunking, Document, Failure, Mentions, Scorecard, Selection
from chunkfit.references import Comparison
from chunkfit.settings import Settings
from chunkfit.similarity import SentenceSimilarity
from chunkfit.usage import Usage


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was measured and decided for one document: all that tables and leaderboard need, without its text."""

    document: str  # its name
    scorecards: tuple[Scorecard, ...]
    selection: Selection


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """One document with everything that the report shows of it."""

    document: Document
    scorecards: tuple[Scorecard, ...]
    selection: Selection
    chunkings: Mapping[str, Chunking]  # final stage, by method; a method that failed here is absent
    tokens: Mapping[str, tuple[int, ...]]  # o200k_base tokens of each chunk, by method
    mentions: Mentions
    similarity: SentenceSimilarity | None = None  # shown as a heatmap
    comparisons: tuple[Comparison, ...] = ()  # of its methods with the chunks that people made

    def __post_init__(self) -> None:
        for method, chunking in self.chunkings.items():
            counted = len(self.tokens.get(method, ()))
            if counted != len(chunking):
                raise ValueError(
                    f"{self.document.name!r} has {len(chunking)} chunks by {method!r} and token counts for {counted}; "
                    "give one count per chunk, in the same order"
                )

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.document.name, self.scorecards, self.selection)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run as a whole."""

    run_id: str
    corpus: str  # what was evaluated, as the user named it: "data/samples"
    started: datetime
    seconds: float
    settings: Settings
    versions: Mapping[str, str] = field(default_factory=dict)  # part or package -> version
    failures: tuple[Failure, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)  # part of the run that was left out -> why
    computed: int = 0  # units of work (document, stage, method) that were done now
    reused: int = 0  # and those found finished from an earlier run
    usage: Usage = Usage()  # noqa: RUF009 - frozen
    characters: int = 0  # of all texts
