"""Rows of CSV, JSONL and Parquet files. Nothing in them is trusted: what cannot be read is an error that says where."""

import csv
import io
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkfit import strict_json
from chunkfit.errors import BadDocument
from chunkfit.parsing.decoding import decode
from chunkfit.questions.parquet import parquet_columns

MAX_BYTES = 256_000_000
"""Of one file: a million questions with their excerpts."""

_FIELD_LIMIT = threading.Lock()  # csv knows one limit for the whole process


@dataclass(frozen=True, slots=True)
class Row:
    number: int  # from 1; the header of a CSV file is row 1
    values: Mapping[str, Any]  # by column, their names in lower case; a CSV file holds strings alone


def read_rows(path: Path, *, max_bytes: int = MAX_BYTES) -> tuple[Row, ...]:
    """All rows that are not blank, by the file's suffix: .csv, .jsonl or .ndjson, .parquet.

    Text files are UTF-8 or have a byte-order mark. A CSV file has commas, quotes doubled inside quotes, and fields of
    any length. Raises FileNotFoundError, and ValueError that names the file and where it can the row; for Parquet also
    EngineUnavailable where no child process can be started.
    """
    readers = {".csv": _csv, ".jsonl": _jsonl, ".ndjson": _jsonl, ".parquet": _parquet}
    if not path.is_file():
        raise FileNotFoundError(f"no questions at {path}; give a file that ends in {', '.join(readers)}")
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"{path}: questions come in files that end in {', '.join(readers)}; name it after what it is")
    if path.stat().st_size > max_bytes:
        raise ValueError(f"{path} is larger than {max_bytes:,} bytes; split it")
    return tuple(reader(path))


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes())
    except BadDocument as error:
        raise ValueError(f"{path}: {error}") from error


def _csv(path: Path) -> Iterator[Row]:
    with _fields_of_any_length():
        reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
        rows = []
        try:
            for row in reader:
                rows.append(row)
        except csv.Error as error:
            raise ValueError(
                f"{path}, row {len(rows) + 1}: {error}, up to line {reader.line_num}; quotes inside a quoted field "
                "are doubled"
            ) from error
    if not rows:
        raise ValueError(f"{path} is empty; its first row names the columns")
    names = [name.strip().lower() for name in rows[0]]
    _require_distinct(path, names)
    for number, row in enumerate(rows[1:], start=2):
        if not any(value.strip() for value in row):
            continue
        if len(row) != len(names):
            raise ValueError(
                f"{path}, row {number}: {len(row)} fields for {len(names)} columns ({', '.join(names)}); fields are "
                "separated by commas, and one with a comma in it stands in double quotes"
            )
        yield Row(number, dict(zip(names, row, strict=True)))


@contextmanager
def _fields_of_any_length() -> Iterator[None]:
    with _FIELD_LIMIT:
        before = csv.field_size_limit(MAX_BYTES)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _jsonl(path: Path) -> Iterator[Row]:
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = strict_json.loads(line)
        except ValueError as error:
            raise ValueError(f"{path}, row {number}: not readable as JSON: {error}; each line is one object") from error
        if not isinstance(value, dict):
            raise ValueError(f"{path}, row {number}: each line is a JSON object, got {strict_json.shown(value)}")
        names = [name.strip().lower() for name in value]
        _require_distinct(f"{path}, row {number}", names)
        yield Row(number, dict(zip(names, value.values(), strict=True)))


def _parquet(path: Path) -> Iterator[Row]:
    columns, rows = parquet_columns(path)
    names = [name.strip().lower() for name in columns]
    _require_distinct(path, names)
    for number, values in enumerate(rows, start=1):
        yield Row(number, dict(zip(names, values, strict=True)))


def _require_distinct(where: str | Path, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{where}: the column {name!r} is there twice; rename or remove one")
