"""A way to cut documents that tuning weighs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chunkfit.chunking import method
from chunkfit.settings import PostprocessRules, Settings


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """A method with its settings, and the least tokens that post-processing leaves a chunk."""

    method: str  # "recursive[size=400]"
    min_tokens: int

    @property
    def name(self) -> str:
        """Both on one line, for tables."""
        return f"{self.method} min {self.min_tokens}"

    def settings(self, base: Settings) -> Settings:
        """The settings of a run in which all documents are cut this way."""
        rules = base.postprocess.model_dump() | {"min_tokens": self.min_tokens}
        changed = {"methods": (self.method,), "postprocess": PostprocessRules.model_validate(rules)}
        return base.model_copy(update=changed)


def candidate(name: str, settings: Mapping[str, Any], min_tokens: int) -> Candidate:
    """Of a method's name and settings, spelt as everywhere."""
    given = ",".join(f"{setting}={value}" for setting, value in settings.items())
    return Candidate(method(f"{name}[{given}]").name, min_tokens)
