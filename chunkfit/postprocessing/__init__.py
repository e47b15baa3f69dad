"""Post-processing: `step(chunking, evidence, rules) -> Chunking`, one file per step, all listed here."""

from dataclasses import replace

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Flag
from chunkfit.postprocessing.handover import chunks
from chunkfit.postprocessing.registry import Step, steps
from chunkfit.settings import PostprocessRules
from chunkfit.spans import offsets, require_order

from chunkfit.postprocessing import fill_gaps, merge_tiny, split_oversized  # isort: skip  # noqa: F401

__all__ = ["Step", "chunks", "postprocess", "steps"]


def postprocess(chunking: Chunking, evidence: Evidence, rules: PostprocessRules) -> tuple[Chunking, ...]:
    """The stages of a chunking: as given, without oversized chunks, and without tiny ones, which is the final one.

    Both later stages cover the whole text, whatever the method left out, and flag each chunk that a limit could not be
    kept for. An empty text has no chunks, a blank one has. Raises ValueError where chunks leave the text or come out of
    order.
    """
    require_order(chunking.spans, len(evidence.document.text))
    covering = _after("fill_gaps", chunking, evidence, rules)
    split = _after("split_oversized", covering, evidence, rules)
    merged = _after("merge_tiny", split, evidence, rules)
    # Steps may come and go; that nothing is lost must not depend on them.
    complete = _after("fill_gaps", merged, evidence, rules)
    return (
        chunking,
        _flagged(replace(split, stage="no_oversizing"), evidence, rules.max_tokens, 0),
        _flagged(replace(complete, stage="no_small_chunks"), evidence, rules.merged_max_tokens, rules.min_tokens),
    )


def _after(step: str, chunking: Chunking, evidence: Evidence, rules: PostprocessRules) -> Chunking:
    """What a step makes of a chunking, with its name among the repairs where that is something else."""
    changed = steps[step].make(chunking, evidence, rules)
    if changed.spans == chunking.spans:
        return chunking
    return replace(changed, repairs=(*chunking.repairs, step))


def _flagged(chunking: Chunking, evidence: Evidence, most: int, least: int) -> Chunking:
    """The chunking with a flag for each chunk outside `[least, most]` tokens; the only chunk may be small."""
    sizes = evidence.tokens.counts(*offsets(chunking.spans))
    if split_oversized.bounds_size(chunking.method):
        why = f"{chunking.method} keeps its own limit and is not split again"
    else:
        why = "a single grapheme, which must not be cut"
    flags = [Flag(int(i), f"{sizes[i]} tokens, above {most}: {why}") for i in np.flatnonzero(sizes > most)]
    if len(chunking) > 1:
        flags += [
            Flag(int(i), f"{sizes[i]} tokens, below {least}: neither neighbour has room for it")
            for i in np.flatnonzero(sizes < least)
        ]
    return replace(chunking, flags=tuple(sorted(flags, key=lambda flag: flag.chunk_index)))
