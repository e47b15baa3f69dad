"""Tune methods and their settings on a corpus; the search itself is `chunkfit.tuning`."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from prefect import State, flow
from prefect.artifacts import create_markdown_artifact
from prefect.states import Completed, Failed
from prefect.task_runners import ThreadPoolTaskRunner

from chunkfit.errors import BadDocument
from chunkfit.keys import EngineIds, Recipe
from chunkfit.model import Failure
from chunkfit.reporting.tables import failures_markdown
from chunkfit.reporting.tuning_table import front_markdown, tuning_sentences
from chunkfit.results import versions
from chunkfit.settings import Settings
from chunkfit.tuning import FOLDS, SPACE, Aim, Plan, Tuned, require_methods
from chunkfit.tuning_results import SETTINGS, require_own, write_tuning
from flows.evaluate import WORKERS, documents, slug, through_stages
from flows.home import Home
from flows.progress import watcher
from tasks.engines import engines_in
from tasks.parse import parse
from tasks.retrieve import given_questions
from tasks.tune import Search, study_name, tune_documents
from tasks.units import Job

TOLD_EVERY = 10  # trials


@dataclass(frozen=True)
class TunedCorpus:
    """What tuning has found, and where it left it."""

    folder: Path
    tuned: Tuned | None = field(repr=False)  # None where there was no document to tune on
    failures: tuple[Failure, ...]
    seconds: float

    @property
    def settings(self) -> Path:
        return self.folder / SETTINGS


@flow(name="tune", task_runner=ThreadPoolTaskRunner(max_workers=WORKERS))
def tune_corpus(
    corpus: str,
    questions: str | None = None,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    aim: Aim = Aim(),  # noqa: B008 - frozen
    methods: tuple[str, ...] = tuple(SPACE),
    trials: int = 50,
    folds: int = FOLDS,
    seed: int = 0,
    study: str | None = None,
    output: str | None = None,
    home: str | None = None,
) -> State[TunedCorpus]:
    """Search for the method and the settings that serve `aim` best on the documents of `corpus`.

    `study` is the SQLite file of the trials (`studies.db` in the home folder otherwise): the same search goes on where
    it ended, and more `trials` go on from there. The settings are those of everything that is not tuned. The state is
    Completed, Completed named CompletedWithFailures where a document or a question took no part, or Failed where there
    was no document to tune on. Raises BadDocument where the file of questions cannot be used.
    """
    clock = time.monotonic()
    watch = watcher.get()
    require_methods(methods)
    place = Home(Path(home)) if home else Home.default()
    place.prepare()
    if output:
        require_own(Path(output))
    store = str(place.store.absolute())
    engines = engines_in(settings.engines, store)
    job = Job(store, Recipe(settings, EngineIds.of(engines)), run=uuid4().hex)

    watch.say("looking for documents")
    units, unfound = documents([corpus], None, store)
    stages = through_stages(units, job, (parse,))
    asked, unplaced = given_questions(questions, stages.units, job) if questions else ("", ())
    plan = Plan(methods, trials, seed, storage=f"sqlite:///{Path(study or place.studies).absolute()}")
    search = Search(stages.units, asked, aim, plan, folds)
    failures = (*unfound, *stages.failures, *unplaced)

    def tell(what: str, done: int, of: int) -> None:
        if done == 1 or done % TOLD_EVERY == 0:
            watch.say(f"tuning on {what}: trial {done} of {of}")

    folder = Path(output) if output else place.runs / f"{slug([corpus])}-tuning-{study_name(search, job)[:8]}"
    try:
        tuned = tune_documents(search, job, tell)
    except BadDocument as nothing:
        failures = (*failures, Failure(corpus, "tune", str(nothing)))
        return _state(TunedCorpus(folder, None, failures, time.monotonic() - clock))
    write_tuning(folder, tuned, settings, versions(settings, engines))
    create_markdown_artifact(key="tuning", markdown=front_markdown(tuned) + "\n" + "\n\n".join(tuning_sentences(tuned)))
    if failures:
        create_markdown_artifact(key="failures", markdown=failures_markdown(failures))
    return _state(TunedCorpus(folder, tuned, failures, time.monotonic() - clock))


def _state(done: TunedCorpus) -> State[TunedCorpus]:
    if done.tuned is None:
        return Failed(message=done.failures[-1].reason, data=done)
    if done.failures:
        return Completed(name="CompletedWithFailures", message=f"{len(done.failures)} failed", data=done)
    return Completed(data=done)
