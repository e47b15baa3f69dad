"""The chosen chunks of a run, from the folder that it left: nothing is parsed or cut again."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from chunkfit.engines import Embedder
from chunkfit.engines.making import engines
from chunkfit.engines.registry import EngineContext
from chunkfit.export.choosing import with_vectors
from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.model import Chunk
from chunkfit.results import MANIFEST
from chunkfit.settings import Settings

T = TypeVar("T")

_READ = ("chunks.parquet", "scores.parquet", "selection.parquet", "settings.json", "versions.json")
_ROWS_AT_ONCE = 10_000


def export_run(
    folder: str | Path,
    target: Callable[[Iterable[DocumentChunks]], T],
    *,
    vectors: bool = False,
    context: EngineContext = EngineContext(),  # noqa: B008 - frozen
) -> T:
    """Give the chosen chunks of a run to `target`, and return what it returns.

    >>> export_run("data/runs/minutes-49228e01", langchain_documents)
    >>> export_run("data/runs/minutes-49228e01", partial(write_lancedb, database="minutes.lance"), vectors=True)

    With `vectors`, the run's embedder reads the documents again. Raises as `chosen_in` and `embedder_of_run` do.
    """
    found = chosen_in(folder)
    if vectors:
        embedder = embedder_of_run(folder, context)
        found = (with_vectors(one, embedder) for one in found)
    return target(found)


def chosen_in(folder: str | Path) -> Iterator[DocumentChunks]:
    """The final chunks of each document by the method chosen for it, with its scores; one document in memory at a time.

    Documents for which no method could be used are left out. Raises ValueError where the folder does not hold a whole
    run, as it was written.
    """
    folder = Path(folder)
    _require_whole(folder)
    return _chosen(folder)


def embedder_of_run(folder: str | Path, context: EngineContext = EngineContext()) -> Embedder:  # noqa: B008 - frozen
    """The embedder that the run's settings name. Raises ValueError where that has become another one since the run."""
    folder = Path(folder)
    _require_whole(folder)
    settings = Settings.model_validate_json((folder / "settings.json").read_text(encoding="utf-8"))
    then = json.loads((folder / "versions.json").read_text(encoding="utf-8"))["embedder"]
    embedder = engines(settings.engines, context).embedder
    if embedder.id != then:
        raise ValueError(
            f"the run's embedder was {then}, and {settings.engines.embedder!r} is {embedder.id} now; evaluate again"
        )
    return embedder


def _require_whole(folder: Path) -> None:
    try:
        files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        changed = [name for name in _READ if files[name] != _sha256(folder / name)]
    except (OSError, ValueError, KeyError, TypeError):
        raise ValueError(f"{folder} does not hold a whole run; give the folder that `flows evaluate` names") from None
    if changed:
        raise ValueError(f"{folder / changed[0]} is not as the run wrote it; evaluate again")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _chosen(folder: Path) -> Iterator[DocumentChunks]:
    selection = pq.read_table(folder / "selection.parquet", columns=["doc_name", "best"]).to_pydict()
    best = dict(zip(selection["doc_name"], selection["best"], strict=True))
    scores = _scores(folder, best)
    for document, rows in groupby(_rows(folder, best), key=lambda row: row["doc_name"]):
        yield DocumentChunks(document, tuple(map(_chunk, rows)), scores[document])


def _rows(folder: Path, best: Mapping[str, str | None]) -> Iterator[dict[str, Any]]:
    """Rows of the final chunks. Those of one document stand together."""
    with pq.ParquetFile(folder / "chunks.parquet") as file:
        for batch in file.iter_batches(_ROWS_AT_ONCE):
            final = batch.filter(pc.equal(batch["type"], "no_small_chunks"))
            wanted = [best.get(name) for name in final["doc_name"].to_pylist()]
            yield from final.filter(pc.equal(final["method"], pa.array(wanted, pa.string()))).to_pylist()


def _scores(folder: Path, best: Mapping[str, str | None]) -> Mapping[str, Mapping[str, float | None]]:
    found: defaultdict[str, dict[str, float | None]] = defaultdict(dict)
    columns = ["doc_name", "chunking_method", "metric_name", "score"]
    with pq.ParquetFile(folder / "scores.parquet") as file:
        for batch in file.iter_batches(_ROWS_AT_ONCE, columns=columns):
            for row in batch.to_pylist():
                if best.get(row["doc_name"]) == row["chunking_method"]:
                    found[row["doc_name"]][row["metric_name"]] = row["score"]
    return found


def _chunk(row: Mapping[str, Any]) -> Chunk:
    return Chunk(
        document=row["doc_name"],
        method=row["method"],
        index=row["chunk_index"],
        text=row["chunk_text"],
        start=row["start"],
        end=row["end"],
        pages=tuple(row["chunk_pages"]),
        titles=tuple(row["titles_context"]),
        tokens=row["chunk_len"],
        flags=tuple(row["flags"]),
    )
