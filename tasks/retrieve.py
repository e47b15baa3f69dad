"""Search the chunks of each method for questions, and measure what comes back."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from prefect import task
from prefect.cache_policies import NO_CACHE

from chunkfit.errors import BadDocument, MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.keys import CHUNKS
from chunkfit.model import Chunking, Failure
from chunkfit.questions import place_questions, read_questions
from chunkfit.retrieval import ChunkIndex, Labelled, Queries, References, Relevance, Retriever
from chunkfit.retrieval.keys import INQUIRIES, RETRIEVALS, Inquiry, inquiry, retrieval
from chunkfit.retrieval.method_retrieval import MethodRetrieval, method_retrieval
from chunkfit.storage import Store
from tasks import artifacts
from tasks.artifacts import stored
from tasks.engines import engines_of
from tasks.policies import patience
from tasks.units import Job, Unit


@dataclass(frozen=True, slots=True)
class Search:
    """What the methods of a run are compared by."""

    units: tuple[Unit, ...]  # the documents that are searched together, in order
    inquiry: str  # key of the questions
    retrievers: tuple[Retriever, ...]
    budgets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """What was done for one method: results that had to be made, and those that were there."""

    computed: int
    reused: int


@task(name="questions", cache_policy=NO_CACHE, persist_result=False)
def given_questions(path: str, units: Sequence[Unit], job: Job) -> tuple[str, tuple[Failure, ...]]:
    """Store the questions of a file with their places in the documents; their key, and those that have none.

    Raises BadDocument where the file cannot be used.
    """
    try:
        stated = read_questions(path)
    except (ValueError, FileNotFoundError) as problem:
        raise BadDocument(str(problem)) from problem
    placed = place_questions(stated, [artifacts.document(unit, job) for unit in units])
    asked = Inquiry(placed.labelled)
    Store(job.store).put(INQUIRIES, inquiry(asked), asked)
    failures = (
        Failure(path, "questions", f"row {one.question.rows[0]}, {one.question.text[:60]!r}: {one.reason}")
        for one in placed.unplaced
    )
    return inquiry(asked), tuple(failures)


@task(
    name="retrieve",
    task_run_name="retrieve {method}",
    cache_policy=NO_CACHE,  # the store itself tells what is there
    persist_result=False,
    **patience(),
)
def retrieve(method: str, search: Search, job: Job) -> Searched:
    """Measure one method under each retriever; what is stored already is left alone.

    Raises MethodFailed where it could not cut one of the documents: without that one, answers in the others would be
    the easier to find.
    """
    store = Store(job.store)
    keys = retrieval_keys(method, search, job)
    missing = [retriever for retriever, key in keys.items() if not store.has(RETRIEVALS, key)]
    if missing:
        with _in_work as corpus:
            known = corpus.of(search, job)
            pairs = [
                (evidence, _chunks(method, unit, job))
                for unit, evidence in zip(search.units, known.evidences, strict=True)
            ]
            index = ChunkIndex.of(pairs)
            relevance = Relevance.of(index.chunks, known.references)
            for retriever in missing:
                found = method_retrieval(index, relevance, known.queries, retriever, search.budgets)
                store.put(RETRIEVALS, keys[retriever], found)
    return Searched(len(missing), len(keys) - len(missing))


def retrieval_keys(method: str, search: Search, job: Job) -> dict[Retriever, str]:
    """Where what a method's chunks bring back is stored, by retriever."""
    recipe = job.recipe
    names = [unit.name for unit in search.units]
    asked = stored(job, INQUIRIES, search.inquiry)
    chunks = [recipe.chunks(unit.document, method) for unit in search.units]
    return {
        retriever: retrieval(chunks, names, asked, retriever, recipe.engines.embedder, search.budgets)
        for retriever in search.retrievers
    }


def retrievals(method: str, search: Search, job: Job) -> dict[Retriever, MethodRetrieval]:
    """What the task has left of a method."""
    return {retriever: stored(job, RETRIEVALS, key) for retriever, key in retrieval_keys(method, search, job).items()}


def labelled(search: Search, job: Job) -> tuple[Labelled, ...]:
    """The questions that the methods are asked."""
    return stored(job, INQUIRIES, search.inquiry).labelled


def let_go() -> None:
    """Free the memory that the documents of the last run take."""
    with _in_work as corpus:
        corpus.clear()


def _chunks(method: str, unit: Unit, job: Job) -> Chunking:
    made = stored(job, CHUNKS, job.recipe.chunks(unit.document, method))
    if made.failure is not None:
        raise MethodFailed(f"{unit.name}: {made.failure}")
    return made.stages[-1]


@dataclass(frozen=True)
class _Known:
    """The documents of a run with their words and vectors, and its questions, shared by all methods."""

    evidences: tuple[Evidence, ...]
    queries: Queries
    references: References


class _Corpus:
    """The documents that are in work, for one thread at a time: evidence is not made for several."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._search: tuple[Search, int] | None = None
        self._known: _Known | None = None

    def of(self, search: Search, job: Job) -> _Known:
        engines = engines_of(job)
        asked_for = (search, id(engines))  # another run may have the same engines anew
        if self._known is None or self._search != asked_for:
            self._search, self._known = asked_for, _known(search, job)
        return self._known

    def clear(self) -> None:
        self._search = self._known = None

    def __enter__(self) -> "_Corpus":
        self._lock.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()


_in_work = _Corpus()


def _known(search: Search, job: Job) -> _Known:
    engines = engines_of(job)
    documents = [artifacts.document(unit, job) for unit in search.units]
    asked = labelled(search, job)
    return _Known(
        tuple(Evidence(document, engines) for document in documents),
        Queries([one.text for one in asked], engines.embedder),
        References.of(asked, documents),
    )
