"""The vectors of chunks as a column of an Arrow table."""

import numpy as np
import pyarrow as pa

from chunkfit.export.document_chunks import DocumentChunks

VECTOR = "vector"


class OtherTable(ValueError):  # noqa: N818
    """What is there already cannot take these chunks."""


EMBEDDER = "chunkfit.embedder"
"""In a table's metadata: whose vectors it holds. Absent where it holds none."""


def with_vector_field(schema: pa.Schema, found: DocumentChunks) -> pa.Schema:
    """The schema of a table for chunks such as these: their embedder, and a column where dimensions are known.

    A document without visible text has vectors of no dimension.
    """
    if found.vectors is None:
        return schema
    dimensions = found.vectors.rows.shape[1]
    if dimensions:
        schema = schema.append(pa.field(VECTOR, pa.list_(pa.float32(), dimensions)))
    return schema.with_metadata({EMBEDDER: found.vectors.embedder})


def embedder_of(schema: pa.Schema) -> str | None:
    named = (schema.metadata or {}).get(EMBEDDER.encode())
    return None if named is None else named.decode()


def require_embedder(schema: pa.Schema, found: DocumentChunks) -> None:
    """Raise OtherTable where the table holds vectors of another embedder: they cannot be compared."""
    there, given = embedder_of(schema), None if found.vectors is None else found.vectors.embedder
    if there != given:
        raise OtherTable(
            f"the table holds {_vectors_of(there)} and {found.document!r} comes with {_vectors_of(given)}; "
            "use the same embedder for all, or a table for each"
        )


def vector_column(found: DocumentChunks, field: pa.Field) -> pa.Array:
    """A list of fixed size for each chunk; null for zeros, which are alike to nothing."""
    if found.vectors is None or not found.vectors.rows.shape[1]:
        return pa.nulls(len(found.chunks), field.type)
    rows = np.ascontiguousarray(found.vectors.rows, np.float32)
    if rows.shape[1] != field.type.list_size:
        raise OtherTable(
            f"the table has {field.type.list_size} dimensions a vector and {found.document!r} has {rows.shape[1]}"
        )
    return pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), type=field.type, mask=pa.array(~rows.any(axis=1)))


def _vectors_of(embedder: str | None) -> str:
    return "no vectors" if embedder is None else f"vectors of {embedder}"
