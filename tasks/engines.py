"""The engines of a run: models are made once in a process, a budget once a run. A secret may be a Prefect block."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from chunkfit.engines import EngineContext, Engines, engines
from chunkfit.engines.registry import from_environment
from chunkfit.engines.remote import for_run, write_transcript
from chunkfit.settings import Budget, EngineSettings
from chunkfit.storage import Store
from tasks.units import Job


def engines_of(job: Job) -> Engines:
    """The engines of a job, with what is left of its run's budget in this process."""
    settings = job.recipe.settings
    return _for_run(settings.engines, settings.budget, job.store, job.run)


@lru_cache(maxsize=4)
def _for_run(settings: EngineSettings, budget: Budget, store: str, run: str) -> Engines:
    made = engines_in(settings, store)
    return replace(made, chat=for_run(made.chat, budget))


@lru_cache(maxsize=4)
def engines_in(settings: EngineSettings, store: str) -> Engines:
    """What the settings name, with a store for vectors and answers; models stay loaded from run to run."""
    return engines(settings, EngineContext(Store(store), secret))


def transcript(job: Job, folder: Path) -> int:
    """Write what the run has asked its chat model, and what it answered; how many exchanges these are."""
    return write_transcript(engines_of(job).chat, folder / "transcript.jsonl")


def secret(name: str) -> str | None:
    """The environment variable of that name, else the Prefect Secret block: "OPENAI_API_KEY" is "openai-api-key"."""
    found = from_environment(name)
    if found:
        return found
    from prefect.blocks.system import Secret

    try:
        return str(Secret.load(name.lower().replace("_", "-")).get())
    except ValueError:
        return None
