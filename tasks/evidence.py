"""What is known of the documents in work, kept in memory from one stage to the next."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from chunkfit.evidence import Evidence
from tasks import artifacts
from tasks.engines import engines_of
from tasks.units import Job, Unit

SHELF = 3  # documents: those in work. More would only cost memory; fewer, and texts are read and tokenised twice

_shelf: OrderedDict[tuple[str, ...], Evidence] = OrderedDict()
_lock = threading.Lock()


@contextmanager
def evidence(unit: Unit, job: Job, *, last: bool = False) -> Iterator[Evidence]:
    """The evidence of one document, for this thread alone; after its `last` stage it is let go."""
    engines = engines_of(job)
    place = (unit.name, unit.document, unit.mentions, str(id(engines)))  # another run may have the same engines anew
    with _lock:
        known = _shelf.pop(place, None)
    if known is None:
        mentions = artifacts.mentions(unit, job) if unit.mentions else None  # retrieval has no need of any
        known = Evidence(artifacts.document(unit, job), engines, mentions)
    yield known
    if not last:
        with _lock:
            _shelf[place] = known
            while len(_shelf) > SHELF:
                _shelf.popitem(last=False)
