"""The whole story of one document in plain Python. The flows do the same in tasks, and a test holds them equal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chunkfit.chunking import chunkers
from chunkfit.engines import Engines, default_engines
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.metrics import profiles, score
from chunkfit.model import Chunk, Chunking, Document, Mentions, Scorecard, Selection
from chunkfit.postprocessing import chunks, postprocess
from chunkfit.selection import select
from chunkfit.settings import PostprocessRules, Settings


@dataclass(frozen=True)
class Evaluation:
    """What is known of one document after every method has had its turn."""

    document: Document
    settings: Settings
    engines: Engines = field(repr=False)
    mentions: Mentions = field(repr=False)
    stages: Mapping[str, tuple[Chunking, ...]] = field(repr=False)  # by method, failed ones absent; raw first
    scorecards: tuple[Scorecard, ...] = field(repr=False)  # of the final stages, failed methods included
    selection: Selection

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
            why = self.selection.disqualified.get(name, "it was not tried; name it in the settings")
            raise MethodFailed(f"there are no chunks of {name!r}: {why}")
        return chunks(self.stages[name][-1], Evidence(self.document, self.engines, self.mentions))


def evaluate(
    document: Document,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    engines: Engines | None = None,
    mentions: Mentions | None = None,
) -> Evaluation:
    """Cut a document by every method, score each by every metric, and select.

    `mentions` replaces the coreference engine's. A method that cannot handle this document is disqualified with its
    reason. Raises UnknownPart for an unknown method or metric in the settings, before any work.
    """
    names = methods(settings)
    engines = engines or default_engines()
    evidence = Evidence(document, engines, mentions)
    stages: dict[str, tuple[Chunking, ...]] = {}
    scorecards = []
    for name in names:
        try:
            stages[name] = cut(name, evidence, settings.postprocess)
        except (MethodFailed, ValueError) as failure:
            scorecards.append(Scorecard(name, disqualified=str(failure)))
        else:
            scorecards.append(score(stages[name][-1], evidence, settings.profile, settings.chance))
    selection = select(scorecards, settings.selection)
    return Evaluation(document, settings, engines, evidence.mentions, stages, tuple(scorecards), selection)


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
    evidence = Evidence(document, engines or default_engines(), mentions)
    return chunks(cut(method, evidence, settings.postprocess)[-1], evidence)


def cut(method: str, evidence: Evidence, rules: PostprocessRules) -> tuple[Chunking, ...]:
    """One method's chunking through post-processing, raw first and final last."""
    return postprocess(chunkers[method].make(evidence), evidence, rules)


def methods(settings: Settings) -> tuple[str, ...]:
    """The methods that the settings ask for, each once. Raises UnknownPart for unknown names, those of weights too."""
    for metric in settings.selection.weights or ():
        profiles[settings.profile][metric]
    names = settings.methods if settings.methods is not None else chunkers.names()
    return tuple(dict.fromkeys(chunkers[name].name for name in names))
