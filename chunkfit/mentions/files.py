"""Mentions computed elsewhere, or kept for a later run: Parquet in the published format.

One row per document: `doc_name`; `mentions`, its chains, each a list of [start, end]; `entity_pron_mentions`, its
pairs, each [[start, end], [start, end]], entity first. Ends are *inclusive* in the file and exclusive everywhere else;
the published mentions take the blank behind them along, and keep it here. No pairs is an empty list; null says that
coreference does not apply. Two columns are ours and optional: `resolver` (what found the mentions) and `reason` (why
there are no pairs).
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chunkfit.errors import BadDocument
from chunkfit.model import Document, Mentions, Pair, Span

MAX_VALUES = 50_000_000
"""Numbers that one file may hold, some 10 million pairs: a few kilobytes of Parquet can claim more than memory."""

_REQUIRED = ("doc_name", "mentions", "entity_pron_mentions")
_OPTIONAL = ("resolver", "reason")
_EXAMPLE = "[[entity start, entity end], [pronoun start, pronoun end]]"


def read_mentions(path: str | Path) -> dict[str, Mentions]:
    """Document name -> its mentions. Raises FileNotFoundError, and ValueError where the file is not as published.

    Offsets are checked for their order alone here; `require_within` checks them against the document.
    """
    import pyarrow as pa

    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"no mentions at {path}; give the path of a Parquet file with {', '.join(_REQUIRED)}")
    with _opened(path) as file:
        _require_published_format(path, file)
        present = set(file.schema_arrow.names)
        columns = [name for name in (*_REQUIRED, *_OPTIONAL) if name in present]
        found: dict[str, Mentions] = {}
        try:
            for batch in file.iter_batches(batch_size=16, columns=columns, use_threads=False):
                for row in batch.to_pylist():
                    name = row["doc_name"]
                    if not name or name in found:
                        what = "one without" if not name else f"two with {name!r}"
                        raise ValueError(f"{path}: each row needs a doc_name of its own, there is {what}")
                    found[name] = _mentions(path, row)
        except (OSError, pa.ArrowException) as error:
            raise ValueError(f"{path} is damaged: {error}; write it again") from error
    return found


def write_mentions(path: str | Path, mentions: Mapping[str, Mentions]) -> None:
    """Write mentions by document name so that `read_mentions` gives them back, and other readers of the format can."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    spans = pa.list_(pa.list_(pa.list_(pa.int64())))
    schema = pa.schema(
        [
            ("doc_name", pa.string()),
            ("mentions", spans),
            ("entity_pron_mentions", spans),
            ("resolver", pa.string()),
            ("reason", pa.string()),
        ]
    )
    rows = [
        {
            "doc_name": name,
            "mentions": [[_inclusive(span) for span in chain] for chain in found.chains],
            "entity_pron_mentions": None
            if found.pairs is None
            else [[_inclusive(pair.entity), _inclusive(pair.pronoun)] for pair in found.pairs],
            "resolver": found.resolver,
            "reason": found.reason,
        }
        for name, found in mentions.items()
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema), Path(path), compression="zstd")


def require_within(document: Document, mentions: Mentions) -> None:
    """Raise BadDocument where a pair reaches beyond the document's text: it was found in another text."""
    furthest = max((max(pair.entity.end, pair.pronoun.end) for pair in mentions.pairs or ()), default=0)
    if furthest > len(document.text):
        raise BadDocument(
            f"the mentions given for {document.name!r} reach offset {furthest}, its text has {len(document.text)} "
            "code points; they were found in another text: find them again in this one"
        )


def _opened(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise ValueError(f"{path} is not a Parquet file: {error}") from error


def _require_published_format(path: Path, file: Any) -> None:
    import pyarrow as pa

    schema = file.schema_arrow
    missing = [name for name in _REQUIRED if name not in schema.names]
    if missing:
        raise ValueError(
            f"{path} lacks the column {' and '.join(missing)}; mentions need {', '.join(_REQUIRED)}, "
            f"this has {', '.join(schema.names)}"
        )
    for name, what in (("mentions", "lists of [start, end]"), ("entity_pron_mentions", _EXAMPLE)):
        if _list_depth(schema.field(name).type, pa) != 3:
            raise ValueError(f"{path}: {name} must hold lists of {what} of integers, not {schema.field(name).type}")
    if not _is_text(schema.field("doc_name").type, pa):
        raise ValueError(f"{path}: doc_name must hold text, not {schema.field('doc_name').type}")
    claimed = sum(
        file.metadata.row_group(group).column(column).num_values
        for group in range(file.metadata.num_row_groups)
        for column in range(file.metadata.num_columns)
    )
    if claimed > MAX_VALUES:
        raise ValueError(f"{path} claims {claimed} values, at most {MAX_VALUES} are read; split it by document")


def _list_depth(kind: Any, pa: Any) -> int:
    """How many lists lie around integers (or around nothing: a file without any mention); 0 for anything else."""
    depth = 0
    while pa.types.is_list(kind) or pa.types.is_large_list(kind):
        depth, kind = depth + 1, kind.value_type
    if pa.types.is_null(kind):
        return 3
    return depth if pa.types.is_integer(kind) else 0


def _is_text(kind: Any, pa: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _mentions(path: Path, row: dict[str, Any]) -> Mentions:
    name, pairs = row["doc_name"], row["entity_pron_mentions"]
    where = f"{path}, {name!r}"
    chains = tuple(tuple(_span(where, mention) for mention in _listed(where, chain)) for chain in row["mentions"] or ())
    reason = row.get("reason")
    if pairs is None and not reason:
        reason = f"{path.name} has no pairs for this document"
    return Mentions(
        resolver=row.get("resolver") or f"read from {path.name}",
        chains=chains,
        pairs=None if pairs is None else tuple(_pairs(where, pairs)),
        reason=reason,
    )


def _pairs(where: str, pairs: list[Any]) -> Iterator[Pair]:
    for pair in pairs:
        if pair is None or len(pair) != 2:
            raise ValueError(f"{where}: a pair must be {_EXAMPLE}, got {pair}")
        entity, pronoun = pair
        yield Pair(_span(where, entity), _span(where, pronoun))


def _span(where: str, mention: Any) -> Span:
    if mention is None or len(mention) != 2 or None in mention:
        raise ValueError(f"{where}: a mention must be [start, end], got {mention}")
    start, end = mention
    if not 0 <= start <= end:
        raise ValueError(f"{where}: a mention needs 0 <= start <= end, both inclusive, got {mention}")
    return Span(start, end + 1)


def _listed(where: str, chain: Any) -> list[Any]:
    if chain is None:
        raise ValueError(f"{where}: a chain must be a list of [start, end], got null")
    return list(chain)


def _inclusive(span: Span) -> list[int]:
    return [span.start, span.end - 1]
