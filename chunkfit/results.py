"""The folder that a run leaves: joined tables as Parquet, settings, versions, the report, and a manifest of them all.

| file | what |
|---|---|
| `chunks.parquet` | every chunk of every method, before, during and after post-processing |
| `scores.parquet` | every metric of every method on every document, with what chance gives |
| `selection.parquet` | the method of each document, the ranking, the margin and the reason |
| `comparisons.parquet` | every method beside chunks that people made, where some were given |
| `failures.parquet` | what could not be used, and why |
| `settings.json`, `versions.json` | all that decided the outcome besides the documents |
| `report.html` | all of it for a reader |
| `manifest.json` | written last: what the run depends on, and the SHA-256 of every file |
"""

import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from chunkfit.chunking import method as named
from chunkfit.engines import Engines
from chunkfit.evidence import Evidence
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.metrics import measured, profiles
from chunkfit.model import Chunk, Chunking
from chunkfit.pipeline import Evaluation, methods
from chunkfit.postprocessing import chunks
from chunkfit.reporting import DocumentReport, RunSummary, report
from chunkfit.settings import Settings

ROW_GROUP = 16_000_000  # characters of chunk text held before they are written: memory does not grow with the corpus

# Column names are those of the published reference where the two overlap.
CHUNKS = pa.schema(
    {
        "doc_name": pa.string(),
        "method": pa.string(),
        "type": pa.string(),  # raw, no_oversizing, no_small_chunks
        "chunk_index": pa.int64(),
        "chunk_text": pa.large_string(),
        "chunk_pages": pa.list_(pa.int64()),
        "titles_context": pa.list_(pa.string()),
        "chunk_len": pa.int64(),  # o200k_base tokens
        "start": pa.int64(),  # code points of the document's text, half-open
        "end": pa.int64(),
        "flags": pa.list_(pa.string()),
    }
)
SCORES = pa.schema(
    {
        "doc_name": pa.string(),
        "chunking_method": pa.string(),
        "metric_name": pa.string(),
        "score": pa.float64(),
        "reason": pa.string(),
        "chance_mean": pa.float64(),
        "chance_deviation": pa.float64(),
        "lift": pa.float64(),
    }
)
SELECTION = pa.schema(
    {
        "doc_name": pa.string(),
        "best": pa.string(),
        "mean": pa.float64(),
        "margin": pa.float64(),
        "tied": pa.list_(pa.string()),
        "reason": pa.string(),
        "ranking": pa.list_(pa.struct({"method": pa.string(), "mean": pa.float64(), "chunks": pa.int64()})),
        "disqualified": pa.list_(pa.struct({"method": pa.string(), "reason": pa.string()})),
        "metrics": pa.list_(pa.string()),
        "left_out": pa.list_(pa.struct({"metric": pa.string(), "reason": pa.string()})),
        "unread": pa.list_(pa.string()),  # what the file shows and the text lacks
    }
)
COMPARISONS = pa.schema(
    {
        "doc_name": pa.string(),
        "chunking_method": pa.string(),
        "measure": pa.string(),
        "value": pa.float64(),  # mean over the annotators
        "best": pa.float64(),  # against the one that it agrees with most
        "better": pa.string(),  # higher or lower
        "reason": pa.string(),
        "chance": pa.list_(pa.struct({"level": pa.string(), "value": pa.float64()})),
        "annotators": pa.int64(),
    }
)
FAILURES = pa.schema({"path": pa.string(), "stage": pa.string(), "reason": pa.string()})

FILES = (
    "chunks.parquet",
    "scores.parquet",
    "selection.parquet",
    "comparisons.parquet",
    "failures.parquet",
    "settings.json",
    "versions.json",
    "report.html",
)
MANIFEST = "manifest.json"

_PACKAGES = (
    *("chunkfit", "docling", "gensim", "numpy", "openai", "pyarrow", "pysbd", "segeval", "sentence-transformers"),
    *("spacy", "tiktoken", "tokenizers", "torch", "transformers", "wordllama"),
)


