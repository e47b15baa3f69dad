"""Reference chains: how many mentions stay with the mention before them."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import Offsets, edges, held
from chunkfit.model import Chunking, Score


@registry.diagnostics.register("reference_chains", version=1, chance=True, costly=False)
def reference_chains(chunking: Chunking, evidence: Evidence) -> Score:
    """Share of mentions, the first of each chain aside, that some chunk holds together with the mention before.

    score = links held / all links, where a chain of n mentions in order of the text has n - 1 links

    1 - missing-reference error over whole chains, after the published code beside "Adaptive Chunking" (arXiv
    2603.25333). That one divides by mentions, counts a link once for each boundary in it, and so can exceed 1. Where RC
    looks at pronouns alone, this follows everything said of one thing, names and descriptions too. None without chains,
    and where a mention lies beyond the text, for then the mentions are of another text.

    Rewards chunks in which a thing is followed. It mostly reads size, as one chunk of everything scores 1: read the
    lift. A long chain has many links, so the document's main subject decides. An overlap that brings two mentions
    together counts as it should, and so does a mention that was dropped: its links are lost.
    """
    starts, ends = edges(chunking, evidence)
    links = evidence.once(_links)
    if not len(links.starts):
        return Score(None, evidence.mentions.reason or "nothing here is mentioned twice")
    furthest, length = links.ends.max(), len(evidence.document.text)
    if furthest > length:
        return Score(None, f"the mentions are of another text: one ends at {furthest}, this text at {length}")
    return Score(float(np.mean(held(starts, ends, links.starts, links.ends))))


class _Links(NamedTuple):
    """From the start of one mention to the end of the next, or of the first where that holds the next."""

    starts: Offsets
    ends: Offsets


def _links(evidence: Evidence) -> _Links:
    chains = (sorted(set(chain)) for chain in evidence.mentions.chains)
    spans = [(a.start, max(a.end, b.end)) for chain in chains for a, b in pairwise(chain)]
    edges = np.array(spans, np.int64).reshape(-1, 2)
    return _Links(edges[:, 0], edges[:, 1])
