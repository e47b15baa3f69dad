"""What is known of one labelled document that was cut by several methods."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from chunkfit.retrieval import Retriever

K = TypeVar("K")
Values = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, order=True)
class Purpose:
    """What chunks are wanted for: a way to search them, and how much of what it finds can be read."""

    retriever: Retriever
    budget: int  # tokens (o200k_base) of retrieved text

    def __str__(self) -> str:
        return f"{self.retriever}, {self.budget}"


@dataclass(frozen=True, eq=False)
class Measured:
    """What people's questions found in each chunking of a document, beside numbers that need no labels.

    A score is one number a method, whatever the purpose; a probe has one for each purpose. Higher means better in all.
    """

    document: str
    methods: tuple[str, ...]
    recall: Mapping[Purpose, Values]  # [methods, questions]
    scores: Mapping[str, Values]  # [methods]: NaN for a method that has no value
    probes: Mapping[str, Mapping[Purpose, Values]]  # by name, [methods]
    groups: NDArray[np.int64]  # [questions]: the number of the document of each; more than one where they are pooled

    def predicted(self, name: str, purpose: Purpose) -> tuple[Rows, Values] | None:
        """The methods for which a score or a probe has a value, and the values; None where there are none."""
        values = self.probes[name].get(purpose) if name in self.probes else self.scores.get(name)
        if values is None or np.isnan(values).all():
            return None
        rows = np.flatnonzero(~np.isnan(values))
        return rows, values[rows]

    def picked(self, name: str, purpose: Purpose) -> int | None:
        """The row of the method that a score or a probe puts first, of equal ones the first; None without values."""
        predicted = self.predicted(name, purpose)
        return None if predicted is None else int(predicted[0][predicted[1].argmax()])

    def means(self, purpose: Purpose) -> Values:
        """Mean recall of each method."""
        means: Values = self.recall[purpose].mean(axis=1)
        return means


def together(measured: Sequence[Measured], name: str = "all") -> Measured:
    """Several documents as one: the questions of all, and of each score the mean over the documents that have it.

    Recall and scores weigh a document by its number of questions. A method that lacks a score in one of these documents
    lacks it here. Raises ValueError for no documents, and where they were not cut by the same methods.
    """
    if not measured:
        raise ValueError("there are no documents to put together")
    first = measured[0]
    for other in measured:
        if other.methods != first.methods:
            raise ValueError(f"{other.document!r} was cut by other methods than {first.document!r}")
    sizes = [len(one.groups) for one in measured]
    return Measured(
        document=name,
        methods=first.methods,
        recall={
            purpose: np.concatenate([one.recall[purpose] for one in measured], axis=1)
            for purpose in first.recall
            if all(purpose in one.recall for one in measured)
        },
        scores=_means([one.scores for one in measured], sizes),
        probes={
            probe: _means([one.probes.get(probe, {}) for one in measured], sizes)
            for probe in dict.fromkeys(probe for one in measured for probe in one.probes)
        },
        groups=np.repeat(np.arange(len(measured)), sizes),
    )


def _means(tables: Sequence[Mapping[K, Values]], sizes: Sequence[int]) -> dict[K, Values]:
    """The mean of each column over the tables that have it."""
    means = {}
    for key in dict.fromkeys(key for table in tables for key in table):
        have = [(table[key], size) for table, size in zip(tables, sizes, strict=True) if key in table]
        means[key] = np.average([values for values, _ in have], axis=0, weights=[size for _, size in have])
    return means
