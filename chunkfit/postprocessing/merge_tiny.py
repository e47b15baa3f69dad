"""Chunks too small to say anything join a neighbour."""

from dataclasses import replace

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Span
from chunkfit.postprocessing.registry import steps
from chunkfit.settings import PostprocessRules
from chunkfit.spans import offsets, union


@steps.register("merge_tiny", version=1)
def merge_tiny(chunking: Chunking, evidence: Evidence, rules: PostprocessRules) -> Chunking:
    """Merge each chunk below `min_tokens` into the next, or else the previous one, while the two fit together.

    The two are counted as one text, at most `merged_max_tokens`. What has no room beside it stays as it is.
    """
    tokens = evidence.tokens
    sizes = tokens.counts(*offsets(chunking.spans)).tolist()
    merged: list[Span] = []
    current: Span | None = None  # not yet in `merged`: it may still be too small
    size = 0
    for following, following_size in zip(chunking.spans, sizes, strict=True):
        if current is None:
            current, size = following, following_size
            continue
        if size < rules.min_tokens:
            both = union(current, following)
            if (together := tokens.count(both.start, both.end)) <= rules.merged_max_tokens:
                current, size = both, together
                continue
        _append(merged, current, size, evidence, rules)
        current, size = following, following_size
    if current is not None:
        _append(merged, current, size, evidence, rules)
    return replace(chunking, spans=tuple(merged))


def _append(merged: list[Span], span: Span, size: int, evidence: Evidence, rules: PostprocessRules) -> None:
    """Add a span that the next one has no room for: to the previous one where it is too small and fits there."""
    if merged and size < rules.min_tokens:
        both = union(merged[-1], span)
        if evidence.tokens.count(both.start, both.end) <= rules.merged_max_tokens:
            merged[-1] = both
            return
    merged.append(span)
