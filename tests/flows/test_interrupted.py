"""A run that was killed goes on where it stopped, and leaves nothing running."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from chunkfit.errors import EngineUnavailable

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def start(corpus: Path, home: Path, api: str) -> subprocess.Popen[str]:
    options = ["--methods", "fixed,page,recursive_600", "--output", str(home / "run")]
    command = [sys.executable, "-m", "flows", "evaluate", str(corpus), *options]
    environment = os.environ | {
        "CHUNKFIT_HOME": str(home),
        "PREFECT_API_URL": api,
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "records"),
    }
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, int]:
    """Results computed and reused, as the run tells."""
    output = process.communicate(timeout=240)[0]
    assert process.returncode == 0, output
    told = re.search(r"([\d,]+) results? computed, ([\d,]+) reused", output)
    assert told, output
    computed, reused = (int(number.replace(",", "")) for number in told.groups())
    return computed, reused


def test_a_killed_run_goes_on_and_ends_like_any_other(corpus: Path, tmp_path: Path, prefect_api: str) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    everything, _ = finish(start(corpus, whole, prefect_api))

    process = start(corpus, killed, prefect_api)
    while not any((killed / "store").glob("scorecards/*/*")):
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()

    assert not (killed / "run" / "manifest.json").exists()
    computed, reused = finish(start(corpus, killed, prefect_api))
    assert 0 < computed < everything
    assert computed + reused == everything
    for path in sorted((whole / "run").glob("*.parquet")):
        assert pl.read_parquet(path).equals(pl.read_parquet(killed / "run" / path.name)), path.name


def test_our_server_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from flows.server import own_server\n"
        "with own_server(Path(sys.argv[1])) as starting:\n"
        "    print(starting.process.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    assert is_running(server)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 30
    while is_running(server) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(server)


def test_runs_that_start_together_wait_for_one_another(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from flows.server import own_server\n"
        "with own_server(Path(sys.argv[1])) as starting:\n"
        "    starting.address()\n"
    )
    together = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT) for _ in range(3)]
    assert [one.wait(timeout=300) for one in together] == [0, 0, 0]


def test_a_folder_that_cannot_be_written_to_is_told_with_what_to_do(tmp_path: Path) -> None:
    from flows.server import own_server

    (tmp_path / "file").touch()
    with pytest.raises(EngineUnavailable, match="CHUNKFIT_HOME"), own_server(tmp_path / "file" / "prefect"):
        pass


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # a zombie has ended; nobody has asked for its exit code
