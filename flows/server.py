"""A Prefect server of our own for the length of one run, where none is configured.

Prefect would start one too, but that one outlives a killed run and keeps its records in the user's home. Ours ends with
the process that started it, however that ends, and its database lies beside the artifacts.
"""

import contextlib
import fcntl
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from chunkfit.errors import EngineUnavailable

STARTUP_SECONDS = 120  # a new database takes about 15 s to prepare, a known one 5 s; a busy machine many times that

_SETTINGS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_ENABLED": "false",  # `prefect server start` shows runs
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",  # a second of start-up, for types that nothing here stores
    # Nothing is scheduled here, and the recorder keeps up with three times as many task runs in batches.
    "PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_LATE_RUNS_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
}


@contextlib.contextmanager
def own_server(folder: Path) -> Iterator["Starting"]:
    """Start a server whose database is in `folder`; the caller may do other work until it asks for the address.

    Runs that start at the same time wait for one another: of two servers that prepare one database one fails. Raises
    EngineUnavailable where nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "starting.lock").open("wb")
    except OSError as problem:
        raise EngineUnavailable(
            f"nothing can be kept in {folder} ({problem.strerror}); let CHUNKFIT_HOME name a folder to write to"
        ) from problem
    with lock as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # ours until the server answers, or this process ends
        with _server(folder, turn) as starting:
            yield starting


@contextlib.contextmanager
def _server(folder: Path, turn: IO[bytes]) -> Iterator["Starting"]:
    port = _free_port()
    environment = {
        **_SETTINGS,
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{(folder / 'prefect.db').absolute()}",
        **os.environ,  # what the user has set wins
    }
    environment.pop("PREFECT_API_URL", None)
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "flows.server", str(port)],
            stdin=subprocess.PIPE,  # never written to: it closes when we end, and so the server ends with us
            stdout=output,
            stderr=output,
            env=environment,
            start_new_session=True,  # Ctrl-C is for us: the run still has to report that it was interrupted
        )
    try:
        yield Starting(process, port, log, turn)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Starting:
    """A server on its way up."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path, turn: IO[bytes]) -> None:
        self.process = process
        self._port = port
        self._log = log
        self._turn = turn

    def address(self) -> str:
        """The URL of its API, once it answers. Raises EngineUnavailable where it does not come up."""
        url = f"http://127.0.0.1:{self._port}/api"
        deadline = time.monotonic() + STARTUP_SECONDS
        # No proxy: the server is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError), opener.open(f"{url}/health", timeout=10):
                fcntl.flock(self._turn, fcntl.LOCK_UN)
                return url
            time.sleep(0.05)
        problem = "ended" if self.process.poll() is not None else f"did not answer within {STARTUP_SECONDS} s"
        raise EngineUnavailable(
            f"Prefect's server {problem} while starting; its last words are in {self._log}. "
            f"If its database is at fault, delete {self._log.parent}: it holds no more than records of past runs"
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def serve(port: int) -> None:
    """Run the server until the process that holds the other end of our input ends."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import uvicorn

    uvicorn.run("prefect.server.api.server:create_app", factory=True, host="127.0.0.1", port=port, log_level="error")


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
