"""What a child process gets to know of its parent's environment: what it needs to run, and no keys."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import chunkfit

_PASSED_ON = (
    "DOCLING_ARTIFACTS_PATH",
    "HF_HOME",
    "HF_HUB_CACHE",
    "HOME",
    "LD_LIBRARY_PATH",
    "OMP_NUM_THREADS",
    "PATH",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
)
_FIXED = {
    "DO_NOT_TRACK": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "LC_ALL": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "PYTHONHASHSEED": "0",  # sets in a parser iterate in the same order every time
    "PYTHONUTF8": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_OFFLINE": "1",
}


def child_environment(parent: Mapping[str, str] | None = None) -> dict[str, str]:
    """Environment variables for a child of a process with the variables `parent` (default: this one's).

    Whatever is not listed here stays behind. The modules that the parent can import by `PYTHONPATH`, and chunkfit
    itself, can be imported by the child too, from absolute paths.
    """
    parent = os.environ if parent is None else parent
    home_of_package = str(Path(chunkfit.__file__).parent.parent)
    folders = [home_of_package, *(part for part in parent.get("PYTHONPATH", "").split(os.pathsep) if part)]
    return {
        **{name: parent[name] for name in _PASSED_ON if name in parent},
        **_FIXED,
        "PYTHONPATH": os.pathsep.join(str(Path(folder).absolute()) for folder in folders),
    }


def child_command(functions: tuple[str, ...]) -> list[str]:
    """How to start a child that may run `functions`. `-P`: no module is ever taken from the current folder."""
    return [sys.executable, "-P", "-m", "chunkfit.isolation.worker", *functions]
