"""Chunks as one Parquet file."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from chunkfit.export.columns import VECTOR, require_embedder, vector_column, with_vector_field
from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.export.ids import ids
from chunkfit.results import CHUNKS, ROW_GROUP, chunk_table

SCORES = pa.list_(pa.struct({"metric": pa.string(), "score": pa.float64()}))


def write_parquet(documents: Iterable[DocumentChunks], file: IO[bytes]) -> int:
    """Write the columns of a run's `chunks.parquet` and `id`, `scores`, and `vector` where there are vectors.

    The file's metadata names the embedder as `chunkfit.embedder`. Returns the number of documents; memory holds one row
    group. Raises OtherTable, a ValueError, where documents have vectors of different embedders, or some have none.
    """
    documents = iter(documents)
    first = list(_up_to_a_known_layout(documents))
    schema = CHUNKS.insert(0, pa.field("id", pa.string())).append(pa.field("scores", SCORES))
    if first:
        schema = with_vector_field(schema, first[-1])
    done = characters = 0
    held: list[pa.Table] = []
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for found in chain(first, documents):
            done += 1
            held.append(_rows(found, schema))
            characters += sum(len(chunk.text) for chunk in found.chunks)
            if characters > ROW_GROUP:
                writer.write_table(pa.concat_tables(held))
                held, characters = [], 0
        if held:
            writer.write_table(pa.concat_tables(held))
    return done


def _up_to_a_known_layout(documents: Iterator[DocumentChunks]) -> Iterator[DocumentChunks]:
    for found in documents:
        yield found
        if found.vectors is None or found.vectors.rows.shape[1]:
            return


def _rows(found: DocumentChunks, schema: pa.Schema) -> pa.Table:
    require_embedder(schema, found)
    rows = chunk_table(found.chunks, "no_small_chunks")
    scores = [{"metric": metric, "score": score} for metric, score in found.scores.items()]
    columns = dict(zip(rows.column_names, rows.columns, strict=True))
    columns["id"] = pa.array(ids(found.chunks), pa.string())
    columns["scores"] = pa.array([scores] * len(rows), SCORES)
    if VECTOR in schema.names:
        columns[VECTOR] = vector_column(found, schema.field(VECTOR))
    return pa.table(columns, schema)
