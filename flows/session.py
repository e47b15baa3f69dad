"""Everything around a flow that is started from the command line: Prefect's settings, a server, quiet logs."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.logging import RichHandler

from flows.home import Home
from flows.progress import watch, watcher


@contextmanager
def session(home: Home, console: Console) -> Iterator[None]:
    """Run flows inside, on the Prefect server that is configured (by variable or profile), else on one of its own."""
    _settle_environment(home)
    _show_our_warnings(console)
    with watch(console) as watching:
        token = watcher.set(watching)
        watching.say("starting Prefect")
        try:
            with _api(home):
                try:
                    yield
                finally:
                    _send_logs()
        finally:
            watcher.reset(token)


def _settle_environment(home: Home) -> None:
    """What must be set before Prefect is imported. What the user has set stays."""
    # Someone who does not use Prefect gets nothing of it in their home folder.
    if not (Path.home() / ".prefect").exists():
        os.environ.setdefault("PREFECT_HOME", str(home.prefect.absolute()))
    os.environ.setdefault("PREFECT_RESULTS_LOCAL_STORAGE_PATH", str((home.prefect / "records").absolute()))
    # The terminal shows our progress and tables; Prefect keeps its logs, and ours with them.
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_LOGGING_EXTRA_LOGGERS", "chunkfit")


def _show_our_warnings(console: Console) -> None:
    handler = RichHandler(logging.WARNING, console, show_time=False, show_path=False)
    logging.getLogger("chunkfit").addHandler(handler)


@contextmanager
def _api(home: Home) -> Iterator[None]:
    from prefect.settings import PREFECT_API_URL, get_current_settings, temporary_settings

    if get_current_settings().api.url is not None:
        yield
        return
    from flows.server import own_server

    for name in ("NO_PROXY", "no_proxy"):  # Prefect's client would send even this machine's requests to a proxy
        os.environ[name] = ",".join(filter(None, [os.environ.get(name), "127.0.0.1"]))
    with own_server(home.prefect) as starting:
        import flows.evaluate  # noqa: F401 - takes seconds too: both at once

        with temporary_settings({PREFECT_API_URL: starting.address()}):
            yield


def _send_logs() -> None:
    """Log records travel in the background; what is still on its way would be lost with our server."""
    for handler in logging.getLogger("prefect.flow_runs").handlers + logging.getLogger("prefect.task_runs").handlers:
        handler.flush()
