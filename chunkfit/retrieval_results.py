"""The files of a comparison by retrieval. They may stand in the folder of an evaluation, beside its report.

| file | |
|---|---|
| `retrieval.parquet` | every measure of every question: a row for each of them, a method and a retriever |
| `retrieval-failures.parquet` | documents and questions that took no part, and why |
| `retrieval.html` | all of it for a reader |
| `retrieval.json` | settings, versions and what was left out; written last, with the SHA-256 of every file |
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.reporting.retrieval_page import retrieval_page
from chunkfit.reporting.retrieval_run import RetrievalRun
from chunkfit.results import FAILURES, sha256, write_json, write_rows

RETRIEVAL = pa.schema(
    {
        "doc_name": pa.string(),
        "question_id": pa.string(),  # "" where its file has none
        "question": pa.string(),
        "chunking_method": pa.string(),
        "retriever": pa.string(),
        "measure": pa.string(),  # "recall@2000 tokens"
        "value": pa.float64(),
    }
)
PAGE = "retrieval.html"
MANIFEST = "retrieval.json"
FILES = ("retrieval.parquet", "retrieval-failures.parquet", PAGE)


def require_own(folder: Path) -> None:
    """Raise ValueError where results in that folder would replace files that no comparison wrote."""
    taken = [name for name in FILES if (folder / name).exists()]
    if taken and not (folder / MANIFEST).exists():
        raise ValueError(f"{folder} holds {taken[0]} that is not from a run; choose a new or empty folder")


def write_retrieval(folder: Path, run: RetrievalRun) -> None:
    """Write all files of a run. Raises ValueError where the folder holds files of these names that no run wrote."""
    require_own(folder)
    folder.mkdir(parents=True, exist_ok=True)
    facts = {
        "run_id": run.run_id,
        "corpus": run.corpus,
        "questions": run.questions,
        "budgets": run.budgets,
        "settings": run.settings.model_dump(mode="json"),
        "versions": dict(run.versions),
        "left_out": dict(run.skipped),
    }
    write_json(folder / MANIFEST, facts | {"files": None})  # these files are ours, and not complete
    with pq.ParquetWriter(folder / "retrieval.parquet", RETRIEVAL, compression="zstd") as writer:
        for retriever, found in run.retrievals.items():
            for method, one in found.items():
                writer.write_table(_rows(run, retriever, method, one.values))
    failures = [{"path": one.path, "stage": one.stage, "reason": one.reason} for one in run.failures]
    write_rows(folder / "retrieval-failures.parquet", failures, FAILURES)
    (folder / PAGE).write_text(retrieval_page(run), encoding="utf-8")
    write_json(folder / MANIFEST, facts | {"files": {name: sha256(folder / name) for name in FILES}})


def _rows(run: RetrievalRun, retriever: str, method: str, values: Mapping[str, Sequence[float]]) -> pa.Table:
    """Measure by measure, and within each question by question."""
    asked, measures = len(run.labelled), len(values)
    columns = {
        "doc_name": [without_lone_surrogates(one.document) for one in run.labelled] * measures,
        "question_id": [without_lone_surrogates(one.id) for one in run.labelled] * measures,
        "question": [without_lone_surrogates(one.text) for one in run.labelled] * measures,
        "chunking_method": [method] * asked * measures,
        "retriever": [retriever] * asked * measures,
        "measure": [measure for measure in values for _ in range(asked)],
        "value": list(chain.from_iterable(values.values())),
    }
    return pa.table(columns, schema=RETRIEVAL)
