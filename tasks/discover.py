"""Find the documents of a run and tell them apart by their bytes."""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from chunkfit.parsing import discover as discover_sources
from tasks.units import Batch, Unit


@task(name="discover", cache_policy=NO_CACHE, persist_result=False)  # what the folders hold now is the question
def discover(sources: Sequence[str]) -> Batch:
    """One unit per document, in a stable order; what cannot even be listed or read is a failure."""
    found, failures = discover_sources(sources)
    units = (Unit(one.name, str(one.path), one.sha256, one.media_type, one.size) for one in found)
    return Batch(tuple(sorted(units, key=lambda unit: unit.name)), tuple(failures))
