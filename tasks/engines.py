"""The engines of a run, made once in a process."""

from functools import lru_cache

from chunkfit.engines import EngineContext, Engines, engines
from chunkfit.engines.registry import from_environment
from chunkfit.settings import Budget, EngineSettings, Settings
from chunkfit.storage import Store
from tasks.units import Job


def engines_of(job: Job) -> Engines:
    """The engines of a job."""
    return engines_in(job.recipe.settings, job.store)


def engines_in(settings: Settings, store: str) -> Engines:
    """What the settings name, with a store for vectors and answers. A secret may be a Prefect Secret block."""
    return _made(settings.engines, settings.budget, store)


@lru_cache(maxsize=4)
def _made(settings: EngineSettings, budget: Budget, store: str) -> Engines:
    return engines(settings, EngineContext(Store(store), secret, budget))


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
