"""Search in a table of chunks in LanceDB, as `chunkfit.export.write_lancedb` writes it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from chunkfit.engines import Embedder
from chunkfit.export.columns import VECTOR, embedder_of
from chunkfit.export.lance_rows import NAMES
from chunkfit.export.sql import quoted
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.model import Chunk
from chunkfit.retrieval.fusion import K
from chunkfit.retrieval.index import Retriever
from chunkfit.retrieval.words import terms

if TYPE_CHECKING:
    from lancedb.query import LanceQueryBuilder
    from lancedb.table import Table

CANDIDATES = 200
"""Places of each ranking that hybrid search looks at."""


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk and how well it answers a query; what the score is depends on the retriever."""

    id: str
    chunk: Chunk
    score: float


def search(
    table: "Table",
    query: str,
    retriever: Retriever = "hybrid",
    limit: int = 10,
    *,
    embedder: Embedder | None = None,
    documents: Collection[str] | None = None,
    candidates: int = CANDIDATES,
) -> tuple[Found, ...]:
    """The best chunks, best first, and equal ones by document and place; of the named documents alone, if any.

    "lexical" is LanceDB's BM25 over the words that chunkfit finds (k1 = 1.2, where `ChunkIndex` has 1.5; chunks without
    words do not count; a word cut by a chunk's end counts as what is left of it). "dense" goes by the cosine of the
    vectors, compared with each one unless the table has an index of them. "hybrid" is the reciprocal rank fusion of the
    first `candidates` of both. The query is never read as a query language.

    Dense and hybrid search need the `embedder` of the table. Raises ValueError where it is another, where the table has
    no vectors, for an unknown retriever, and for a limit below 1.
    """
    if retriever not in get_args(Retriever):
        raise ValueError(f"unknown retriever {retriever!r}; known: {', '.join(get_args(Retriever))}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1, got {limit}")
    if retriever == "lexical":
        return _lexical(table, query, limit, documents)
    if retriever == "dense":
        return _dense(table, query, limit, documents, embedder)
    most = max(limit, candidates)
    return _fused(_lexical(table, query, most, documents), _dense(table, query, most, documents, embedder))[:limit]


def _lexical(table: "Table", query: str, limit: int, documents: Collection[str] | None) -> tuple[Found, ...]:
    words = terms(without_lone_surrogates(query))
    if not words:
        return ()
    rows = _rows(table.search(" ".join(words), query_type="fts", fts_columns="words"), limit, documents)
    return _ordered(_found(row, row["_score"]) for row in rows)


def _dense(
    table: "Table", query: str, limit: int, documents: Collection[str] | None, embedder: Embedder | None
) -> tuple[Found, ...]:
    vector = _required(embedder, table).queries([query])[0]
    if VECTOR not in table.schema.names or not vector.any():
        return ()
    nearest: Any = table.search(vector, vector_column_name=VECTOR)
    rows = _rows(nearest.distance_type("cosine"), limit, documents)
    return _ordered(_found(row, 1 - row["_distance"]) for row in rows)


def _required(embedder: Embedder | None, table: "Table") -> Embedder:
    there = embedder_of(table.schema)
    if there is None:
        raise ValueError(f"the table {table.name!r} has no vectors; search it with the retriever 'lexical'")
    if embedder is None:
        raise ValueError(f"vectors are searched with a vector of the query; give the embedder {there}")
    if embedder.id != there:
        raise ValueError(f"the table {table.name!r} holds vectors of {there}; {embedder.id} was given")
    return embedder


def _fused(*rankings: Sequence[Found]) -> tuple[Found, ...]:
    """Reciprocal rank fusion: the sum of 1 / (K + place) over the rankings that a chunk is in."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking, start=1):
            scores[one.id] = scores.get(one.id, 0.0) + 1 / (K + place)
    found = {one.id: one for ranking in rankings for one in ranking}
    return _ordered(replace(found[id], score=score) for id, score in scores.items())


def _rows(query: "LanceQueryBuilder", limit: int, documents: Collection[str] | None) -> list[dict[str, Any]]:
    if documents is not None:
        query = query.where(f"document IN ({quoted(documents)})" if documents else "false", prefilter=True)
    return query.limit(limit).to_list()


def _found(row: dict[str, Any], score: float) -> Found:
    values = {name: row[name] for name in NAMES.values()}
    sequences = {name: tuple(values[name]) for name in ("pages", "titles", "flags")}
    return Found(row["id"], Chunk(**values | sequences), score)


def _ordered(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple(sorted(found, key=lambda one: (-one.score, one.chunk.document, one.chunk.index)))
