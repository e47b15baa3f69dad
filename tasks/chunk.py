"""Cut documents by every method, and repair what the methods leave."""

from collections.abc import Iterable
from typing import Any

from prefect import State, task

from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.keys import CHUNKS, Cut, Recipe
from chunkfit.pipeline import cut
from chunkfit.storage import Kind, Store
from tasks.evidence import evidence
from tasks.policies import each, stage
from tasks.units import Batch, Job, Unit


def leaves(unit: Unit, recipe: Recipe) -> Iterable[tuple[Kind[Any], str]]:
    return [(CHUNKS, recipe.chunks(unit.document, method)) for method in recipe.methods]


@task(**stage("chunk", leaves))
def chunk(units: tuple[Unit, ...], job: Job) -> Batch | State[Batch]:
    """Units of work are documents times methods: those already stored are left alone."""
    return each("chunk", units, lambda unit: _chunk(unit, job))


def _chunk(unit: Unit, job: Job) -> tuple[Unit, int, int]:
    store, recipe = Store(job.store), job.recipe
    missing = [method for method in recipe.methods if not store.has(CHUNKS, recipe.chunks(unit.document, method))]
    if missing:
        with evidence(unit, job) as known:
            for method in missing:
                store.put(CHUNKS, recipe.chunks(unit.document, method), _cut(method, known, recipe))
    return unit, len(missing), len(recipe.methods) - len(missing)


def _cut(method: str, known: Evidence, recipe: Recipe) -> Cut:
    try:
        return Cut(cut(method, known, recipe.settings.postprocess))
    except (MethodFailed, ValueError) as failure:
        return Cut((), str(failure))
