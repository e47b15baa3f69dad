"""One chunk per parsed page."""

from chunkfit.chunking.registry import chunkers
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking


@chunkers.register("page", version=1, bounds_size=False, cost=0)
def page(evidence: Evidence) -> Chunking:
    """One chunk per page as parsed; a blank page is an empty chunk, an empty text has none."""
    document = evidence.document
    return Chunking("page", tuple(page.span for page in document.pages) if document.text else ())
