"""The document in one piece: what any cut is to be compared with."""

from chunkfit.chunking.registry import chunkers
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import between


@chunkers.register("whole_document", version=1, bounds_size=False, cost=0, on_request=True)
def whole_document(evidence: Evidence) -> Chunking:
    """One chunk of the whole text; an empty text has none. Post-processing splits what is above its limit."""
    text = evidence.document.text
    return Chunking("whole_document", between([0, len(text)]) if text else ())
