"""What one method's chunks bring back for labelled questions, question by question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunkfit.retrieval.budgeted import within_budgets
from chunkfit.retrieval.index import ChunkIndex, Retriever
from chunkfit.retrieval.measures import Shares, SpanMeasures, at_chunks, precision_omega
from chunkfit.retrieval.queries import Queries
from chunkfit.retrieval.ranked import at_places
from chunkfit.retrieval.relevance import Relevance

BUDGETS = (500, 1000, 2000)
"""Tokens of retrieved text: a short prompt, an ordinary one, a generous one."""

CHUNKS = 5
"""Chunks of the measures that published results have."""

PLACES = 10
"""Places of nDCG, MRR and the hit rate."""

SPAN_MEASURES = {"recall": "recall", "precision": "precision", "iou": "IoU", "signal_ratio": "signal ratio"}
OMEGA = "precision-omega"


@dataclass(frozen=True, slots=True)
class MethodRetrieval:
    """Every measure of every question, for all chunks of one method under one retriever."""

    chunks: int  # searched, of all documents
    tokens: int  # in them: what is embedded and kept; more than the text has where chunks overlap
    values: Mapping[str, tuple[float, ...]]  # by measure: a value in [0, 1] for each question, in their order


def within_tokens(measure: str, budget: int) -> str:
    """The name of a measure within a budget: "recall@500 tokens"."""
    return f"{measure}@{budget} tokens"


def measure_names(budgets: Sequence[int]) -> tuple[str, ...]:
    """The measures that `method_retrieval` gives, in their order."""
    return (
        *(within_tokens(name, budget) for budget in budgets for name in SPAN_MEASURES.values()),
        *(f"{name}@{CHUNKS} chunks" for name in SPAN_MEASURES.values()),
        OMEGA,
        *(f"{name}@{PLACES}" for name in ("nDCG", "MRR", "hit")),
    )


def method_retrieval(
    index: ChunkIndex, relevance: Relevance, queries: Queries, retriever: Retriever, budgets: Sequence[int] = BUDGETS
) -> MethodRetrieval:
    """Search all documents of the index for each query, and measure what comes back.

    `relevance` is that of the index' chunks for the questions that the queries ask, in the same order. Recall,
    precision, IoU and signal ratio within each budget of tokens and of the first `CHUNKS` chunks, the precision of
    retrieving exactly what is relevant, and nDCG, MRR and hit rate within `PLACES` places. Raises as
    `ChunkIndex.search` and `within_budgets` do.
    """
    depth = max(index.chunks.enough(max(budgets, default=1)), CHUNKS, PLACES)
    rankings = index.search(queries, retriever, depth)
    budgeted = within_budgets(rankings, relevance, budgets)
    ranked = at_places(rankings, relevance, PLACES)
    found = [
        *(share for budget in budgets for share in _shares(budgeted[budget])),
        *_shares(at_chunks(rankings, relevance, CHUNKS)),
        precision_omega(relevance),
        *(ranked.ndcg, ranked.reciprocal_rank, ranked.hit),
    ]
    values = {name: tuple(share.tolist()) for name, share in zip(measure_names(budgets), found, strict=True)}
    return MethodRetrieval(len(index.chunks), int(index.chunks.tokens.sum()), values)


def _shares(measures: SpanMeasures) -> list[Shares]:
    return [getattr(measures, name) for name in SPAN_MEASURES]
