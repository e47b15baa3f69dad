"""Methods are compared by what they retrieve: nothing is done twice, and what takes no part is told."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.parsing import discover, parse
from chunkfit.pipeline import cut
from chunkfit.retrieval import ChunkIndex, Queries, References, Relevance
from chunkfit.retrieval.method_retrieval import method_retrieval
from chunkfit.settings import Settings

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("prefect_api")]

METHODS = ("fixed[size=64]", "recursive[size=100]", "page")
SETTINGS = Settings(methods=METHODS, diagnostics=())
RUNBOOK, FERRY = "backup-runbook.md", "the-ferry-keys.txt"


@pytest.fixture
def questions(corpus: Path, tmp_path: Path) -> Path:
    """One of each of two documents, by place and by text; one of a document that is not there."""
    ferry = (corpus / FERRY).read_text(encoding="utf-8")
    runbook = (corpus / RUNBOOK).read_text(encoding="utf-8")
    stated = [
        {"question": ferry[200:260], "document": FERRY, "references": [{"start": 180, "end": 300}]},
        {"question": runbook[400:460], "document": RUNBOOK, "references": [runbook[380:560]]},
        {"question": "Who pays?", "document": "lease.docx", "references": [[0, 5]]},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in stated), encoding="utf-8")
    return path


def flows(*arguments: str | Path, home: Path, api: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "CHUNKFIT_HOME": str(home),
        "PREFECT_API_URL": api,
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "records"),
    }
    command = [sys.executable, "-m", "flows", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)


def retrieve(corpus: Path, questions: Path, home: Path, **options):
    from flows.retrieve import retrieve_corpus

    state = retrieve_corpus(str(corpus), str(questions), SETTINGS, home=str(home), return_state=True, **options)
    assert state.name == "CompletedWithFailures"
    return state.result(raise_on_failure=False)


def test_the_flow_equals_the_library(corpus: Path, questions: Path, tmp_path: Path) -> None:
    run = retrieve(corpus, questions, tmp_path, budgets=(300,), retrievers=("hybrid", "lexical")).run
    assert [one.document for one in run.labelled] == [FERRY, RUNBOOK]
    assert [failure.reason for failure in run.failures] == [
        "row 3, 'Who pays?': there is no document 'lease.docx'; there are 4 others"
    ]
    paths = {one.name: one.path for one in discover(corpus)[0]}
    evidences = [Evidence(parse(paths[name], name=name), default_engines()) for name in run.documents]
    queries = Queries([one.text for one in run.labelled], default_engines().embedder)
    references = References.of(run.labelled, [one.document for one in evidences])
    for method in METHODS:
        index = ChunkIndex.of([(one, cut(method, one, SETTINGS.postprocess)[-1]) for one in evidences])
        relevance = Relevance.of(index.chunks, references)
        for retriever in ("hybrid", "lexical"):
            expected = method_retrieval(index, relevance, queries, retriever, (300,))
            assert run.retrievals[retriever][method] == expected


def test_only_what_changed_is_done_again(corpus: Path, questions: Path, tmp_path: Path) -> None:
    first = retrieve(corpus, questions, tmp_path)
    again = retrieve(corpus, questions, tmp_path)
    assert (first.run.computed, again.run.computed) == (4 + 4 * 3 + 3, 0)  # parsed, chunks, retrievals
    assert again.folder == first.folder
    wider = retrieve(corpus, questions, tmp_path, budgets=(500, 900))
    assert wider.run.computed == 3
    assert wider.folder != first.folder
    table = pl.read_parquet(first.folder / "retrieval.parquet")
    assert set(table["chunking_method"]) == set(METHODS)
    assert table["value"].is_between(0, 1).all()


def test_commands_tell_how_it_went(corpus: Path, questions: Path, tmp_path: Path, prefect_api: str) -> None:
    options = ("--methods", "fixed[size=64],page", "--retriever", "lexical", "--budgets", "200,400")
    some = flows("retrieve", "--corpus", corpus, "--questions", questions, *options, home=tmp_path, api=prefect_api)
    assert some.returncode == 3, some.stderr
    assert "Lexical retrieval" in some.stdout and "lease.docx" in some.stdout
    (report,) = (line.removeprefix("Report: ") for line in some.stdout.splitlines() if line.startswith("Report: "))
    assert Path(report).exists()

    for wrong in (("--budgets", "0"), ("--methods", "pages"), ("--questions", tmp_path / "none.csv")):
        told = flows("retrieve", "--corpus", corpus, "--questions", questions, *wrong, home=tmp_path, api=prefect_api)
        assert told.returncode == 2, told.stderr

    lost = tmp_path / "lost.jsonl"
    lost.write_text(questions.read_text(encoding="utf-8").splitlines()[-1], encoding="utf-8")
    nothing = flows("retrieve", "--corpus", corpus, "--questions", lost, *options, home=tmp_path, api=prefect_api)
    assert nothing.returncode == 1, nothing.stderr
    assert "lease.docx" in nothing.stdout
