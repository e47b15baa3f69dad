"""Tune on the documents of a run. Every outcome is stored, so that an interrupted search goes on where it was."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from prefect import task
from prefect.cache_policies import NO_CACHE

from chunkfit.errors import BadDocument
from chunkfit.evidence import Evidence
from chunkfit.retrieval import Labelled
from chunkfit.retrieval.keys import INQUIRIES
from chunkfit.storage import Store
from chunkfit.tuning import Aim, Candidate, NothingToTuneOn, Outcome, Plan, Subject, Tuned, outcome, tune
from chunkfit.tuning.keys import OUTCOMES, study
from chunkfit.tuning.keys import outcome as outcome_key
from tasks import artifacts
from tasks.artifacts import stored
from tasks.engines import engines_of
from tasks.policies import patience
from tasks.units import Job, Unit


@dataclass(frozen=True, slots=True)
class Search:
    """What is tuned, for what, and how."""

    units: tuple[Unit, ...]
    inquiry: str  # key of the questions; "" for none
    aim: Aim
    plan: Plan  # its study is named by what it depends on
    folds: int


@task(name="tune", cache_policy=NO_CACHE, persist_result=False, **patience())  # study and store tell what is done
def tune_documents(search: Search, job: Job, tell: Callable[[str, int, int], None]) -> Tuned:
    """`chunkfit.tuning.tune` on the documents, with the study and the outcomes of earlier sittings.

    Raises BadDocument where no document tells anything.
    """
    asked = labelled(search, job)
    settings, ids = job.recipe.settings, job.recipe.engines
    engines = engines_of(job)
    subjects, documents = [], {}
    for unit in search.units:
        own = tuple(one for one in asked if one.document == unit.name)
        subjects.append(Subject(Evidence(artifacts.document(unit, job), engines), own))
        documents[unit.name] = unit.document
    store = Store(job.store)

    def remembered(candidate: Candidate, subject: Subject) -> Outcome:
        recipe = replace(job.recipe, settings=candidate.settings(settings))
        chunks = recipe.chunks(documents[subject.name], candidate.method)
        key = outcome_key(chunks, subject.labelled, search.aim, [ids.embedder, ids.segmenter])
        return store.remember(OUTCOMES, key, lambda: outcome(candidate, subject, search.aim, settings))[0]

    plan = replace(search.plan, study=study_name(search, job))
    try:
        return tune(subjects, search.aim, plan, settings=settings, folds=search.folds, measure=remembered, tell=tell)
    except NothingToTuneOn as nothing:
        raise BadDocument(str(nothing)) from nothing


def study_name(search: Search, job: Job) -> str:
    documents = [(unit.name, unit.document) for unit in search.units]
    ids, rules = job.recipe.engines, job.recipe.settings.postprocess
    engines = [ids.embedder, ids.segmenter]
    plan = search.plan
    return study(
        documents, labelled(search, job), search.aim, plan.methods, engines, rules.model_dump(mode="json"), plan.seed
    )


def labelled(search: Search, job: Job) -> tuple[Labelled, ...]:
    """The questions, or none."""
    return stored(job, INQUIRIES, search.inquiry).labelled if search.inquiry else ()
