"""Coverage, the gate of the strict profile: no text lost, and none repeated beyond what the method declares."""

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import edges, new_from
from chunkfit.model import Chunking, Score


@registry.strict.register("coverage", version=1, chance=False, gate=True)
def strict(chunking: Chunking, evidence: Evidence) -> Score:
    """Share of the text's non-blank characters that are in some chunk and not repeated beyond the declared overlap.

    1 - (dropped + repeated) / all, where a chunk repeats what it shares with earlier chunks, less `chunking.overlap`.
    Below 1 it disqualifies: dropping text raises the other scores (the hardest blocks and pairs are gone), and so does
    repeating it (every block is whole in some copy). A chunker cannot buy its way out by declaring a large overlap
    unseen: the overlap is part of the chunking and stands in the results.
    """
    starts, ends = edges(chunking, evidence)
    visible = evidence.visible_before
    total = int(visible[-1])
    if not total:
        return Score(None, "the text is blank")
    fresh = new_from(starts, ends)
    dropped = total - int(np.sum(visible[ends] - visible[fresh]))
    repeated = int(np.sum(np.maximum(visible[fresh] - visible[starts] - chunking.overlap, 0)))
    faults = []
    if dropped:
        faults.append(f"drops {dropped} of {total} non-blank characters")
    if repeated:
        faults.append(f"repeats {repeated} non-blank characters beyond its declared overlap of {chunking.overlap}")
    return Score(max(0.0, 1 - (dropped + repeated) / total), " and ".join(faults) or None)
