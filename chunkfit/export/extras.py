"""Packages that an export needs and chunkfit does without."""

import importlib
from types import ModuleType


def extra(module: str, name: str) -> ModuleType:
    """The module. Raises ModuleNotFoundError that names the extra to install."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or not module.startswith(missing.name):
            raise  # it is there, and lacks something itself
        raise ModuleNotFoundError(
            f"{module} is not installed; run `pip install chunkfit[{name}]`", name=missing.name
        ) from missing
