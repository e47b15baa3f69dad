"""`chunkfit export` on the command line."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
STORY = SAMPLES / "the-ferry-keys.txt"


def export(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "chunkfit.cli", "export", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, text=True, encoding="utf-8")


def test_a_database_is_made_and_written_again_without_doubles(tmp_path: Path) -> None:
    lancedb = pytest.importorskip("lancedb")
    options = ("--to", "lancedb", "--output", tmp_path / "chunks.lance", "--method")
    assert (export(STORY, *options, "fixed").returncode, export(STORY, *options, "recursive_600").returncode) == (0, 0)
    rows = lancedb.connect(tmp_path / "chunks.lance").open_table("chunks").to_arrow().to_pylist()
    assert {(row["document"], row["method"]) for row in rows} == {(STORY.name, "recursive_600")}
    assert "".join(row["text"] for row in sorted(rows, key=lambda row: row["index"])) == STORY.read_text("utf-8")
    assert all(len(row["vector"]) == 256 for row in rows)


def test_files_hold_vectors_where_they_are_asked_for(tmp_path: Path) -> None:
    assert export(STORY, "--to", "jsonl", "--output", tmp_path / "a.jsonl", "--method", "fixed").returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]
    assert all("vector" not in line for line in lines)
    options = ("--to", "parquet", "--vectors", "--method", "fixed")
    assert export(STORY, *options, "--output", tmp_path / "a.parquet").returncode == 0
    table = pl.read_parquet(tmp_path / "a.parquet")
    assert table["id"].to_list() == [line["id"] for line in lines]
    assert all(len(vector) == 256 for vector in table["vector"])


def test_what_fails_is_told_and_the_others_are_exported(tmp_path: Path) -> None:
    done = export(tmp_path / "none.txt", STORY, "--to", "jsonl", "--output", tmp_path / "a", "--method", "fixed")
    assert (done.returncode, "none.txt: " in done.stderr, (tmp_path / "a").exists()) == (3, True, True)
    nothing = export(tmp_path / "none.txt", "--to", "lancedb", "--output", tmp_path / "b", "--method", "fixed")
    assert nothing.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name files to export, or the folder of a run"),
        ((STORY, "--run", "."), "name files to export, or the folder of a run"),
        (("--run", "."), "does not hold a whole run"),
        (("--run", ".", "--method", "page"), "a run has chosen already"),
        ((STORY, "--method", "pag"), "Did you mean 'page'?"),
    ],
)
def test_wrong_usage_is_told(tmp_path: Path, arguments: tuple[str | Path, ...], told: str) -> None:
    done = export(*arguments, "--to", "jsonl", "--output", tmp_path / "a")
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_database_takes_no_files_place(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    done = export(STORY, "--to", "lancedb", "--output", tmp_path / "kept", "--method", "fixed")
    assert (done.returncode, (tmp_path / "kept").read_text()) == (2, "mine")
