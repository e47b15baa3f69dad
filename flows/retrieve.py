"""Compare methods by what they retrieve for labelled questions: all documents of a corpus are searched together."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from prefect import State, flow
from prefect.artifacts import create_link_artifact, create_markdown_artifact
from prefect.states import Completed, Failed
from prefect.task_runners import ThreadPoolTaskRunner

from chunkfit.errors import EngineUnavailable, MethodFailed
from chunkfit.keys import EngineIds, Recipe
from chunkfit.model import Failure
from chunkfit.reporting.retrieval_run import RetrievalRun
from chunkfit.reporting.retrieval_table import retrieval_markdown, retrieval_sentence
from chunkfit.reporting.tables import failures_markdown
from chunkfit.results import versions
from chunkfit.retrieval import Retriever
from chunkfit.retrieval.method_retrieval import BUDGETS, MethodRetrieval
from chunkfit.retrieval_results import PAGE, require_own, write_retrieval
from chunkfit.settings import Settings
from flows.evaluate import WORKERS, documents, slug, through_stages
from flows.home import Home
from flows.progress import watcher
from tasks.chunk import chunk
from tasks.engines import engines_in
from tasks.parse import parse
from tasks.retrieve import Search, given_questions, labelled, let_go, retrievals, retrieve
from tasks.units import Job


@dataclass(frozen=True)
class Compared:
    """What a comparison has found, and where it left it."""

    folder: Path
    run: RetrievalRun

    @property
    def report(self) -> Path:
        return self.folder / PAGE


@dataclass(frozen=True)
class Tried:
    """What became of the methods."""

    retrievals: Mapping[str, Mapping[str, MethodRetrieval]]  # by retriever, then method
    left_out: Mapping[str, str]
    computed: int
    reused: int


@flow(name="retrieve", task_runner=ThreadPoolTaskRunner(max_workers=WORKERS))
def retrieve_corpus(
    corpus: str,
    questions: str,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    retrievers: tuple[Retriever, ...] = ("hybrid",),
    budgets: tuple[int, ...] = BUDGETS,
    output: str | None = None,
    home: str | None = None,
) -> State[Compared]:
    """Cut the documents of `corpus` by every method, search the chunks for the questions of a file, and measure.

    `output` is the run folder and `home` the folder of store and runs (see `flows.home`). The state is Completed,
    Completed named CompletedWithFailures where a document or a question took no part, or Failed where nothing could be
    measured. Raises BadDocument where the file of questions cannot be used.
    """
    started, clock = datetime.now(UTC), time.monotonic()
    watch = watcher.get()
    place = Home(Path(home)) if home else Home.default()
    place.prepare()
    if output:
        require_own(Path(output))
    store = str(place.store.absolute())
    engines = engines_in(settings.engines, store)
    job = Job(store, Recipe(settings, EngineIds.of(engines)), run=uuid4().hex)
    budgets = tuple(sorted(set(budgets)))

    watch.say("looking for documents")
    units, unfound = documents([corpus], None, store)
    stages = through_stages(units, job, (parse, chunk))
    asked, unplaced = given_questions(questions, stages.units, job)
    search = Search(stages.units, asked, retrievers, budgets)
    questions_of_run = labelled(search, job)
    watch.say("searching")
    unavailable = stages.unavailable
    methods = [name for name in job.recipe.methods if name not in unavailable] if questions_of_run else []
    tried = _tried(methods, search, job)

    failures = (*unfound, *stages.failures, *unplaced)
    run = RetrievalRun(
        run_id=f"{slug([corpus])}-retrieval-{_key(search, job, failures)[:8]}",
        corpus=corpus,
        questions=questions,
        started=started,
        seconds=time.monotonic() - clock,
        settings=settings,
        budgets=budgets,
        documents=tuple(unit.name for unit in stages.units),
        labelled=questions_of_run,
        retrievals=tried.retrievals,
        versions=versions(settings, engines),
        failures=tuple(sorted(failures, key=lambda failure: (failure.path, failure.stage))),
        skipped={**job.recipe.skipped, **unavailable, **tried.left_out},
        computed=stages.computed + tried.computed,
        reused=stages.reused + tried.reused,
    )
    watch.say("writing the report")
    compared = Compared(Path(output) if output else place.runs / run.run_id, run)
    write_retrieval(compared.folder, run)
    _publish(compared)
    return _state(compared)


def _tried(methods: Sequence[str], search: Search, job: Job) -> Tried:
    """Each method in a task of its own. One that fails is left out with the reason, and the others go on."""
    futures = {method: retrieve.submit(method, search, job) for method in methods}
    found: dict[str, dict[str, MethodRetrieval]] = {retriever: {} for retriever in search.retrievers}
    left_out: dict[str, str] = {}
    computed = reused = 0
    for method, future in futures.items():
        future.wait()
        done = future.result(raise_on_failure=False)
        if isinstance(done, BaseException):
            foreseen = isinstance(done, EngineUnavailable | MethodFailed)
            left_out[method] = str(done) if foreseen else f"unexpected {type(done).__name__}: {done}"
            continue
        computed, reused = computed + done.computed, reused + done.reused
        for retriever, one in retrievals(method, search, job).items():
            found[retriever][method] = one
    let_go()
    return Tried(
        {retriever: by_method for retriever, by_method in found.items() if by_method}, left_out, computed, reused
    )


def _key(search: Search, job: Job, failures: Sequence[Failure]) -> str:
    """All that a run's files depend on, but for the time that it took."""
    recipe = job.recipe
    facts = [
        [[unit.name, [recipe.chunks(unit.document, method) for method in recipe.methods]] for unit in search.units],
        [search.inquiry, search.retrievers, search.budgets, recipe.engines.embedder],
        [[failure.path, failure.stage, failure.reason] for failure in failures],
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _state(compared: Compared) -> State[Compared]:
    run = compared.run
    if not run.retrievals:
        return Failed(message="nothing could be measured", data=compared)
    if run.failures:
        return Completed(name="CompletedWithFailures", message=f"{len(run.failures)} failed", data=compared)
    return Completed(data=compared)


def _publish(compared: Compared) -> None:
    """Show the outcome on the run's page in Prefect."""
    run = compared.run
    if run.standings:
        tables = [retrieval_markdown(name, standings, run.budgets) for name, standings in run.standings.items()]
        create_markdown_artifact(key="retrieval", markdown="\n".join([*tables, retrieval_sentence(run)]))
    if run.failures:
        create_markdown_artifact(key="failures", markdown=failures_markdown(run.failures))
    create_link_artifact(key="report", link=compared.report.absolute().as_uri(), link_text=PAGE)