def require_ours(folder: Path) -> None:
    """Raise ValueError where a run in that folder would replace files that no run wrote."""
    taken = [name for name in FILES if (folder / name).exists()]
    if taken and not (folder / MANIFEST).exists():
        raise ValueError(f"{folder} holds {taken[0]} that is not from a run; choose a new or empty folder")


def is_written(folder: Path, key: str) -> bool:
    """Whether the folder holds the whole run of that key, every file as it was written."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return manifest["key"] == key and all(sha256(folder / name) == manifest["files"][name] for name in FILES)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write_run(folder: Path, key: str, run: RunSummary, evaluations: Iterable[Evaluation]) -> None:
    """Write everything about a run into a folder. Documents are read one by one and none is kept.

    `key` says what the run depends on; `is_written` knows the folder by it. Raises ValueError where the folder holds
    files of these names that no run wrote.
    """
    require_ours(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / MANIFEST, {"run_id": run.run_id, "key": None})  # these files are ours, and not complete
    scores: list[dict[str, Any]] = []
    selections: list[dict[str, Any]] = []
    comparisons: list[dict[str, Any]] = []
    with pq.ParquetWriter(folder / "chunks.parquet", CHUNKS, compression="zstd") as writer:
        table = _ChunkTable(writer)

        def documents() -> Iterator[DocumentReport]:
            for evaluation in evaluations:
                finals = table.add(evaluation)
                scores.extend(_scores(evaluation))
                selections.append(_selection(evaluation))
                comparisons.extend(_comparisons(evaluation))
                yield DocumentReport(
                    document=evaluation.document,
                    scorecards=evaluation.scorecards,
                    selection=evaluation.selection,
                    chunkings={method: stages[-1] for method, stages in evaluation.stages.items()},
                    tokens={method: tuple(chunk.tokens for chunk in final) for method, final in finals.items()},
                    mentions=evaluation.mentions,
                    similarity=evaluation.similarity,
                    comparisons=tuple(evaluation.comparisons.values()),
                )

        (folder / "report.html").write_text(report(run, documents()), encoding="utf-8")
        table.flush()
    failures = [{"path": one.path, "stage": one.stage, "reason": one.reason} for one in run.failures]
    write_rows(folder / "scores.parquet", scores, SCORES)
    write_rows(folder / "selection.parquet", selections, SELECTION)
    write_rows(folder / "comparisons.parquet", comparisons, COMPARISONS)
    write_rows(folder / "failures.parquet", failures, FAILURES)
    write_json(folder / "settings.json", run.settings.model_dump(mode="json"))
    write_json(folder / "versions.json", dict(run.versions))
    files = {name: sha256(folder / name) for name in FILES}
    write_json(folder / MANIFEST, {"run_id": run.run_id, "key": key, "files": files})


def versions(settings: Settings, engines: Engines) -> dict[str, str]:
    """Everything with a version that has a say in the results."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    ids = {kind.name: getattr(engines, kind.name) for kind in fields(Engines)}
    found |= {kind: engine.id for kind, engine in ids.items() if engine is not None}
    found |= {f"chunker {name}": str(named(name).part.version) for name in methods(settings)}
    found |= {f"metric {part.name}": str(part.version) for part in profiles[settings.profile]}
    found |= {f"diagnostic {part.name}": str(part.version) for part in measured(settings)}
    return found


