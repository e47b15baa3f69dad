"""How stages are cached, retried and told apart: the same for all of them, in one place."""

import hashlib
import json
import traceback
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from typing import Any

from prefect import State
from prefect.cache_policies import CachePolicy
from prefect.context import TaskRunContext
from prefect.logging import get_run_logger
from prefect.states import Completed, Failed
from prefect.tasks import exponential_backoff

from chunkfit.errors import BadDocument, EngineRefused, EngineUnavailable
from chunkfit.keys import Recipe
from chunkfit.model import Failure
from chunkfit.storage import Kind, Store
from chunkfit.usage import Usage
from tasks.units import Batch, Done, Job, Unit

RETRIES = 3

Leaves = Callable[[Unit, Recipe], Iterable[tuple[Kind[Any], str]]]
"""The artifacts that a stage leaves of one unit, as kind and key."""

Work = Callable[[Unit], Done]
"""A stage on one unit."""


@dataclass
class Reuse(CachePolicy):
    """A finished batch is finished as long as every artifact that it left is there and whole.

    The key is stage / version / hash of the units and of their artifacts' keys, which say everything that matters (see
    `chunkfit.keys`). Prefect's own policies hash too much (texts) or too little (not the settings, not the task).
    """

    stage: str = ""
    version: int = 1  # raise it when what the task returns changes; what the artifacts hold has versions of its own
    leaves: Leaves = lambda unit, recipe: ()

    def compute_key(
        self, task_ctx: TaskRunContext, inputs: dict[str, Any], flow_parameters: dict[str, Any], **kwargs: Any
    ) -> str:
        units: tuple[Unit, ...] = inputs["units"]
        job: Job = inputs["job"]
        artifacts = [artifact for unit in units for artifact in self.leaves(unit, job.recipe)]
        facts = [[astuple(unit) for unit in units], [(kind.name, key) for kind, key in artifacts]]
        key = f"{self.stage}/{self.version}/{hashlib.sha256(json.dumps(facts).encode()).hexdigest()}"
        store, records = Store(job.store), task_ctx.result_store
        if records.exists(key) and not all(store.has(kind, name) for kind, name in artifacts):
            # Prefect would take the record's word for it. An empty record is none, so the batch runs again, and of it
            # only what is missing.
            assert records.result_storage is not None  # it has just been asked
            records.result_storage.write_path(key, b"")
        return key


def stage(name: str, leaves: Leaves, version: int = 1) -> dict[str, Any]:
    """The options of a stage's task."""
    return {
        "name": name,
        "task_run_name": _run_name,
        "cache_policy": Reuse(stage=name, version=version, leaves=leaves),
        "result_serializer": "json",  # no pickle: a result is a handful of short strings
        "persist_result": True,
        **patience(),
    }


def patience() -> dict[str, Any]:
    """The options of a task that asks engines: again after a while where one is unavailable."""
    return {
        "retries": RETRIES,
        "retry_delay_seconds": exponential_backoff(backoff_factor=2),
        "retry_jitter_factor": 0.5,
        "retry_condition_fn": _engine_is_unavailable,
    }


def each(name: str, units: Iterable[Unit], work: Work) -> Batch | State[Batch]:
    """Do a stage's work on each unit; one that fails becomes a row and the others go on.

    EngineUnavailable is raised: the batch is tried again later, and finds what it has done already.
    """
    done: list[Unit] = []
    failures: list[Failure] = []
    touched: list[str] = []
    computed = reused = 0
    usage = Usage()
    for unit in units:
        try:
            ready = work(unit)
        except EngineUnavailable:
            raise
        except BadDocument as problem:
            failures.append(Failure(unit.path, name, str(problem)))
        except Exception as bug:
            get_run_logger().error("%s: %s", unit.path, traceback.format_exc())
            failures.append(Failure(unit.path, name, f"unexpected {type(bug).__name__}: {bug} (please report this)"))
        else:
            done.append(ready.unit)
            computed += ready.computed
            reused += ready.reused
            usage += ready.usage
            failures += ready.failures
            if ready.computed:
                touched.append(unit.name)
    batch = Batch(tuple(done), tuple(failures), computed, reused, tuple(touched), usage)
    if not failures:
        return batch
    message = "; ".join(f"{failure.path}: {failure.reason}" for failure in failures[:3])
    return (
        Completed(name="CompletedWithFailures", message=message, data=batch)
        if done
        else Failed(message=message, data=batch)
    )


def is_last_attempt() -> bool:
    """Whether the running task will not be tried again."""
    from prefect.runtime import task_run

    return int(task_run.run_count or 0) > RETRIES


def _run_name() -> str:
    from prefect.runtime import task_run

    units: tuple[Unit, ...] = task_run.parameters["units"]
    others = f" and {len(units) - 1} more" if len(units) > 1 else ""
    return f"{task_run.task_name} {units[0].name}{others}"


def _engine_is_unavailable(task: Any, run: Any, state: State[Any]) -> bool:
    """Whether trying again may help. A file that cannot be read today cannot be read in two seconds either."""
    problem = state.result(raise_on_failure=False)
    return isinstance(problem, EngineUnavailable) and not isinstance(problem, EngineRefused)
