"""Chunkings that know nothing of the text: the chance levels beside each measure."""

from chunkfit.evidence import Evidence
from chunkfit.metrics.chance import shuffled
from chunkfit.model import Chunking, Span
from chunkfit.references.model import ALL_CUTS, EVEN_CUTS, NO_CUTS
from chunkfit.settings import ChanceSettings


def no_cuts(evidence: Evidence) -> Chunking:
    """The document in one piece."""
    return Chunking(NO_CUTS, (Span(0, len(evidence.document.text)),))


def all_cuts(evidence: Evidence) -> Chunking:
    """Every sentence a chunk."""
    return Chunking(ALL_CUTS, evidence.sentences)


def even_cuts(chunks: int, evidence: Evidence) -> Chunking:
    """So many chunks of equal length, to one code point; each edge then moves on to a word, as in `shuffled`."""
    length = len(evidence.document.text)
    edges = [length * number // chunks for number in range(chunks + 1)]
    even = Chunking(EVEN_CUTS, tuple(map(Span, edges[:-1], edges[1:])))
    return shuffled(even, evidence, ChanceSettings(draws=1))[0]  # equal lengths stay where they are
