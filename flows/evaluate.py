"""Evaluate a corpus: find each document's best chunking method, with the evidence, and its chunks."""

import logging
import os
import re
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from uuid import uuid4

from prefect import State, Task, flow
from prefect.artifacts import create_link_artifact, create_markdown_artifact
from prefect.futures import PrefectFuture
from prefect.states import Completed, Failed
from prefect.task_runners import ThreadPoolTaskRunner

from chunkfit.errors import EngineUnavailable
from chunkfit.keys import EngineIds, Recipe
from chunkfit.model import Failure
from chunkfit.references import Comparison
from chunkfit.reporting import Outcome, RunSummary, leaderboard
from chunkfit.reporting.reference_table import reference_standings
from chunkfit.reporting.tables import (
    failures_markdown,
    fallback_lines,
    leaderboard_markdown,
    notes_markdown,
    references_markdown,
    selection_markdown,
    skipped_lines,
)
from chunkfit.reporting.text import plural
from chunkfit.results import require_ours, versions
from chunkfit.settings import Settings
from chunkfit.usage import Usage
from flows.home import Home
from flows.progress import watcher
from tasks import artifacts
from tasks.chunk import chunk
from tasks.discover import discover
from tasks.engines import engines_in, transcript
from tasks.mentions import given_mentions, mentions
from tasks.parse import parse
from tasks.references import given_references
from tasks.report import report, run_key
from tasks.score import score
from tasks.select import select
from tasks.units import Batch, Job, Unit

logger = logging.getLogger("chunkfit.flows")

STAGES = (parse, mentions, chunk, score, select)

WORKERS = min(8, max(2, os.cpu_count() or 2))  # threads: what is slow releases the interpreter or has its own process
SINGLY = 200  # documents: up to here each has tasks of its own; beyond, batches do, for a task costs some 5 ms
TASK_RUNS = 2000  # at most about so many in one flow run: its database and its page stay usable
PUBLISHED = 500  # documents on the run's page in Prefect
AT_ONCE = 4_000_000  # bytes of files in work, or a single larger one: the largest document sets the memory needed


@dataclass(frozen=True)
class Evaluated:
    """What a run has done, and where it left it."""

    folder: Path
    job: Job
    summary: RunSummary
    units: tuple[Unit, ...] = field(repr=False)  # the documents that went all the way
    unchanged: int  # of these, how many had every result from an earlier run

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Of every method with the chunks that people made, for the documents that have some."""
        return tuple(one for unit in self.units for one in artifacts.comparisons(unit, self.job).values())

    @property
    def report(self) -> Path:
        return self.folder / "report.html"

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Scorecards and selection of every document, without its text."""
        return tuple(
            Outcome(unit.name, artifacts.scorecards(unit, self.job), artifacts.selection(unit, self.job))
            for unit in self.units
        )


@flow(name="evaluate-corpus", task_runner=ThreadPoolTaskRunner(max_workers=WORKERS))
def evaluate_corpus(
    sources: list[str],
    settings: Settings = Settings(),  # noqa: B008 - frozen
    mentions_file: str | None = None,
    references: str | None = None,
    output: str | None = None,
    home: str | None = None,
) -> State[Evaluated]:
    """Evaluate every document of the sources: files, folders, globs.

    `mentions_file` holds mentions found elsewhere, by document name; `references` is a file or folder of the chunks
    that people made of some of the documents; `output` is the run folder and `home` the folder
    of store and runs (see `flows.home`). The state is Completed, Completed named CompletedWithFailures where some
    documents failed, or Failed where none was usable.
    """
    started, clock = datetime.now(UTC), time.monotonic()
    watch = watcher.get()
    place = Home(Path(home)) if home else Home.default()
    place.prepare()
    if output:
        require_ours(Path(output))
    store = str(place.store.absolute())
    engines = engines_in(settings.engines, store)
    job = Job(store, Recipe(settings, EngineIds.of(engines)), run=uuid4().hex)
    job.recipe.methods  # noqa: B018 - an unknown name stops the run here

    watch.say("looking for documents")
    units, unfound = documents(sources, mentions_file, job.store)
    if references:
        units, unplaced = annotated(units, references, job.store)
        unfound += unplaced
    stages = through_stages(units, job)

    watch.say("writing the report")
    failures = (*unfound, *stages.failures)
    summary = RunSummary(
        run_id="",
        corpus=", ".join(sources),
        started=started,
        seconds=time.monotonic() - clock,
        settings=settings,
        versions=versions(settings, engines),
        failures=tuple(sorted(failures, key=lambda failure: (failure.path, failure.stage))),
        computed=stages.computed,
        reused=stages.reused,
        skipped={**job.recipe.skipped, **stages.unavailable},
        usage=stages.usage,
        characters=sum(unit.characters for unit in stages.units),
    )
    summary = replace(summary, run_id=f"{slug(sources)}-{run_key(stages.units, job, summary)[:8]}")
    folder = Path(output) if output else place.runs / summary.run_id
    report(stages.units, job, summary, str(folder))
    transcript(job, folder)
    evaluated = Evaluated(folder, job, summary, stages.units, stages.unchanged)
    _publish(evaluated)
    return _state(evaluated)


