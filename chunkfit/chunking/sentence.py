"""A number of sentences per chunk."""

from chunkfit.chunking.registry import chunkers
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import between


@chunkers.register("sentence", version=1, bounds_size=False, cost=2, engines=("segmenter",))
def sentence(evidence: Evidence, *, sentences_per_chunk: int = 5) -> Chunking:
    """Five sentences per chunk, as the segmenter finds them; the last chunk may have fewer.

    Blanks between sentences belong to the sentence before them. An empty text has no chunks. Raises ValueError where
    `sentences_per_chunk` is below 1.
    """
    if sentences_per_chunk < 1:
        raise ValueError(f"sentences_per_chunk must be at least 1, got {sentences_per_chunk}")
    text = evidence.document.text
    opening = evidence.sentences[sentences_per_chunk::sentences_per_chunk]
    return Chunking("sentence", between([0, *(s.start for s in opening), len(text)]) if text else ())
