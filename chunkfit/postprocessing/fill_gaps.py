"""Full coverage of the text."""

from dataclasses import replace

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.postprocessing.registry import steps
from chunkfit.settings import PostprocessRules
from chunkfit.spans import without_gaps


@steps.register("fill_gaps", version=1)
def fill_gaps(chunking: Chunking, evidence: Evidence, rules: PostprocessRules) -> Chunking:
    """Give what no chunk covers to the chunk behind it, and what follows the last chunk to the last.

    Empty chunks go. A text that no chunk touches becomes one chunk; an empty text has none.
    """
    return replace(chunking, spans=without_gaps(chunking.spans, len(evidence.document.text)))
