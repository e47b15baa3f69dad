"""`chunkfit` on the command line: formats, failures, exit codes."""

import io
import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from chunkfit.chunking import chunkers
from chunkfit.metrics import profiles

pytestmark = pytest.mark.slow  # each starts a process or two

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
STORY = SAMPLES / "the-ferry-keys.txt"


def chunkfit(*arguments: str | Path, locale: str = "C.UTF-8") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "chunkfit.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, env={"LC_ALL": locale, "PATH": ""})


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "zürich.txt"
    path.write_text("Zürich 😀.\r\n\r\n" + "Ein Satz über die Stadt. " * 300, encoding="utf-8", newline="")
    return path


def test_jsonl_holds_every_chunk_readable_and_whole(text: Path) -> None:
    # The C locale knows ASCII alone; the output is UTF-8 all the same.
    result = chunkfit("chunk", text, "--method", "recursive_600", locale="C")
    assert (result.returncode, result.stderr) == (0, b"")
    assert "Zürich 😀" in result.stdout.decode("utf-8")
    chunks = [json.loads(line) for line in result.stdout.splitlines()]
    content = text.read_bytes().decode("utf-8")
    assert "".join(chunk["text"] for chunk in chunks) == content
    assert all(content[chunk["start"] : chunk["end"]] == chunk["text"] for chunk in chunks)
    assert [chunk["index"] for chunk in chunks] == list(range(len(chunks)))
    assert {(chunk["document"], chunk["method"]) for chunk in chunks} == {("zürich.txt", "recursive_600")}


def test_parquet_goes_through_a_pipe_and_into_a_file_alike(text: Path, tmp_path: Path) -> None:
    options = ("--method", "fixed", "--format", "parquet")
    piped = chunkfit("chunk", text, *options)
    written = chunkfit("chunk", text, *options, "--output", tmp_path / "chunks.parquet")
    assert (piped.returncode, written.returncode, written.stdout) == (0, 0, b"")
    table = pl.read_parquet(io.BytesIO(piped.stdout))
    assert table.equals(pl.read_parquet(tmp_path / "chunks.parquet"))
    assert {"doc_name", "method", "chunk_index", "chunk_text", "chunk_pages", "titles_context", "chunk_len"} <= set(
        table.columns
    )
    assert table["chunk_len"].max() <= 1150


def test_markdown_fences_text_that_has_fences_itself(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Run this:\n````\nls\n````\n")
    shown = chunkfit("chunk", path, "--method", "page", "--format", "markdown").stdout.decode()
    assert shown.startswith("# notes.txt\n\n## 0\n\npage, ")
    assert "\n`````\nRun this:\n````\nls\n````\n`````\n" in shown


def test_best_is_chosen_for_each_document() -> None:
    result = chunkfit("chunk", STORY, SAMPLES / "workshop-handbook.json")
    methods = {(chunk["document"], chunk["method"]) for chunk in map(json.loads, result.stdout.splitlines())}
    assert {document for document, _ in methods} == {"the-ferry-keys.txt", "workshop-handbook"}
    assert len(methods) == 2


def test_files_that_fail_are_told_and_the_others_are_cut(text: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    result = chunkfit("chunk", tmp_path / "empty.txt", text, tmp_path / "missing.txt", "--method", "page")
    assert result.returncode == 3
    assert {json.loads(line)["document"] for line in result.stdout.splitlines()} == {"zürich.txt"}
    told = result.stderr.decode().splitlines()
    assert sorted(line.split(": ")[0].rsplit("/", 1)[1] for line in told) == ["empty.txt", "missing.txt"]


def test_nothing_usable_is_exit_code_1_and_replaces_no_file(tmp_path: Path) -> None:
    kept = tmp_path / "chunks.jsonl"
    kept.write_text("from last time\n")
    assert chunkfit("chunk", tmp_path / "missing.txt", "--output", kept).returncode == 1
    assert kept.read_text() == "from last time\n"
    assert [path.name for path in tmp_path.iterdir()] == ["chunks.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--method", "recursive_60"), "Did you mean 'recursive_600'?"),
        (("--output", "nowhere/chunks.jsonl"), "a folder that exists"),
        (("--format", "csv"), "jsonl"),
    ],
)
def test_wrong_usage_is_exit_code_2_with_what_would_be_right(arguments: tuple[str, ...], told: str) -> None:
    result = chunkfit("chunk", STORY, *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert told in result.stderr.decode()


def test_methods_and_metrics_are_listed_with_versions_and_settings_in_80_columns() -> None:
    listed = chunkfit("methods").stdout.decode()
    assert all(part.name in listed for part in chunkers)
    assert "sentences_per_chunk = 5" in listed
    measured = chunkfit("metrics").stdout.decode()
    assert all(part.name in measured for profile in profiles.values() for part in profile)
    assert max(map(len, (listed + measured).splitlines())) <= 80


def test_whoever_reads_the_first_lines_only_is_no_error(tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text("Line after line after line.\n" * 20_000)  # more than a pipe holds
    command = f"{sys.executable} -m chunkfit.cli chunk {long} --method fixed | head -c 10"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, timeout=120)
    assert (result.returncode, len(result.stdout), result.stderr) == (0, 10, b"")
