"""Rows of a Parquet file, read where it can be killed: a few damaged bytes abort the library's whole process."""

import atexit
import json
from functools import cache
from pathlib import Path
from typing import Any

from chunkfit.errors import BadDocument
from chunkfit.isolation import CallFailed, Pool

MAX_VALUES = 20_000_000
"""Values that one file may hold: a few kilobytes of Parquet can claim more than memory."""

_MAX_UNCOMPRESSED_BYTES = 1_000_000_000
_SECONDS = 120.0  # a million questions take a few
_MEMORY_BYTES = 6_000_000_000
_READ = f"{__name__}.read"


def parquet_columns(path: Path) -> tuple[list[str], list[list[Any]]]:
    """The names of the columns, and the rows as values of JSON; what JSON has no value for becomes a text.

    Raises ValueError where the file cannot be read, EngineUnavailable where no child process can be started.
    """
    try:
        names, rows = json.loads(
            _pool().call(_READ, {"path": str(path.absolute())}, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES)
        )
    except (CallFailed, BadDocument) as failure:
        said = " ".join(str(failure).split())[:300]
        raise ValueError(
            f"{path} is not a Parquet file that can be read, or damaged: {said}; write it again"
        ) from failure
    return names, rows


def read(path: str) -> str:
    """The child's side: names and rows as JSON. Raises BadDocument where the file claims too much."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        _require_modest(file.metadata)
        rows: list[tuple[Any, ...]] = []
        for batch in file.iter_batches(use_threads=False):
            rows += zip(*(column.to_pylist() for column in batch.columns), strict=True)
        return json.dumps([file.schema_arrow.names, rows], default=str)


def _require_modest(metadata: Any) -> None:
    groups = (metadata.row_group(group) for group in range(metadata.num_row_groups))
    columns = [group.column(column) for group in groups for column in range(metadata.num_columns)]
    values, size = sum(c.num_values for c in columns), sum(c.total_uncompressed_size for c in columns)
    if values > MAX_VALUES or size > _MAX_UNCOMPRESSED_BYTES:
        raise BadDocument(f"it claims {values:,} values and {size:,} bytes, at most {MAX_VALUES:,} values are read")


@cache
def _pool() -> Pool:
    pool = Pool([_READ], size=1)
    atexit.register(pool.close)
    return pool
