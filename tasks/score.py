"""Measure every chunking by every metric of the profile."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from prefect import State, task

from chunkfit.errors import BadDocument
from chunkfit.evidence import Evidence
from chunkfit.keys import ANNOTATIONS, CHUNKS, COMPARISONS, SCORECARDS, SIMILARITIES, Compared, Recipe, Similar
from chunkfit.model import Document, Failure, Scorecard
from chunkfit.pipeline import compared, scored, similarity_in
from chunkfit.references import Reference, place
from chunkfit.storage import Kind, Store
from tasks.artifacts import comparison_keys, stored
from tasks.evidence import evidence
from tasks.policies import each, stage
from tasks.units import Batch, Done, Job, Unit


def leaves(unit: Unit, recipe: Recipe) -> Iterable[tuple[Kind[Any], str]]:
    methods = unit.methods(recipe)
    return [
        *((SCORECARDS, recipe.scorecard(unit.document, unit.mentions, method)) for method in methods),
        *((COMPARISONS, key) for key in comparison_keys(unit, recipe).values()),
        (SIMILARITIES, recipe.similarity(unit.document)),
    ]


@task(**stage("score", leaves))
def score(units: tuple[Unit, ...], job: Job) -> Batch | State[Batch]:
    """Units of work are documents times methods: those already stored are left alone."""
    return each("score", units, lambda unit: _score(unit, job))


def _score(unit: Unit, job: Job) -> Done:
    store, recipe = Store(job.store), job.recipe
    methods = unit.methods(recipe)
    keys = {method: recipe.scorecard(unit.document, unit.mentions, method) for method in methods}
    missing = [method for method in methods if not store.has(SCORECARDS, keys[method])]
    similarity = recipe.similarity(unit.document)
    comparisons = comparison_keys(unit, recipe)
    uncompared = [method for method, key in comparisons.items() if not store.has(COMPARISONS, key)]
    computed = len(missing) + len(uncompared)
    reused = len(methods) + len(comparisons) - computed
    if not computed and store.has(SIMILARITIES, similarity):
        return Done(unit, reused=reused)
    with evidence(unit, job, last=True) as known:
        before = known.usage
        for method in missing:
            store.put(SCORECARDS, keys[method], _scorecard(method, unit, known, job))
        store.remember(SIMILARITIES, similarity, lambda: Similar(similarity_in(known)))
        try:
            references = _references(unit, known.document, job) if uncompared else ()
        except BadDocument as misfit:  # the document goes on without them
            unfit = Failure(unit.path, "references", str(misfit))
            without, done = replace(unit, annotations=""), len(missing)
            return Done(without, done, len(methods) - done, known.usage - before, (unfit,))
        for method in uncompared:
            store.put(COMPARISONS, comparisons[method], _compared(method, references, unit, known, job))
        return Done(unit, computed, reused, known.usage - before)


def _references(unit: Unit, document: Document, job: Job) -> tuple[Reference, ...]:
    stated = stored(job, ANNOTATIONS, unit.annotations).annotations
    return tuple(place(replace(annotation, document=document.name), document) for annotation in stated)


def _compared(method: str, references: Sequence[Reference], unit: Unit, known: Evidence, job: Job) -> Compared:
    made = stored(job, CHUNKS, job.recipe.chunks(unit.document, method))
    if made.failure is not None:
        return Compared(None)
    return Compared(compared(made.stages[-1], references, known, job.recipe.settings))


def _scorecard(method: str, unit: Unit, known: Evidence, job: Job) -> Scorecard:
    made = stored(job, CHUNKS, job.recipe.chunks(unit.document, method))
    if made.failure is not None:
        return Scorecard(method, disqualified=made.failure)
    (chunking,) = (stage for stage in made.stages if stage.stage == job.recipe.scored)
    return scored(chunking, known, job.recipe.settings)
