"""The only tests that start Prefect: one server for all of them, results in a temporary folder."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
QUICK = ("backup-runbook.md", "chinese-garden.txt", "the-ferry-keys.txt", "workshop-handbook.json")


@pytest.fixture(scope="session")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Prefect server for tests."""
    from prefect.settings import PREFECT_RESULTS_LOCAL_STORAGE_PATH, get_current_settings, temporary_settings
    from prefect.testing.utilities import prefect_test_harness

    records = tmp_path_factory.mktemp("records")
    with (
        prefect_test_harness(server_startup_timeout=90),
        temporary_settings({PREFECT_RESULTS_LOCAL_STORAGE_PATH: records}),
    ):
        yield str(get_current_settings().api.url)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A few samples that are quick to read."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in QUICK:
        shutil.copy(SAMPLES / name, folder)
    return folder
