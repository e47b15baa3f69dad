"""Cut documents by every method, and repair what the methods leave."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from prefect import State, task

from chunkfit.errors import EngineRefused, EngineUnavailable, MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.keys import CHUNKS, Cut, Recipe
from chunkfit.pipeline import cut
from chunkfit.storage import Kind, Store
from tasks.evidence import evidence
from tasks.policies import each, is_last_attempt, stage
from tasks.units import Batch, Done, Job, Unit


def leaves(unit: Unit, recipe: Recipe) -> Iterable[tuple[Kind[Any], str]]:
    return [(CHUNKS, recipe.chunks(unit.document, method)) for method in recipe.methods]


@task(**stage("chunk", leaves))
def chunk(units: tuple[Unit, ...], job: Job) -> Batch | State[Batch]:
    """Units of work are documents times methods: those already stored are left alone."""
    return each("chunk", units, lambda unit: _chunk(unit, job))


def _chunk(unit: Unit, job: Job) -> Done:
    store, recipe = Store(job.store), job.recipe
    missing = [method for method in recipe.methods if not store.has(CHUNKS, recipe.chunks(unit.document, method))]
    reused = len(recipe.methods) - len(missing)
    if not missing:
        return Done(unit, reused=reused)
    unavailable: dict[str, EngineUnavailable] = {}
    with evidence(unit, job) as known:
        before = known.usage
        for method in missing:
            try:
                store.put(CHUNKS, recipe.chunks(unit.document, method), _cut(method, known, recipe))
            except EngineUnavailable as problem:
                unavailable[method] = problem
        usage = known.usage - before
    may_answer_later = [problem for problem in unavailable.values() if not isinstance(problem, EngineRefused)]
    if may_answer_later and not is_last_attempt():
        raise may_answer_later[0]
    # The others compete without these, of which nothing is stored: the next run tries them again.
    without = tuple((method, str(problem)) for method, problem in unavailable.items())
    return Done(replace(unit, unavailable=without), len(missing) - len(without), reused, usage)


def _cut(method: str, known: Evidence, recipe: Recipe) -> Cut:
    try:
        return Cut(cut(method, known, recipe.settings.postprocess))
    except (MethodFailed, ValueError) as failure:
        return Cut((), str(failure))
