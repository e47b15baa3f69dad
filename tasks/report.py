"""Join what the stages left into the run folder."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from chunkfit.reporting import RunSummary
from chunkfit.results import is_written, write_run
from tasks.artifacts import comparison_keys, evaluation
from tasks.units import Job, Unit


@task(name="report", cache_policy=NO_CACHE, persist_result=False)  # the folder itself tells whether it is up to date
def report(units: Sequence[Unit], job: Job, run: RunSummary, folder: str) -> bool:
    """Write the run folder; False where it holds this very run already."""
    key = run_key(units, job, run)
    if is_written(Path(folder), key):
        return False
    write_run(Path(folder), key, run, (evaluation(unit, job) for unit in units))
    return True


def run_key(units: Sequence[Unit], job: Job, run: RunSummary) -> str:
    """All that the files of a run depend on, but for the time that it took."""
    recipe = job.recipe
    facts = [
        run.corpus,
        [astuple(unit) for unit in units],
        [recipe.selection(unit.document, unit.mentions, unit.methods(recipe)) for unit in units],
        [comparison_keys(unit, recipe) for unit in units],
        [recipe.similarity(unit.document) for unit in units],
        [astuple(failure) for failure in run.failures],
        run.settings.model_dump(mode="json"),
        dict(run.versions),
        dict(run.skipped),
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
