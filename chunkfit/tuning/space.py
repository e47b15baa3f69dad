"""What tuning searches: methods, their settings, and the range of each. This table is all of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from chunkfit.tuning.candidate import Candidate, candidate

if TYPE_CHECKING:
    from optuna.trial import BaseTrial


class Range(Protocol):
    def suggest(self, trial: "BaseTrial", name: str, given: Mapping[str, Any]) -> Any:
        """A value of the setting; `given` has those of the settings before it in the table."""
        ...


@dataclass(frozen=True, slots=True)
class Log:
    """Whole numbers where doubling matters as much anywhere: sizes, counts."""

    low: int
    high: int

    def suggest(self, trial: "BaseTrial", name: str, given: Mapping[str, Any]) -> int:
        return trial.suggest_int(name, self.low, self.high, log=True)


@dataclass(frozen=True, slots=True)
class Share:
    """Tokens as a share of another setting, in steps of 5 %: an overlap of 50 is much of 64 and little of 1000."""

    of: str
    most: float

    def suggest(self, trial: "BaseTrial", name: str, given: Mapping[str, Any]) -> int:
        return int(given[self.of] * trial.suggest_float(name, 0.0, self.most, step=0.05))


@dataclass(frozen=True, slots=True)
class Real:
    """Numbers in steps that can tell two chunkings apart."""

    low: float
    high: float
    step: float

    def suggest(self, trial: "BaseTrial", name: str, given: Mapping[str, Any]) -> float:
        return round(trial.suggest_float(name, self.low, self.high, step=self.step), 6)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A setting that the others of its method need to be so."""

    value: str

    def suggest(self, trial: "BaseTrial", name: str, given: Mapping[str, Any]) -> str:
        return self.value


SIZE = Log(64, 1100)  # tokens: below, little of an answer fits; above, post-processing splits

SPACE: Mapping[str, Mapping[str, Range]] = {
    "page": {},
    "fixed": {"size": SIZE, "overlap": Share("size", 0.5)},
    "sentence": {"sentences_per_chunk": Log(1, 30)},
    "recursive": {"size": SIZE, "overlap": Share("size", 0.5)},
    "semantic": {"breakpoint": Fixed("percentile"), "amount": Real(50, 98, 1), "size": SIZE},
    "cluster_semantic": {"size": SIZE},
}
"""Methods that ask a chat or a language model are left out: each trial would pay for all documents anew. So are fixed
forms of others (recursive_600), and those that another covers (fixed_tokens, semantic_threshold)."""

MIN_TOKENS = (0, 25, 50, 100)
"""Post-processing's: chunks below join a neighbour. Small chunks exist only where it is low."""

STARTERS: Sequence[Mapping[str, Any]] = (
    {"method": "recursive", "recursive.size": 1100, "recursive.overlap": 0.0, "min_tokens": 100},
    {"method": "recursive", "recursive.size": 600, "recursive.overlap": 0.0, "min_tokens": 100},
    {"method": "fixed", "fixed.size": 512, "fixed.overlap": 0.0, "min_tokens": 100},
    {"method": "sentence", "sentence.sentences_per_chunk": 5, "min_tokens": 100},
    {"method": "cluster_semantic", "cluster_semantic.size": 400, "min_tokens": 100},
    {"method": "recursive", "recursive.size": 200, "recursive.overlap": 0.0, "min_tokens": 50},
)
"""Where a search begins: the defaults, as far as the space has them, and what is usual elsewhere."""

VERSION = 1  # of all of the above: studies of another space are other studies


def suggested(trial: "BaseTrial", methods: Sequence[str]) -> Candidate:
    """The candidate that a trial of an Optuna study stands for."""
    name: str = trial.suggest_categorical("method", list(methods))
    settings: dict[str, Any] = {}
    for setting, values in SPACE[name].items():
        settings[setting] = values.suggest(trial, f"{name}.{setting}", settings)
    min_tokens: int = trial.suggest_categorical("min_tokens", list(MIN_TOKENS))
    return candidate(name, settings, min_tokens)
