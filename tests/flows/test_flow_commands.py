"""`python -m flows`: exit codes, what is printed, and the paper's table."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def flows(*arguments: str | Path, home: Path, api: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flows", *map(str, arguments)]
    environment = os.environ | {
        "CHUNKFIT_HOME": str(home),
        "PREFECT_API_URL": api,
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "records"),
    }
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)


def test_help_comes_without_prefect() -> None:
    program = "import sys, flows.__main__; sys.exit('prefect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


def test_wrong_usage_is_told_before_anything_starts(tmp_path: Path) -> None:
    unknown = flows("evaluate", "data/samples", "--methods", "pages", home=tmp_path)
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "Did you mean 'page'?" in unknown.stderr

    profile = flows("evaluate", "data/samples", "--profile", "papers", home=tmp_path)
    assert profile.returncode == 2
    assert "strict" in profile.stderr

    mentions = flows("evaluate", "data/samples", "--mentions", tmp_path / "none.parquet", home=tmp_path)
    assert mentions.returncode == 2
    assert "none.parquet" in mentions.stderr

    (tmp_path / "settings.json").write_text("{}")
    mine = flows("evaluate", "data/samples", "--output", tmp_path, home=tmp_path)
    assert mine.returncode == 2
    assert "not from a run" in mine.stderr
    assert list(tmp_path.iterdir()) == [tmp_path / "settings.json"]


def test_exit_codes_tell_how_it_went(corpus: Path, tmp_path: Path, prefect_api: str) -> None:
    options = ("--methods", "fixed,page")
    fine = flows("evaluate", corpus, *options, home=tmp_path, api=prefect_api)
    assert fine.returncode == 0, fine.stderr
    assert "Evaluated 4 documents" in fine.stdout
    (report,) = (line.removeprefix("Report: ") for line in fine.stdout.splitlines() if line.startswith("Report: "))
    assert Path(report).exists()

    (corpus / "empty.txt").touch()
    some_failed = flows("evaluate", corpus, *options, home=tmp_path, api=prefect_api)
    assert some_failed.returncode == 3, some_failed.stderr
    assert "Nothing to recompute: 4 documents unchanged, 1 failed" in some_failed.stdout
    assert "empty.txt" in some_failed.stdout

    nothing = flows("evaluate", corpus / "empty.txt", *options, home=tmp_path, api=prefect_api)
    assert nothing.returncode == 1, nothing.stderr


@pytest.mark.usefixtures("prefect_api")
def test_six_lines_of_the_papers_table_come_out_again(clair: Path, tmp_path: Path) -> None:
    from flows.replicate import EXACT, replicate_paper

    cells = replicate_paper(str(clair), str(tmp_path))
    assert len([cell for cell in cells if cell.metric in EXACT]) == 18
    assert [cell for cell in cells if cell.differs] == []
