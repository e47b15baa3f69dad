"""Tuning goes on where it was, and what it finds is taken by evaluate."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chunkfit.settings import read_settings
from chunkfit.tuning import Aim

ROOT = Path(__file__).parents[2]
AIM = Aim("probe", budget=150, retriever="lexical")

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("prefect_api")]


def flows(*arguments: str | Path, home: Path, api: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "CHUNKFIT_HOME": str(home),
        "PREFECT_API_URL": api,
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "records"),
    }
    command = [sys.executable, "-m", "flows", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)


def tuned(corpus: Path, home: Path, state: str = "Completed", **options):
    from flows.tune import tune_corpus

    options = {"aim": AIM, "methods": ("recursive", "fixed"), "trials": 4, "folds": 2, "home": str(home)} | options
    ended = tune_corpus(str(corpus), **options, return_state=True)
    assert ended.name == state
    return ended.result(raise_on_failure=False)


def test_a_second_run_finds_everything_done(corpus: Path, tmp_path: Path) -> None:
    first = tuned(corpus, tmp_path)
    assert len(first.tuned.tried) == 4
    assert len(first.tuned.folds) == 2
    outcomes = tmp_path / "store" / "outcomes"
    written = {path: path.stat().st_mtime_ns for path in outcomes.rglob("*/*")}
    again = tuned(corpus, tmp_path)
    assert (again.tuned, again.folder) == (first.tuned, first.folder)
    assert {path: path.stat().st_mtime_ns for path in outcomes.rglob("*/*")} == written
    more = tuned(corpus, tmp_path, trials=5)
    assert more.tuned.tried[:4] == first.tuned.tried
    assert (tmp_path / "studies.db").exists()


def test_nothing_to_tune_on_is_a_failure_with_its_reason(corpus: Path, tmp_path: Path) -> None:
    nothing = tuned(corpus, tmp_path, "Failed", aim=Aim("probe", budget=10**6))
    assert nothing.tuned is None
    assert "fit the budget of 1,000,000" in nothing.failures[-1].reason


def test_commands_tell_how_it_went(corpus: Path, tmp_path: Path, prefect_api: str) -> None:
    search = ("--budget", "150", "--retriever", "lexical", "--methods", "fixed", "--trials", "2", "--folds", "0")
    fine = flows("tune", "--corpus", corpus, *search, "--output", tmp_path / "out", home=tmp_path, api=prefect_api)
    assert fine.returncode == 0, fine.stderr
    assert "Best of 2 trials" in fine.stdout
    found = tmp_path / "out" / "tuned-settings.json"
    assert f"--settings {found}" in fine.stdout

    evaluated = flows(
        "evaluate", corpus, "--settings", found, "--output", tmp_path / "run", home=tmp_path, api=prefect_api
    )
    assert evaluated.returncode == 0, evaluated.stderr
    assert read_settings(tmp_path / "run" / "settings.json") == read_settings(found)

    other = ("--methods", "page", "--settings", found, "--output", tmp_path / "other")
    overridden = flows("evaluate", corpus, *other, home=tmp_path, api=prefect_api)
    assert overridden.returncode == 0, overridden.stderr
    settings = read_settings(tmp_path / "other" / "settings.json")
    assert settings.methods == ("page",)
    assert settings.postprocess == read_settings(found).postprocess

    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"methods": 3}))
    for wrong in (("--methods", "pages"), ("--objective", "labelled"), ("--settings", broken)):
        told = flows("tune", "--corpus", corpus, *wrong, home=tmp_path, api=prefect_api)
        assert told.returncode == 2, told.stderr
