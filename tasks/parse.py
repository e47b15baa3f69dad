"""Read files into documents."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from prefect import State, task

from chunkfit.errors import BadDocument
from chunkfit.keys import PARSED, Recipe
from chunkfit.model import Document
from chunkfit.parsing import parse as parse_file
from chunkfit.storage import Kind, Store
from tasks.artifacts import parsed_key
from tasks.policies import each, stage
from tasks.units import Batch, Done, Job, Unit


def leaves(unit: Unit, recipe: Recipe) -> Iterable[tuple[Kind[Any], str]]:
    return [(PARSED, parsed_key(unit))]


@task(**stage("parse", leaves))
def parse(units: tuple[Unit, ...], job: Job) -> Batch | State[Batch]:
    return each("parse", units, lambda unit: _parse(unit, job))


def _parse(unit: Unit, job: Job) -> Done:
    read, made = Store(job.store).remember(PARSED, parsed_key(unit), lambda: _read(unit, job))
    return Done(replace(unit, document=read.key, characters=len(read.text)), int(made), int(not made))


def _read(unit: Unit, job: Job) -> Document:
    read = parse_file(unit.path, job.recipe.settings.parsing, name=unit.name)
    if read.source is not None and read.source.sha256 != unit.sha256:
        raise BadDocument("it changed while the run was going on; start the run again")
    return read
