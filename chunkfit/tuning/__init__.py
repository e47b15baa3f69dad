"""Tuning: which method with which settings retrieves best, and what the search is worth on documents it has not seen.

plan = Plan(methods=tuple(SPACE), trials=50)
tuned = tune([Subject(evidence) for evidence in evidences], Aim("probe", budget=2000), plan)
tuned.best.candidate.settings(Settings())
"""

from chunkfit.tuning.candidate import Candidate
from chunkfit.tuning.front import pareto_front
from chunkfit.tuning.objective import Aim, Objective, Outcome, Subject, outcome
from chunkfit.tuning.search import Plan, Tried
from chunkfit.tuning.space import SPACE
from chunkfit.tuning.tuned import FOLDS, Fold, NothingToTuneOn, Tuned, require_methods, tune

__all__ = [
    "FOLDS",
    "SPACE",
    "Aim",
    "Candidate",
    "Fold",
    "NothingToTuneOn",
    "Objective",
    "Outcome",
    "Plan",
    "Subject",
    "Tried",
    "Tuned",
    "outcome",
    "pareto_front",
    "require_methods",
    "tune",
]
