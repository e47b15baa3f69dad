"""What earlier stages of the run have left."""

from dataclasses import replace
from typing import TypeVar

from chunkfit import keys
from chunkfit.errors import BadDocument
from chunkfit.keys import CHUNKS, COMPARISONS, MENTIONS, PARSED, SCORECARDS, SELECTIONS, SIMILARITIES, Recipe
from chunkfit.model import Document, Mentions, Scorecard, Selection
from chunkfit.parsing import parser_of
from chunkfit.pipeline import Evaluation
from chunkfit.references import Comparison
from chunkfit.storage import Kind, Store
from tasks.engines import engines_of
from tasks.units import Job, Unit

T = TypeVar("T")


def stored(job: Job, kind: Kind[T], key: str) -> T:
    """An artifact that must be there by now. Raises BadDocument where someone has emptied the store meanwhile."""
    found = Store(job.store).get(kind, key)
    if found is None:
        raise BadDocument(f"its {kind.name} vanished from {job.store} during the run; start the run again")
    return found


def parsed_key(unit: Unit) -> str:
    return keys.parsed(unit.sha256, unit.media_type, parser_of(unit.media_type))


def document(unit: Unit, job: Job) -> Document:
    """The parsed document under the name that it has in this run: another run may have met the same bytes elsewhere."""
    found = stored(job, PARSED, parsed_key(unit))
    source = None if found.source is None else replace(found.source, path=unit.path)
    return replace(found, name=unit.name, source=source)


def mentions(unit: Unit, job: Job) -> Mentions:
    return stored(job, MENTIONS, unit.mentions)


def scorecards(unit: Unit, job: Job) -> tuple[Scorecard, ...]:
    recipe = job.recipe
    keys_ = [recipe.scorecard(unit.document, unit.mentions, method) for method in unit.methods(recipe)]
    return tuple(stored(job, SCORECARDS, key) for key in keys_)


def selection(unit: Unit, job: Job) -> Selection:
    return stored(job, SELECTIONS, job.recipe.selection(unit.document, unit.mentions, unit.methods(job.recipe)))


def comparisons(unit: Unit, job: Job) -> dict[str, Comparison]:
    """By method, in their order: those that made chunks of a document of which people made some."""
    found = {
        method: stored(job, COMPARISONS, key).comparison for method, key in comparison_keys(unit, job.recipe).items()
    }
    return {method: replace(one, document=unit.name) for method, one in found.items() if one is not None}


def comparison_keys(unit: Unit, recipe: Recipe) -> dict[str, str]:
    """By method; none where people made no chunks of the document."""
    if not unit.annotations:
        return {}
    return {method: recipe.comparison(unit.document, unit.annotations, method) for method in unit.methods(recipe)}


def evaluation(unit: Unit, job: Job) -> Evaluation:
    """All that the stages found out about one document: what `chunkfit.pipeline.evaluate` gives."""
    recipe = job.recipe
    cuts = {method: stored(job, CHUNKS, recipe.chunks(unit.document, method)) for method in unit.methods(recipe)}
    return Evaluation(
        document=document(unit, job),
        settings=recipe.settings,
        engines=engines_of(job),
        mentions=mentions(unit, job),
        stages={method: cut.stages for method, cut in cuts.items() if cut.failure is None},
        scorecards=scorecards(unit, job),
        selection=selection(unit, job),
        skipped={**recipe.skipped, **dict(unit.unavailable)},
        comparisons=comparisons(unit, job),
        similarity=stored(job, SIMILARITIES, recipe.similarity(unit.document)).similarity,
    )
