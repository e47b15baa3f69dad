"""Find who is meant: chains of mentions and entity-pronoun pairs."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from prefect import State, task
from prefect.cache_policies import NO_CACHE

from chunkfit import keys
from chunkfit.errors import BadDocument
from chunkfit.keys import GIVEN, MENTIONS, Given, Recipe
from chunkfit.mentions import read_mentions
from chunkfit.model import Mentions
from chunkfit.storage import Kind, Store
from tasks import artifacts
from tasks.engines import engines_of
from tasks.policies import each, stage
from tasks.units import Batch, Done, Job, Unit


def leaves(unit: Unit, recipe: Recipe) -> Iterable[tuple[Kind[Any], str]]:
    return [(MENTIONS, unit.mentions or recipe.mentions(unit.document))]


@task(**stage("mentions", leaves))
def mentions(units: tuple[Unit, ...], job: Job) -> Batch | State[Batch]:
    """Resolve coreference where no mentions were given."""
    return each("mentions", units, lambda unit: Done(unit, 0, 1) if unit.mentions else _resolve(unit, job))


@task(name="given mentions", cache_policy=NO_CACHE, persist_result=False)
def given_mentions(path: str, store: str) -> dict[str, str]:
    """Store mentions found elsewhere; their keys by document name. Raises BadDocument where the file holds none."""
    place = Store(store)
    key = keys.given(hashlib.sha256(Path(path).read_bytes()).hexdigest())
    known = place.get(GIVEN, key)
    if known is None or not all(place.has(MENTIONS, name) for name in known.mentions.values()):
        try:
            read = read_mentions(path)
        except ValueError as problem:
            raise BadDocument(str(problem)) from problem
        known = Given({name: _put(found, place) for name, found in read.items()})
        place.put(GIVEN, key, known)
    return dict(known.mentions)


def _put(found: Mentions, place: Store) -> str:
    key = keys.content(found)
    place.put(MENTIONS, key, found)
    return key


def _resolve(unit: Unit, job: Job) -> Done:
    key = job.recipe.mentions(unit.document)
    coreference = engines_of(job).coreference
    _, made = Store(job.store).remember(MENTIONS, key, lambda: coreference.resolve(artifacts.document(unit, job)))
    return Done(replace(unit, mentions=key), int(made), int(not made))
