"""Names for chunks that stay."""

import json
import uuid
from collections import Counter
from collections.abc import Sequence

from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.model import Chunk

_OURS = uuid.UUID("6f0a4d1e-7c52-5f0b-9a0e-3d1c8b7e2f64")  # any fixed one: it keeps these ids apart from other UUIDs


def ids(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """A UUID (version 5) for each chunk of a document: a hash of the document's name, method, span and text.

    The same chunk has the same id in every export, wherever it is made, and another one as soon as any of these
    changes. A chunk that a method gives twice has two ids.
    """
    given: Counter[str] = Counter()
    found = []
    for chunk in chunks:
        text = without_lone_surrogates(chunk.text)  # as a run folder holds it
        facts = json.dumps([without_lone_surrogates(chunk.document), chunk.method, chunk.start, chunk.end, text])
        found.append(str(uuid.uuid5(_OURS, f"{given[facts]} {facts}")))
        given[facts] += 1
    return tuple(found)
