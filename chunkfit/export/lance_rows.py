"""Chunks as rows of a LanceDB table."""

import re

import pyarrow as pa

from chunkfit.export.columns import VECTOR, vector_column
from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.export.ids import ids
from chunkfit.results import CHUNKS, chunk_table
from chunkfit.retrieval.words import terms

NAMES = {
    "doc_name": "document",
    "method": "method",
    "chunk_index": "index",
    "chunk_text": "text",
    "start": "start",
    "end": "end",
    "chunk_pages": "pages",
    "titles_context": "titles",
    "chunk_len": "tokens",
    "flags": "flags",
}
"""Columns of `chunks.parquet` by the names of a chunk's fields."""

ROWS = pa.schema(
    [
        pa.field("id", pa.string()),
        *(CHUNKS.field(column).with_name(name) for column, name in NAMES.items()),
        pa.field("words", pa.large_string()),  # of the text, apart by blanks: what lexical search goes by
    ]
)
"""What every table has. `score_<metric>` columns and `vector` join it where they are known."""


def score_field(metric: str) -> pa.Field:
    """A name that SQL takes without quotes: `score_BI`, `score_boundary_contrast`."""
    return pa.field(re.sub(r"\W+", "_", f"score_{metric}"), pa.float64())


def lance_rows(found: DocumentChunks, schema: pa.Schema) -> pa.Table:
    """One document in the layout of a table, whose further columns stay null."""
    rows = chunk_table(found.chunks, "no_small_chunks")
    texts = rows["chunk_text"].to_pylist()
    columns = {name: rows[column] for column, name in NAMES.items()}
    columns["id"] = pa.array(ids(found.chunks), pa.string())
    columns["words"] = pa.array([" ".join(terms(text)) for text in texts], pa.large_string())
    for metric, score in found.scores.items():
        columns[score_field(metric).name] = pa.array([score] * len(rows), pa.float64())
    if VECTOR in schema.names:
        columns[VECTOR] = vector_column(found, schema.field(VECTOR))
    return pa.table([columns.get(field.name, pa.nulls(len(rows), field.type)) for field in schema], schema=schema)
