"""How good a candidate is on one document."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Literal

from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.metrics.retrieval_probe import retrieval_probe
from chunkfit.model import Chunking
from chunkfit.pipeline import cut
from chunkfit.retrieval import ChunkIndex, Labelled, Queries, References, Relevance, Retriever, within_budgets
from chunkfit.retrieval.probe import probe
from chunkfit.settings import Settings
from chunkfit.tuning.candidate import Candidate

Objective = Literal["probe", "labelled", "both"]

PRECISION = 1e-9  # of the probe: all its thousand queries, so that each candidate is asked the same


@dataclass(frozen=True, slots=True)
class Aim:
    """What tuning is for."""

    objective: Objective = "probe"
    budget: int = 2000  # o200k_base tokens of retrieved text
    retriever: Retriever = "hybrid"


@dataclass(frozen=True, eq=False)
class Subject:
    """A document that candidates are tried on, with the questions that it answers."""

    evidence: Evidence
    labelled: tuple[Labelled, ...] = ()

    @property
    def name(self) -> str:
        return self.evidence.document.name

    @cached_property
    def queries(self) -> Queries:
        return Queries([one.text for one in self.labelled], self.evidence.engines.embedder)

    @cached_property
    def references(self) -> References:
        return References.of(self.labelled, [self.evidence.document])


@dataclass(frozen=True, slots=True)
class Outcome:
    """One candidate on one document."""

    quality: float  # in [0, 1]
    chunks: int
    tokens: int  # in all chunks: more than the text has where they overlap


Measure = Callable[[Candidate, Subject], Outcome]
"""Raises MethodFailed where the candidate cannot cut the document."""


def unfit(subject: Subject, aim: Aim) -> str | None:
    """Why a document tells nothing of any candidate; None where it does."""
    tokens = subject.evidence.tokens.total
    if tokens <= aim.budget:
        return f"its {tokens:,} tokens fit the budget of {aim.budget:,}; give a smaller --budget to tune on it"
    if aim.objective == "labelled" and not subject.labelled:
        return "no question is answered by it"
    if aim.objective != "labelled" and not probe(subject.evidence, 1).questions:
        return "the probe finds no sentences in it to ask for"
    return None


def outcome(candidate: Candidate, subject: Subject, aim: Aim, settings: Settings) -> Outcome:
    """Cut the document, search it alone, and measure recall within the budget.

    The quality is the retrieval probe, the mean recall of the document's own questions, or the mean of both where it
    has questions. Raises MethodFailed where the candidate cannot cut the document or nothing can be measured on it.
    """
    evidence = subject.evidence
    try:
        chunking = cut(candidate.method, evidence, candidate.settings(settings).postprocess)[-1]
    except ValueError as misfit:
        raise MethodFailed(str(misfit)) from misfit
    index = ChunkIndex.of([(evidence, chunking)])
    found = []
    if aim.objective != "labelled":
        found.append(_probed(chunking, evidence, aim))
    if aim.objective != "probe" and subject.labelled:
        found.append(_recall(index, subject, aim))
    return Outcome(fmean(found), len(index.chunks), int(index.chunks.tokens.sum()))


def _probed(chunking: Chunking, evidence: Evidence, aim: Aim) -> float:
    score = retrieval_probe(chunking, evidence, budget=aim.budget, retriever=aim.retriever, precision=PRECISION)
    if score.value is None:
        raise MethodFailed(f"the retrieval probe has no value: {score.reason}")
    return score.value


def _recall(index: ChunkIndex, subject: Subject, aim: Aim) -> float:
    rankings = index.search_tokens(subject.queries, aim.retriever, aim.budget)
    relevance = Relevance.of(index.chunks, subject.references)
    return float(within_budgets(rankings, relevance, [aim.budget])[aim.budget].recall.mean())
