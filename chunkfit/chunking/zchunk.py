"""Cuts where a language model expects a separator."""

import math
from typing import Literal

import numpy as np

from chunkfit.chunking.registry import chunkers
from chunkfit.chunking.separator_curves import Curve, above, at_cuts, curve, near_size, nested
from chunkfit.chunking.separator_prompt import CANDIDATES, absent_separators, prompt
from chunkfit.chunking.sizes import require_room
from chunkfit.chunking.word_starts import word_starts
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.spans import between

Level = Literal["big", "small"]
LEVELS: tuple[Level, ...] = ("big", "small")
SIZE = 512  # tokens: what scores well cannot be told for every model, a size can


@chunkers.register("zchunk", version=1, bounds_size=False, cost=4, engines=("language_model",))
def zchunk(
    evidence: Evidence, *, level: Level = "big", threshold: float | None = None, size: int | None = None
) -> Chunking:
    """Ask how likely a separator is at each place, without generating text; cut where it is unusually likely.

    The model reads instructions, an example and then the text once, as if it were copying it with separators. The two
    separators, one for sections (`level` "big") and one for smaller parts ("small"), are single tokens of the model
    that the text does not hold. Their log-probabilities are corrected for their decay along the windows in which a long
    text is read, and standardised (`separator_curves`). Cuts fall where words start, and a place counts on the small
    level at least as much as on the big one.

    Either `threshold`, in robust standard deviations above what is usual in the document: every place above it is a
    boundary, and an even document is one chunk (begin with 3; what fits differs by model). Or `size`, the tokens that a
    chunk should come near: from each cut the best place that leaves between a half and one and a half times as much; an
    even document is cut evenly. By default size=512. No size is promised where the text has no place to cut.

    The idea is zChunk's (ZeroEntropy). Raises ValueError for settings out of range or both of them given,
    MethodFailed where all separators occur in the text or the model gives no numbers.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be 'big' or 'small', got {level!r}")
    if threshold is not None and size is not None:
        raise ValueError("give zchunk a threshold or a size, not both")
    if threshold is not None and not math.isfinite(threshold):
        raise ValueError(f"threshold must be a finite number, got {threshold}")
    if size is not None:
        require_room(size)
    text = evidence.document.text
    if not text:
        return Chunking("zchunk", ())
    found = evidence.once(_curve)
    if not len(found.positions):
        return Chunking("zchunk", between([0, len(text)]))
    scores = nested(found.scores)[:, LEVELS.index(level)]
    if threshold is not None:
        cuts = above(scores, threshold)
    else:
        cuts = near_size(scores, evidence.tokens.before(found.positions), evidence.tokens.total, size or SIZE)
    return Chunking("zchunk", between([0, *found.positions[cuts].tolist(), len(text)]))


def _curve(evidence: Evidence) -> Curve:
    """Both levels at every place where the document may be cut."""
    text, model = evidence.document.text, evidence.language_model
    cuts = word_starts(text)
    if not len(cuts):
        return curve(())
    separators = absent_separators(model.single_tokens(CANDIDATES), text)
    reading = model.read(prompt(*separators), text, separators)
    evidence.spend(reading.usage)
    if any(np.isnan(window.log_probabilities).any() for window in reading.windows):
        raise MethodFailed(f"{model.id} gives no numbers for {evidence.document.name!r}; load it with dtype=float32")
    return curve([at_cuts(window, cuts, evidence.visible_before) for window in reading.windows])
