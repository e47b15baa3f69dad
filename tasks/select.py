"""Choose each document's method from its scorecards."""

from collections.abc import Iterable
from typing import Any

from prefect import State, task

from chunkfit.keys import SELECTIONS, Recipe
from chunkfit.selection import select as select_method
from chunkfit.storage import Kind, Store
from tasks.artifacts import scorecards
from tasks.policies import each, stage
from tasks.units import Batch, Done, Job, Unit


def leaves(unit: Unit, recipe: Recipe) -> Iterable[tuple[Kind[Any], str]]:
    return [(SELECTIONS, recipe.selection(unit.document, unit.mentions, unit.methods(recipe)))]


@task(**stage("select", leaves))
def select(units: tuple[Unit, ...], job: Job) -> Batch | State[Batch]:
    return each("select", units, lambda unit: _select(unit, job))


def _select(unit: Unit, job: Job) -> Done:
    key = job.recipe.selection(unit.document, unit.mentions, unit.methods(job.recipe))
    rules = job.recipe.settings.selection
    _, made = Store(job.store).remember(SELECTIONS, key, lambda: select_method(scorecards(unit, job), rules))
    return Done(unit, int(made), int(not made))