def documents(
    sources: Sequence[str], mentions_file: str | None, store: str
) -> tuple[tuple[Unit, ...], tuple[Failure, ...]]:
    """The documents of the sources with the mentions that were given for them, and what is none."""
    found = discover(sources)
    given = given_mentions(mentions_file, store) if mentions_file else {}
    if given and not any(unit.name in given for unit in found.units):
        logger.warning("None of the documents is in %s; its first name is %r.", mentions_file, next(iter(given)))
    return tuple(replace(unit, mentions=given.get(unit.name, "")) for unit in found.units), found.failures


def annotated(units: Sequence[Unit], path: str, store: str) -> tuple[tuple[Unit, ...], tuple[Failure, ...]]:
    """The units with the chunks that people made of them; chunks of a document that is not among them are a failure."""
    given = given_references(path, store)
    names = [unit.name for unit in units]
    strangers = [name for name in given if name not in names]
    failures = [
        Failure(path, "references", f"it has chunks of {name!r}, and no document here has that name")
        for name in strangers
    ]
    return tuple(replace(unit, annotations=given.get(unit.name, "")) for unit in units), tuple(failures)


@dataclass(slots=True)
class Tally:
    """What all stages together have done so far."""

    units: tuple[Unit, ...] = ()
    failures: tuple[Failure, ...] = ()
    computed: int = 0
    reused: int = 0
    usage: Usage = Usage()  # noqa: RUF009 - frozen
    touched: set[str] = field(default_factory=set)  # documents of which anything was computed

    @property
    def unchanged(self) -> int:
        return sum(unit.name not in self.touched for unit in self.units)

    @property
    def unavailable(self) -> dict[str, str]:
        """The methods whose engine did not answer for some documents, for how many, and why."""
        reasons: dict[str, list[str]] = {}
        for unit in self.units:
            for method, reason in unit.unavailable:
                reasons.setdefault(method, []).append(reason)
        return {method: f"{plural(len(told), 'document')}: {told[0]}" for method, told in reasons.items()}


