"""The whole story of one document in plain Python. The flows do the same in tasks, and a test holds them equal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from chunkfit.chunking import chunkers, cut_raw, method
from chunkfit.engines import Engines, default_engines
from chunkfit.engines import engines as engines_of
from chunkfit.engines.registry import KINDS
from chunkfit.errors import BudgetSpent, MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.metrics import measured, score, weighable
from chunkfit.model import Chunk, Chunking, Document, Mentions, Scorecard, Selection
from chunkfit.postprocessing import chunks, postprocess
from chunkfit.references import Comparison, Reference, compare
from chunkfit.selection import select
from chunkfit.settings import PostprocessRules, Settings
from chunkfit.similarity import SentenceSimilarity, sentence_similarity
from chunkfit.usage import Usage


@dataclass(frozen=True)
class Evaluation:
    """What is known of one document after every method has had its turn."""

    document: Document
    settings: Settings
    engines: Engines = field(repr=False, compare=False)
    mentions: Mentions = field(repr=False)
    stages: Mapping[str, tuple[Chunking, ...]] = field(repr=False)  # by method, failed ones absent; raw first
    scorecards: tuple[Scorecard, ...] = field(repr=False)  # of the final stages, failed methods included
    selection: Selection
    skipped: Mapping[str, str] = field(default_factory=dict)  # method -> the engine that it lacks
    comparisons: Mapping[str, Comparison] = field(default_factory=dict, repr=False)  # by method, with people's chunks
    similarity: SentenceSimilarity | None = field(default=None, repr=False)
    usage: Usage = field(default=Usage(), compare=False)

    def chunks(self, method: str = "best") -> tuple[Chunk, ...]:
        """The final chunks of a method, or of the one selected: none of an empty text.

        Raises MethodFailed where the method failed or was not tried, and where none could be selected.
        """
        name = self.selection.best if method == "best" else method
        if name is None and not self.document.text:
            return ()
        if name is None:
            raise MethodFailed(self.selection.reason)
        if name not in self.stages:
            untried = self.skipped.get(name, "it was not tried; name it in the settings")
            why = self.selection.disqualified.get(name, untried)
            raise MethodFailed(f"there are no chunks of {name!r}: {why}")
        return chunks(self.stages[name][-1], Evidence(self.document, self.engines, self.mentions))


def evaluate(
    document: Document,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    engines: Engines | None = None,
    mentions: Mentions | None = None,
    references: Sequence[Reference] = (),
) -> Evaluation:
    """Cut a document by every method, score each by every metric, and select.

    `mentions` replaces the coreference engine's. Where `references` are given, the final chunks of every method are
    compared with them too, which is shown and decides nothing. A method that cannot handle this document is
    disqualified with its reason; one that asks for an engine that is not configured, or may ask it no more, is skipped.
    Raises UnknownPart for an unknown method or metric in the settings, ValueError for settings that contradict one
    another, both before any work, and EngineUnavailable where an engine does not answer now.
    """
    engines = engines or engines_of(settings.engines)
    names = methods(settings)
    unable = skipped(names, engines)
    evidence = Evidence(document, engines, mentions)
    stages: dict[str, tuple[Chunking, ...]] = {}
    scorecards = []
    for name in names:
        if name in unable:
            continue
        try:
            stages[name] = cut(name, evidence, settings.postprocess)
        except (MethodFailed, ValueError) as failure:
            scorecards.append(Scorecard(name, disqualified=str(failure)))
        except BudgetSpent as spent:
            unable[name] = str(spent)
        else:
            scorecards.append(scored(stages[name][-1], evidence, settings))
    selection = select(scorecards, settings.selection)
    return Evaluation(
        document=document,
        settings=settings,
        engines=engines,
        mentions=evidence.mentions,
        stages=stages,
        scorecards=tuple(scorecards),
        selection=selection,
        skipped=unable,
        comparisons={
            name: compared(made[-1], references, evidence, settings) for name, made in stages.items() if references
        },
        similarity=similarity_in(evidence),
        usage=evidence.usage,
    )


def compared(chunking: Chunking, references: Sequence[Reference], evidence: Evidence, settings: Settings) -> Comparison:
    """A chunking beside people's chunks of the document, with the settings' draws of chance."""
    return compare(chunking, references, evidence, chance=settings.chance)


def similarity_in(evidence: Evidence) -> SentenceSimilarity | None:
    """How alike the document's sentences are; None where there are too few, or where their vectors cannot be had."""
    try:
        return sentence_similarity(evidence)
    except MethodFailed:
        return None


def scored(chunking: Chunking, evidence: Evidence, settings: Settings) -> Scorecard:
    """The scorecard of a chunking; disqualified where its vectors cannot be had."""
    try:
        return score(chunking, evidence, settings)
    except MethodFailed as failure:
        return Scorecard(chunking.method, disqualified=str(failure))


def chunk(
    document: Document,
    method: str = "best",
    settings: Settings = Settings(),  # noqa: B008 - frozen
    engines: Engines | None = None,
    mentions: Mentions | None = None,
) -> tuple[Chunk, ...]:
    """Cut a document by one method, or by the best for it, and post-process: spans ready for an index.

    Raises UnknownPart for an unknown method, MethodFailed where the method cannot handle this document.
    """
    if method == "best":
        return evaluate(document, settings, engines, mentions).chunks()
    evidence = Evidence(document, engines or engines_of(settings.engines), mentions)
    return chunks(cut(method, evidence, settings.postprocess)[-1], evidence)


def cut(method: str, evidence: Evidence, rules: PostprocessRules) -> tuple[Chunking, ...]:
    """One method's chunking through post-processing, raw first and final last."""
    return postprocess(cut_raw(method, evidence), evidence, rules)


def methods(settings: Settings) -> tuple[str, ...]:
    """The methods that the settings ask for, each once: where none is named, all that do not wait to be.

    Raises UnknownPart for unknown names, those of weights and diagnostics too, and ValueError for settings that a
    method does not have or that contradict one another.
    """
    for metric in settings.selection.weights or ():
        weighable(settings.profile, metric)
    measured(settings)
    if settings.methods is None:
        return tuple(part.name for part in chunkers if not part.traits.get("on_request"))
    named = {called.name: called for called in map(method, settings.methods)}
    for called in named.values():
        if called.settings:
            called.part.make(_NOTHING, **called.settings)  # it checks its settings first, and cuts nothing
    return tuple(named)


def skipped(names: Iterable[str], engines: object) -> dict[str, str]:
    """Which of these methods cannot run for want of an engine, and why. `engines` has a field for each kind."""
    found = {}
    for name in names:
        wanted = cast("Sequence[str]", method(name).part.traits.get("engines", ()))
        missing = [kind for kind in wanted if not getattr(engines, kind)]
        if missing:
            needed = " and ".join(f"a {KINDS[kind].kind} (--{kind.replace('_', '-')})" for kind in missing)
            found[name] = f"it needs {needed}, and none is configured"
    return found


_NOTHING = Evidence(Document("nothing", ""), default_engines())
