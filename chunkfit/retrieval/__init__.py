"""Retrieval: what comes back of a text when its chunks are searched, with labelled questions and without.

index = ChunkIndex.of([(evidence, chunking), ...])
queries = Queries([question.text for question in labelled], evidence.engines.embedder)
relevance = Relevance.of(index.chunks, References.of(labelled, [evidence.document, ...]))
rankings = index.search_tokens(queries, "hybrid", 2000)
within_budgets(rankings, relevance, (500, 1000, 2000))[2000].recall.mean()
"""

from chunkfit.retrieval.budgeted import within_budgets
from chunkfit.retrieval.chunks import Chunks
from chunkfit.retrieval.fusion import reciprocal_rank_fusion
from chunkfit.retrieval.index import ChunkIndex, Retriever
from chunkfit.retrieval.labelled import Labelled
from chunkfit.retrieval.lexical import Bm25
from chunkfit.retrieval.measures import SpanMeasures, at_chunks, precision_omega
from chunkfit.retrieval.queries import Queries
from chunkfit.retrieval.ranked import RankedMeasures, at_places
from chunkfit.retrieval.ranking import Rankings, Scores, best
from chunkfit.retrieval.references import References
from chunkfit.retrieval.relevance import Relevance

__all__ = [
    "Bm25",
    "ChunkIndex",
    "Chunks",
    "Labelled",
    "Queries",
    "RankedMeasures",
    "Rankings",
    "References",
    "Relevance",
    "Retriever",
    "Scores",
    "SpanMeasures",
    "at_chunks",
    "at_places",
    "best",
    "precision_omega",
    "reciprocal_rank_fusion",
    "within_budgets",
]
