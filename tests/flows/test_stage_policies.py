"""Busy engines are waited for; what cannot be read is not."""

from pathlib import Path

import pytest

from chunkfit.errors import BadDocument, BudgetSpent, EngineUnavailable

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("prefect_api")]


def attempts(tmp_path: Path, problems: list[Exception]) -> tuple[int, object]:
    """How often a stage tried a unit that has these problems, one an attempt, and what became of it."""
    from prefect import flow, task

    from chunkfit.engines import default_engines
    from chunkfit.keys import EngineIds, Recipe
    from chunkfit.settings import Settings
    from tasks.policies import each, stage
    from tasks.units import Batch, Done, Job, Unit

    tried = 0

    def work(unit: Unit) -> Done:
        nonlocal tried
        tried += 1
        if tried <= len(problems):
            raise problems[tried - 1]
        return Done(unit, computed=1)

    @task(**stage("fragile", lambda unit, recipe: [], version=id(work)) | {"retry_delay_seconds": 0})
    def fragile(units: tuple[Unit, ...], job: Job) -> Batch:
        return each("fragile", units, work)

    @flow
    def once() -> object:
        job = Job(str(tmp_path), Recipe(Settings(), EngineIds.of(default_engines())))
        future = fragile.submit((Unit("a", "a.txt", "00", "text/plain", 1),), job)
        future.wait()
        return future.result(raise_on_failure=False)

    result = once()
    return tried, result


def test_a_busy_engine_is_tried_again(tmp_path: Path) -> None:
    tried, batch = attempts(tmp_path, [EngineUnavailable("busy"), EngineUnavailable("busy")])
    assert (tried, batch.computed) == (3, 1)


def test_a_spent_budget_is_not_tried_again(tmp_path: Path) -> None:
    tried, problem = attempts(tmp_path, [BudgetSpent("no calls left")] * 5)
    assert tried == 1
    assert isinstance(problem, BudgetSpent)


def test_a_document_that_cannot_be_used_is_not_tried_again(tmp_path: Path) -> None:
    tried, batch = attempts(tmp_path, [BadDocument("no text")] * 5)
    assert tried == 1
    assert [failure.reason for failure in batch.failures] == ["no text"]


def test_a_bug_is_one_row_that_says_so(tmp_path: Path) -> None:
    tried, batch = attempts(tmp_path, [KeyError("page")] * 5)
    assert tried == 1
    assert batch.failures[0].reason == "unexpected KeyError: 'page' (please report this)"
