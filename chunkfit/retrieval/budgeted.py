"""Labelled measures of what fits a budget of tokens: fair to chunks of any size."""

from collections.abc import Sequence

import numpy as np

from chunkfit.retrieval.measures import SpanMeasures, lengths, of_retrieved
from chunkfit.retrieval.ranking import Rankings
from chunkfit.retrieval.relevance import Relevance


def within_budgets(rankings: Rankings, relevance: Relevance, budgets: Sequence[int]) -> dict[int, SpanMeasures]:
    """The measures of each budget: o200k_base tokens of retrieved text for each question.

    Chunks are taken in the order of the ranking, and the first that does not fit is cut: of its n code points and t
    tokens it gives the first floor(n * tokens left / t). Each retrieved token costs, also where its text was retrieved
    before. Recall never falls as the budget grows. Raises ValueError for budgets below 1, and where the rankings end
    before the largest budget does: `ChunkIndex.search_tokens` goes far enough.
    """
    if not budgets or min(budgets) < 1:
        raise ValueError(f"budgets must be at least 1 token each, got {list(budgets)}")
    chunks = relevance.chunks
    tokens = np.where(rankings >= 0, chunks.tokens[rankings], 0) if len(chunks) else rankings * 0
    spent = np.cumsum(tokens, axis=1)
    _require_depth(rankings, spent, len(chunks), max(budgets))
    whole = lengths(rankings, relevance)
    measured = {}
    for budget in budgets:
        left = np.clip(budget - (spent - tokens), 0, tokens)
        taken = np.where(left < tokens, whole * left // np.maximum(tokens, 1), whole)
        measured[budget] = of_retrieved(rankings, taken, relevance)
    return measured


def _require_depth(rankings: Rankings, spent: Rankings, chunks: int, tokens: int) -> None:
    depth = rankings.shape[1]
    if depth < chunks and (not depth or ((rankings[:, -1] >= 0) & (spent[:, -1] < tokens)).any()):
        raise ValueError(
            f"the {depth} places of a ranking hold fewer than {tokens} tokens, and there are {chunks} chunks; "
            f"search for more, as ChunkIndex.search_tokens(..., tokens={tokens}) does"
        )
