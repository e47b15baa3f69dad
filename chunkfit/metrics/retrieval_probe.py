"""RP, the retrieval probe: how much of what a document is asked comes back within a budget."""

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import edges
from chunkfit.model import Chunking, Score
from chunkfit.retrieval import ChunkIndex, Queries, References, Relevance, Retriever, within_budgets
from chunkfit.retrieval.probe import probe

ROUND = 100  # queries: the error is looked at after each
MOST = 1000  # queries of one document


@registry.diagnostics.register("retrieval_probe", version=1, chance=True, costly=True, draws=5)
def retrieval_probe(
    chunking: Chunking,
    evidence: Evidence,
    *,
    budget: int = 2000,
    retriever: Retriever = "hybrid",
    precision: float = 0.02,
) -> Score:
    """Mean recall of pseudo-queries that the document asks itself, within a budget of retrieved tokens.

    Queries and their targets are those of `chunkfit.retrieval.probe`; all methods are asked the same ones. The chunks
    of this document alone are searched, by `retriever` (lexical, dense or hybrid), and the last one retrieved is cut at
    the `budget` (o200k_base tokens). Queries come in hundreds until the standard error, which the score carries, is at
    most `precision`, or a thousand were asked.

    Rewards chunks that are found by what they say, and that bring what was asked without much beside it: which size
    that is depends on budget and retriever. It can be gamed by overlap only at its own cost, since each retrieved token
    counts. What a document leaves to ask is random text of its own, so it knows nothing of what people will ask. None
    for a text that fits the budget as a whole, or has nothing to ask. Raises ValueError for a budget below 1 and for a
    precision that is not above 0.
    """
    if budget < 1:
        raise ValueError(f"budget must be at least 1 token, got {budget}")
    if not precision > 0:
        raise ValueError(f"precision must be above 0, got {precision}; 0.02 takes some hundred queries")
    starts, _ = edges(chunking, evidence)
    if not len(starts):
        return Score(None, "there are no chunks")
    if evidence.tokens.total <= budget:
        return Score(None, f"the whole text has {evidence.tokens.total} tokens and fits a budget of {budget}")
    asked = evidence.once(_asked)
    if not asked:
        return Score(None, "the text has no sentences to ask for")
    index = ChunkIndex.of([(evidence, chunking)])
    recalls = np.empty(0)
    for queries, references in asked:
        rankings = index.search_tokens(queries, retriever, budget)
        found = within_budgets(rankings, Relevance.of(index.chunks, references), [budget])[budget].recall
        recalls = np.concatenate([recalls, found])
        error = float(np.std(recalls, ddof=1) / np.sqrt(len(recalls))) if len(recalls) > 1 else 0.0
        if error <= precision:
            break
    return Score(float(np.clip(recalls.mean(), 0, 1)), error=error)


def _asked(evidence: Evidence) -> list[tuple[Queries, References]]:
    """The queries of a document in rounds, prepared once for all chunkings."""
    questions = probe(evidence, MOST).questions
    rounds = [questions[first : first + ROUND] for first in range(0, len(questions), ROUND)]
    embedder, document = evidence.engines.embedder, evidence.document
    return [(Queries([one.text for one in some], embedder), References.of(some, [document])) for some in rounds]
