"""Engines from settings, made once in a process."""

from functools import cache
from typing import Any

from chunkfit.calls import call
from chunkfit.engines.protocols import Engines
from chunkfit.engines.registry import KINDS, EngineContext
from chunkfit.settings import EngineSettings

from chunkfit.engines import defaults  # isort: skip  # noqa: F401 - registers
from chunkfit.engines import embedding  # isort: skip  # noqa: F401
from chunkfit.engines import segmenters  # isort: skip  # noqa: F401
from chunkfit.engines import causal  # isort: skip  # noqa: F401
from chunkfit.engines import remote  # isort: skip  # noqa: F401


def engines(
    settings: EngineSettings = EngineSettings(),  # noqa: B008 - frozen
    context: EngineContext = EngineContext(),  # noqa: B008 - frozen
) -> Engines:
    """The engines that the settings name. Nothing is loaded before it is asked.

    Raises UnknownPart for an unknown engine, ValueError for settings that it does not have, and where one that every
    run has is named by an empty line.
    """
    named = {kind: line for kind, line in settings.lines().items() if line is not None}
    return Engines(**{kind: _made(kind, line, context) for kind, line in named.items()})


@cache
def default_engines() -> Engines:
    """Static vectors, sentences and coreference (English) by rule; made once, each loads what it needs when asked."""
    return engines()


def _made(kind: str, line: str, context: EngineContext) -> Any:
    named = call(KINDS[kind], line)
    return named.part.make(context, **named.settings)