def through_stages(units: Sequence[Unit], job: Job, stages: Sequence[Task[..., Any]] = STAGES) -> Tally:
    """Take every unit through the stages, a bounded number at a time, each as soon as the stage before is done."""
    watch = watcher.get()
    watch.begin(len(units), sum(_work(unit) for unit in units) * len(stages))
    waiting = deque(batches(units))
    running: dict[PrefectFuture[Batch], tuple[tuple[Unit, ...], int]] = {}
    finished: SimpleQueue[PrefectFuture[Batch]] = SimpleQueue()
    tally = Tally()

    def submit(batch: tuple[Unit, ...], stage: int) -> None:
        future = stages[stage].submit(batch, job)
        running[future] = (batch, stage)
        future.add_done_callback(finished.put)

    def has_room(batch: tuple[Unit, ...]) -> bool:
        in_work = [unit.size for others, _ in running.values() for unit in others]
        fits = sum(in_work) + sum(unit.size for unit in batch) <= AT_ONCE
        return not running or (fits and len(running) <= WORKERS)

    while waiting or running:
        while waiting and has_room(waiting[0]):
            submit(waiting.popleft(), 0)
        future = finished.get()
        batch, stage = running.pop(future)
        done = _settled(future, batch, stages[stage].name)
        last = stage == len(stages) - 1
        tally.failures += done.failures
        tally.computed += done.computed
        tally.reused += done.reused
        tally.usage += done.usage
        tally.touched.update(done.touched)
        if last:
            tally.units += done.units
        elif done.units:
            submit(done.units, stage + 1)
        failed = len(batch) - len(done.units)
        skipped = (len(stages) - 1 - stage) * (sum(map(_work, batch)) - sum(map(_work, done.units)))
        watch.advance(sum(map(_work, batch)) + skipped, len(done.units) if last else 0, failed)
    tally.units = tuple(sorted(tally.units, key=lambda unit: unit.name))
    return tally


def _settled(future: PrefectFuture[Batch], batch: tuple[Unit, ...], stage: str) -> Batch:
    """What became of a batch. Where the whole task failed, so did each of its documents."""
    future.wait()  # the state may lag behind the callback
    result = future.result(raise_on_failure=False)
    if not isinstance(result, Batch):
        foreseen = isinstance(result, EngineUnavailable)
        reason = str(result) if foreseen else f"unexpected {type(result).__name__}: {result}"
        return Batch((), tuple(Failure(unit.path, stage, reason) for unit in batch))
    if future.state.name == "Cached":
        return replace(result, computed=0, reused=result.computed + result.reused, touched=(), usage=Usage())
    return result


def batches(units: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    """The largest documents first: the one that everybody waits for at the end is then a small one."""
    size = 1 if len(units) <= SINGLY else max(25, -(-len(units) * len(STAGES) // TASK_RUNS))
    ordered = sorted(units, key=lambda unit: (-unit.size, unit.name))
    return [tuple(ordered[start : start + size]) for start in range(0, len(ordered), size)]


def _work(unit: Unit) -> int:
    return unit.size + 20_000  # the smallest document takes some time too


def slug(sources: Sequence[str]) -> str:
    """A folder name that says what was evaluated: "data/samples" -> "samples"."""
    name = Path(sources[0]).resolve().name if len(sources) == 1 else "corpus"
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()[:40] or "corpus"


def _state(evaluated: Evaluated) -> State[Evaluated]:
    failed = len({failure.path for failure in evaluated.summary.failures})
    if not evaluated.units:
        return Failed(message=f"no document was usable, {failed} failed", data=evaluated)
    if failed:
        return Completed(
            name="CompletedWithFailures", message=f"{len(evaluated.units)} documents, {failed} failed", data=evaluated
        )
    return Completed(data=evaluated)


def _publish(evaluated: Evaluated) -> None:
    """Show the run's outcome on its page in Prefect."""
    outcomes, shown = evaluated.outcomes, evaluated.outcomes[:PUBLISHED]
    hidden = len(outcomes) - len(shown)
    more = f"\nand {plural(hidden, 'more document')} in the report\n" if hidden else ""
    create_markdown_artifact(key="leaderboard", markdown=leaderboard_markdown(leaderboard(outcomes)))
    create_markdown_artifact(key="selection", markdown=selection_markdown(shown) + more)
    if compared := reference_standings(evaluated.comparisons):
        create_markdown_artifact(key="references", markdown=references_markdown(compared))
    if notes := [*fallback_lines(outcomes), *skipped_lines(evaluated.summary)]:
        create_markdown_artifact(key="left-out", markdown=notes_markdown(notes))
    if evaluated.summary.failures:
        create_markdown_artifact(key="failures", markdown=failures_markdown(evaluated.summary.failures))
    create_link_artifact(key="report", link=evaluated.report.absolute().as_uri(), link_text="report.html")