class _ChunkTable:
    """Rows of `chunks.parquet`, written in groups of bounded size."""

    def __init__(self, writer: pq.ParquetWriter) -> None:
        self._writer = writer
        self._tables: list[pa.Table] = []
        self._characters = 0

    def add(self, evaluation: Evaluation) -> dict[str, tuple[Chunk, ...]]:
        """Add all chunks of one document; those of the final stages by method."""
        evidence = Evidence(evaluation.document, evaluation.engines, evaluation.mentions)
        finals: dict[str, tuple[Chunk, ...]] = {}
        for method, stages in evaluation.stages.items():
            before: Chunking | None = None
            for stage in stages:
                if before is None or (stage.spans, stage.flags) != (before.spans, before.flags):
                    finals[method] = chunks(stage, evidence)
                    table = chunk_table(finals[method], stage.stage)
                else:  # most methods leave nothing to repair
                    table = _as_stage(table, stage.stage)
                before = stage
                self._add(table, sum(map(len, stage.spans)))
        return finals

    def _add(self, table: pa.Table, characters: int) -> None:
        self._tables.append(table)
        self._characters += characters
        if self._characters > ROW_GROUP:
            self.flush()

    def flush(self) -> None:
        if self._tables:
            table = pa.concat_tables(self._tables)
            self._writer.write_table(table, row_group_size=table.num_rows)
        self._tables.clear()
        self._characters = 0


def chunk_table(found: Sequence[Chunk], stage: str) -> pa.Table:
    """Chunks as rows of `chunks.parquet`."""
    columns = {
        "doc_name": [without_lone_surrogates(chunk.document) for chunk in found],
        "method": [chunk.method for chunk in found],
        "type": [stage] * len(found),
        "chunk_index": [chunk.index for chunk in found],
        "chunk_text": [without_lone_surrogates(chunk.text) for chunk in found],
        "chunk_pages": [chunk.pages for chunk in found],
        "titles_context": [[without_lone_surrogates(title) for title in chunk.titles] for chunk in found],
        "chunk_len": [chunk.tokens for chunk in found],
        "start": [chunk.start for chunk in found],
        "end": [chunk.end for chunk in found],
        "flags": [chunk.flags for chunk in found],
    }
    return pa.table(columns, schema=CHUNKS)


def _as_stage(table: pa.Table, stage: str) -> pa.Table:
    return table.set_column(CHUNKS.get_field_index("type"), CHUNKS.field("type"), pa.array([stage] * len(table)))


def _scores(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for card in evaluation.scorecards:
        for metric, score in (*card.scores.items(), *card.diagnostics.items()):
            yield {
                "doc_name": evaluation.document.name,
                "chunking_method": card.method,
                "metric_name": metric,
                "score": score.value,
                "reason": score.reason,
                "chance_mean": None if score.chance is None else score.chance.mean,
                "chance_deviation": None if score.chance is None else score.chance.deviation,
                "lift": score.lift,
            }


def _selection(evaluation: Evaluation) -> dict[str, Any]:
    chosen = evaluation.selection
    return {
        "doc_name": evaluation.document.name,
        "best": chosen.best,
        "mean": chosen.ranking[0].mean if chosen.ranking else None,
        "margin": chosen.margin,
        "tied": chosen.tied,
        "reason": chosen.reason,
        "ranking": [{"method": one.method, "mean": one.mean, "chunks": one.chunks} for one in chosen.ranking],
        "disqualified": _pairs("method", chosen.disqualified),
        "metrics": chosen.metrics,
        "left_out": _pairs("metric", chosen.left_out),
        "unread": [without_lone_surrogates(what) for what in evaluation.document.unread],
    }


def _comparisons(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for method, comparison in evaluation.comparisons.items():
        for name, measure in comparison.measures.items():
            yield {
                "doc_name": evaluation.document.name,
                "chunking_method": method,
                "measure": name,
                "value": measure.value,
                "best": measure.best,
                "better": measure.better,
                "reason": measure.reason,
                "chance": [{"level": level, "value": value} for level, value in measure.chance.items()],
                "annotators": comparison.annotators,
            }


def _pairs(name: str, reasons: Mapping[str, str]) -> list[dict[str, str]]:
    return [{name: key, "reason": reason} for key, reason in reasons.items()]


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> None:
    """Write a Parquet file; what UTF-8 cannot hold is replaced."""
    clean = [
        {name: without_lone_surrogates(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in rows
    ]
    pq.write_table(pa.Table.from_pylist(clean, schema), path, compression="zstd")


def write_json(path: Path, value: object) -> None:
    """Write a JSON file for readers."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """Of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
