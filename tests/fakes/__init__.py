"""Tiny real implementations of what is slow or remote, and a set of engines in which no kind is missing."""

from dataclasses import replace
from functools import cache

from chunkfit.engines import Engines, default_engines
from fakes.chat import RuleChat
from fakes.language_model import LayoutLanguageModel


@cache
def every_engine() -> Engines:
    """The default engines, and one of each kind that a fresh machine lacks."""
    return replace(default_engines(), chat=RuleChat(), language_model=LayoutLanguageModel())
