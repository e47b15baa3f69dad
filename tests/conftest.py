"""Where the reference data is, and what every test may rely on."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("CHUNKFIT_SHARED", ROOT.parent / "shared"))


def _reference_data(name: str) -> Path:
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"the reference data {name!r} is not at {folder}; set CHUNKFIT_SHARED to the folder that holds it")
    return folder


@pytest.fixture(scope="session")
def clair() -> Path:
    """33 parsed legal, technical and social-science documents with golden spans and scores."""
    return _reference_data("clair")


@pytest.fixture(scope="session")
def chroma() -> Path:
    """Five corpora with 472 labelled questions."""
    return _reference_data("chroma")
