"""Chunks as a table of LanceDB, a vector database in a folder, ready to be searched."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING

import pyarrow as pa

from chunkfit.export.columns import VECTOR, OtherTable, require_embedder, with_vector_field
from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.export.extras import extra
from chunkfit.export.lance_rows import ROWS, lance_rows, score_field
from chunkfit.export.sql import quoted
from chunkfit.results import ROW_GROUP

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.table import Table

TABLE = "chunks"

APPROXIMATE_FROM = 100_000
"""Chunks above which vectors get an index of their own, which misses some; below, each is compared in milliseconds."""

_DOCUMENTS_AT_ONCE = 1000  # each is named in the statement that replaces them


def write_lancedb(
    documents: Iterable[DocumentChunks],
    database: str | PathLike[str],
    *,
    table: str = TABLE,
    approximate_from: int = APPROXIMATE_FROM,
) -> int:
    """Write chunks into a table of the database, made where it is missing; `chunkfit.retrieval.lance` searches it.

    A document that the table holds already, by its name, is replaced whole, whichever method cut it then; other
    documents stay. Writing the same again changes nothing. Documents are written in batches, each of which is there
    whole or not at all. The table gets an index of words, and one of vectors from `approximate_from` chunks on. Its
    metadata names the embedder as `chunkfit.embedder`. Returns the number of documents.

    Raises OtherTable, a ValueError, where the table is not one of chunks or holds vectors of another embedder, or none;
    ValueError where two documents have one name. ModuleNotFoundError where LanceDB is not installed.
    """
    connection = extra("lancedb", "retrieval").connect(fspath(database))
    done, target = 0, None
    for batch in _batches(documents):
        target = target or _opened(connection, table, batch[0])
        _put(target, batch)
        done += len(batch)
    if target is not None:
        _index_vectors(target, approximate_from)
        target.optimize()  # and what is new joins the indexes
    return done


def _batches(documents: Iterable[DocumentChunks]) -> Iterator[Sequence[DocumentChunks]]:
    names: set[str] = set()
    held: list[DocumentChunks] = []
    characters = 0
    for found in documents:
        if found.document in names:
            raise ValueError(f"two documents are named {found.document!r}; names tell documents apart in the table")
        names.add(found.document)
        held.append(found)
        characters += sum(len(chunk.text) for chunk in found.chunks)
        if characters > ROW_GROUP or len(held) == _DOCUMENTS_AT_ONCE:
            yield held
            held, characters = [], 0
    if held:
        yield held


def _opened(connection: "DBConnection", name: str, found: DocumentChunks) -> "Table":
    from lancedb.index import FTS

    try:
        table = connection.open_table(name)
    except ValueError:  # there is none
        table = connection.create_table(name, schema=with_vector_field(ROWS, found))
        # The words are chunkfit's own, one by one: nothing is stemmed, folded or left out, in any language.
        plain = FTS(
            base_tokenizer="whitespace",
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
            max_token_length=None,
            with_position=False,
        )
        table.create_index("words", config=plain)
    missing = [field for field in ROWS if field not in list(table.schema)]
    if missing:
        raise OtherTable(f"the table {name!r} is not one of chunks: it has no {missing[0].name}; choose another name")
    return table


def _put(table: "Table", batch: Sequence[DocumentChunks]) -> None:
    for found in batch:
        require_embedder(table.schema, found)
    wanted = [field for found in batch for field in _own_fields(found)]
    new = {field.name: field for field in wanted if field.name not in table.schema.names}
    if new:
        table.add_columns(pa.schema(list(new.values())))
    schema = table.schema
    rows = pa.concat_tables([lance_rows(found, schema) for found in batch])
    (
        table.merge_insert(["document", "index"])
        .when_matched_update_all()
        .when_not_matched_insert_all()
        .when_not_matched_by_source_delete(f"document IN ({quoted(found.document for found in batch)})")
        .execute(rows, on_bad_vectors="null")  # LanceDB calls a missing vector bad
    )


def _own_fields(found: DocumentChunks) -> Iterator[pa.Field]:
    for metric in found.scores:
        yield score_field(metric)
    if VECTOR in (layout := with_vector_field(pa.schema([]), found)).names:
        yield layout.field(VECTOR)


def _index_vectors(table: "Table", least: int) -> None:
    from lancedb.index import IvfFlat

    indexed = {column for index in table.list_indices() for column in index.columns}
    if VECTOR in table.schema.names and VECTOR not in indexed and table.count_rows(f"{VECTOR} IS NOT NULL") >= least:
        table.create_index(VECTOR, config=IvfFlat(distance_type="cosine"))
