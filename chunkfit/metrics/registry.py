"""The two registries of metrics, one a profile."""

from typing import Protocol

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Score
from chunkfit.registry import Registry


class Metric(Protocol):
    """Scores one chunking; keyword settings have defaults.

    Traits at registration: `chance` (whether the length-shuffled null tells something: False where the score depends
    on the lengths alone) and `gate` (a gate disqualifies below 1 and does not join the mean).
    """

    def __call__(self, chunking: Chunking, evidence: Evidence, /, **settings: object) -> Score: ...


strict: Registry[Metric] = Registry("metric of the strict profile")
paper: Registry[Metric] = Registry("metric of the paper profile")
