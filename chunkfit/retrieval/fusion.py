"""One ranking from several."""

import numpy as np
from numpy.typing import NDArray

from chunkfit.retrieval.ranking import Scores, places

K = 60  # as published; it keeps the first places of one ranking from deciding alone


def reciprocal_rank_fusion(*scores: Scores, k: int = K) -> NDArray[np.float64]:
    """For each query and chunk the sum of

        1 / (k + place of the chunk in a ranking)

    over the rankings in which it is found, places from 1: [queries, chunks], and -inf where it is found in none. Equal
    scores within a ranking take places in the order of the chunks. Source: Cormack, Clarke and Büttcher, "Reciprocal
    Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (SIGIR 2009). Raises ValueError for k < 0.
    """
    if k < 0:
        raise ValueError(f"k must be at least 0, got {k}; {K} is usual")
    fused = sum((np.where(one > -np.inf, 1 / (k + places(one)), 0) for one in scores), np.zeros(scores[0].shape))
    return np.where(fused > 0, fused, -np.inf)
