"""Read the chunks that people made of documents."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from chunkfit import keys
from chunkfit.errors import BadDocument
from chunkfit.keys import ANNOTATIONS, Annotations
from chunkfit.references import read_references
from chunkfit.storage import Store


@task(name="given references", cache_policy=NO_CACHE, persist_result=False)
def given_references(path: str, store: str) -> dict[str, str]:
    """Store them; their keys by document name. Raises BadDocument where the file or folder cannot be used."""
    try:
        read = read_references(path)
    except (ValueError, FileNotFoundError) as problem:
        raise BadDocument(str(problem)) from problem
    found = {name: Annotations(annotations) for name, annotations in read.items()}
    for one in found.values():
        Store(store).put(ANNOTATIONS, keys.annotated(one), one)
    return {name: keys.annotated(one) for name, one in found.items()}
