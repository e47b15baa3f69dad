"""What a report of retrieval is made of, and how the methods stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from statistics import fmean

import numpy as np

from chunkfit.model import Failure
from chunkfit.retrieval.labelled import Labelled
from chunkfit.retrieval.method_retrieval import MethodRetrieval, within_tokens
from chunkfit.retrieval.statistics import Difference, Estimate, mean, paired, resamples
from chunkfit.settings import Settings


@dataclass(frozen=True, slots=True)
class RetrievalStanding:
    """One method under one retriever, over all questions."""

    method: str
    chunks: int
    tokens: int  # in the chunks
    recall: Mapping[int, Estimate]  # by budget of tokens
    means: Mapping[str, float]  # of every measure
    by_document: Mapping[str, float]  # mean recall at the largest budget of each document's questions
    behind: Difference | None  # the leader's lead at the largest budget; None for the leader itself


@dataclass(frozen=True)
class RetrievalRun:
    """One comparison of methods by what they retrieve."""

    run_id: str
    corpus: str
    questions: str  # the file
    started: datetime
    seconds: float
    settings: Settings
    budgets: tuple[int, ...]  # tokens, ascending
    documents: tuple[str, ...]  # searched together, in order
    labelled: tuple[Labelled, ...]
    retrievals: Mapping[str, Mapping[str, MethodRetrieval]] = field(repr=False)  # by retriever, then method
    versions: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)  # method -> why it was left out
    computed: int = 0  # results, each of a method and a retriever, that were made now
    reused: int = 0

    @cached_property
    def standings(self) -> Mapping[str, tuple[RetrievalStanding, ...]]:
        """By retriever: the methods, best recall at the largest budget first, then fewer tokens, then by name."""
        return {name: self._standings(found) for name, found in self.retrievals.items()}

    def _standings(self, found: Mapping[str, MethodRetrieval]) -> tuple[RetrievalStanding, ...]:
        number = {name: at for at, name in enumerate(self.documents)}
        owners = np.array([number[one.document] for one in self.labelled], np.int64)
        weights = resamples(owners)
        recalls = {
            budget: {name: np.array(one.values[within_tokens("recall", budget)]) for name, one in found.items()}
            for budget in self.budgets
        }
        decisive = recalls[self.budgets[-1]]
        order = sorted(found, key=lambda name: (-decisive[name].mean(), found[name].tokens, name))
        lead = paired([((order[0], decisive[order[0]]), (name, decisive[name])) for name in order[1:]], weights)
        behind = {one.second: one for one in lead}
        asked = [name for name in self.documents if (owners == number[name]).any()]
        return tuple(
            RetrievalStanding(
                method=name,
                chunks=found[name].chunks,
                tokens=found[name].tokens,
                recall={budget: mean(recalls[budget][name], weights) for budget in self.budgets},
                means={measure: fmean(values) for measure, values in found[name].values.items()},
                by_document={one: float(decisive[name][owners == number[one]].mean()) for one in asked},
                behind=behind.get(name),
            )
            for name in order
        )


def half_width(one: Estimate) -> float:
    """Half of the interval, for a column that has room for one number."""
    return (one.high - one.low) / 2


def leaders(standings: Sequence[RetrievalStanding]) -> tuple[str, ...]:
    """The first method, and those that the questions cannot tell from it: p, adjusted by Holm, of at least 0.05."""
    return tuple(one.method for one in standings if one.behind is None or one.behind.adjusted >= 0.05)
