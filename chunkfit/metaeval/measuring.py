"""Retrieval of one document's chunkings for several purposes, with people's questions and with probes."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metaeval.columns import columns
from chunkfit.metaeval.measured import Measured, Purpose, Values
from chunkfit.model import Chunking, Scorecard
from chunkfit.retrieval import ChunkIndex, Labelled, Queries, References, Relevance, within_budgets


def measure(
    evidence: Evidence,
    chunkings: Sequence[Chunking],
    labelled: Sequence[Labelled],
    purposes: Sequence[Purpose],
    probes: Mapping[str, Sequence[Labelled]],
    scorecards: Sequence[Scorecard] = (),
) -> Measured:
    """Search each chunking with the labelled questions and with each probe's, and put the scorecards beside it.

    The chunks of this document alone are searched. A document in which a probe found nothing to ask lacks that probe.
    Raises ValueError where there are no questions, where two chunkings or the scorecards have other methods than the
    chunkings, and as retrieval does.
    """
    methods = tuple(chunking.method for chunking in chunkings)
    if len(set(methods)) < len(methods):
        raise ValueError(f"one chunking a method, got {', '.join(methods)}")
    if scorecards and tuple(card.method for card in scorecards) != methods:
        raise ValueError(f"one scorecard for each of {', '.join(methods)}, in this order")
    if not labelled:
        raise ValueError(f"there are no questions about {evidence.document.name!r}")
    asked = {name: probe for name, probe in probes.items() if probe}
    found = recalls(evidence, chunkings, [labelled, *asked.values()], purposes)
    return Measured(
        document=evidence.document.name,
        methods=methods,
        recall=found[0],
        scores=columns(scorecards),
        probes={
            name: {purpose: recall.mean(axis=1) for purpose, recall in own.items()}
            for name, own in zip(asked, found[1:], strict=True)
        },
        groups=np.zeros(len(labelled), np.int64),
    )


def recalls(
    evidence: Evidence, chunkings: Sequence[Chunking], sets: Sequence[Sequence[Labelled]], purposes: Sequence[Purpose]
) -> list[dict[Purpose, Values]]:
    """For each set of questions and each purpose the recall of every question in every chunking, [methods, questions].

    A chunking is indexed once for all sets.
    """
    prepared = [
        (Queries([one.text for one in some], evidence.engines.embedder), References.of(some, [evidence.document]))
        for some in sets
    ]
    found: list[dict[Purpose, Values]] = [
        {purpose: np.empty((len(chunkings), len(some))) for purpose in purposes} for some in sets
    ]
    for row, chunking in enumerate(chunkings):
        index = ChunkIndex.of([(evidence, chunking)])
        for (queries, references), own in zip(prepared, found, strict=True):
            relevance = Relevance.of(index.chunks, references)
            for retriever, wanted in groupby(sorted(purposes), key=lambda purpose: purpose.retriever):
                budgets = [purpose.budget for purpose in wanted]
                rankings = index.search_tokens(queries, retriever, max(budgets))
                for budget, measures in within_budgets(rankings, relevance, budgets).items():
                    own[Purpose(retriever, budget)][row] = measures.recall
    return found
