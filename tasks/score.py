"""Measure every chunking by every metric of the profile."""

from collections.abc import Iterable
from typing import Any

from prefect import State, task

from chunkfit.evidence import Evidence
from chunkfit.keys import CHUNKS, SCORECARDS, Recipe
from chunkfit.model import Scorecard
from chunkfit.pipeline import scored
from chunkfit.storage import Kind, Store
from tasks.artifacts import stored
from tasks.evidence import evidence
from tasks.policies import each, stage
from tasks.units import Batch, Done, Job, Unit


def leaves(unit: Unit, recipe: Recipe) -> Iterable[tuple[Kind[Any], str]]:
    return [(SCORECARDS, recipe.scorecard(unit.document, unit.mentions, method)) for method in unit.methods(recipe)]


@task(**stage("score", leaves))
def score(units: tuple[Unit, ...], job: Job) -> Batch | State[Batch]:
    """Units of work are documents times methods: those already stored are left alone."""
    return each("score", units, lambda unit: _score(unit, job))


def _score(unit: Unit, job: Job) -> Done:
    store, recipe = Store(job.store), job.recipe
    methods = unit.methods(recipe)
    keys = {method: recipe.scorecard(unit.document, unit.mentions, method) for method in methods}
    missing = [method for method in methods if not store.has(SCORECARDS, keys[method])]
    if not missing:
        return Done(unit, reused=len(methods))
    with evidence(unit, job, last=True) as known:
        before = known.usage
        for method in missing:
            store.put(SCORECARDS, keys[method], _scorecard(method, unit, known, job))
        return Done(unit, len(missing), len(methods) - len(missing), known.usage - before)


def _scorecard(method: str, unit: Unit, known: Evidence, job: Job) -> Scorecard:
    made = stored(job, CHUNKS, job.recipe.chunks(unit.document, method))
    if made.failure is not None:
        return Scorecard(method, disqualified=made.failure)
    (chunking,) = (stage for stage in made.stages if stage.stage == job.recipe.scored)
    return scored(chunking, known, job.recipe.settings)
