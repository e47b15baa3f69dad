"""No chunk above the limit."""

from dataclasses import replace

import numpy as np

from chunkfit.chunking import trait
from chunkfit.chunking.recursive import split_recursively
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Span
from chunkfit.postprocessing.registry import steps
from chunkfit.settings import PostprocessRules
from chunkfit.spans import offsets, without_contained


@steps.register("split_oversized", version=1)
def split_oversized(chunking: Chunking, evidence: Evidence, rules: PostprocessRules) -> Chunking:
    """Split each chunk above `max_tokens` as recursive_1100 would, unless the method bounds size itself."""
    if bounds_size(chunking.method):
        return chunking
    sizes = evidence.tokens.counts(*offsets(chunking.spans))
    found: list[Span] = []
    for span, is_oversized in zip(chunking.spans, np.asarray(sizes > rules.max_tokens), strict=True):
        found += split_recursively(evidence.tokens, span, rules.max_tokens) if is_oversized else (span,)
    return replace(chunking, spans=without_contained(found))


def bounds_size(method: str) -> bool:
    """Whether a method keeps its own size limit; one that is not registered here promises nothing."""
    return bool(trait(method, "bounds_size"))
