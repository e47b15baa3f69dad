"""The classic measures of a ranking, by trec_eval."""

from dataclasses import dataclass

import numpy as np

from chunkfit.retrieval.measures import Shares
from chunkfit.retrieval.ranking import Rankings
from chunkfit.retrieval.relevance import Relevance
from chunkfit.retrieval.union import per_owner


@dataclass(frozen=True, eq=False)
class RankedMeasures:
    """A number in [0, 1] for each question."""

    ndcg: Shares
    reciprocal_rank: Shares
    hit: Shares


def at_places(rankings: Rankings, relevance: Relevance, k: int = 10) -> RankedMeasures:
    """nDCG@k, the reciprocal rank within the first k places (0 behind them), and whether a hit is among these.

    The grade of a chunk is the number of the question's reference characters that it holds, and gain is the grade
    itself: nDCG = DCG / best DCG of any ranking of these chunks, DCG = sum(grade / log2(1 + place)). A chunk is a hit
    where it holds any. All are 0 where no chunk holds any. Their means over questions are nDCG@k, MRR@k and the hit
    rate. They count chunks: a chunking of a few long ones has it easy. Computed by trec_eval through ir_measures.
    Raises ValueError for k below 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1 place, got {k}")
    if rankings.shape[1] < min(k, len(relevance.chunks)):
        raise ValueError(f"the rankings have {rankings.shape[1]} places; search for at least k={k} chunks")
    import ir_measures
    from ir_measures import RR, Success, nDCG

    wanted = {"ndcg": nDCG @ k, "reciprocal_rank": RR @ k, "hit": Success @ k}
    found = {name: np.zeros(relevance.references.size) for name in wanted}
    name_of = {measure: name for name, measure in wanted.items()}
    for one in ir_measures.iter_calc(list(name_of), _grades(relevance), _run(rankings[:, :k])):
        found[name_of[one.measure]][int(one.query_id)] = one.value
    return RankedMeasures(**found)


def _grades(relevance: Relevance) -> dict[str, dict[str, int]]:
    """Reference characters by question and chunk. References of one question share none, so they add up."""
    size = len(relevance.chunks)
    pairs, at = np.unique(relevance.questions * size + relevance.chunk, return_inverse=True)
    grades: dict[str, dict[str, int]] = {}
    for pair, grade in zip(
        pairs.tolist(), per_owner(at, relevance.ends - relevance.starts, len(pairs)).tolist(), strict=True
    ):
        grades.setdefault(str(pair // size), {})[str(pair % size)] = grade
    return grades


def _run(rankings: Rankings) -> dict[str, dict[str, float]]:
    """Scores that fall from place to place."""
    return {
        str(question): {str(chunk): 1 / place for place, chunk in enumerate(ranking, start=1) if chunk >= 0}
        for question, ranking in enumerate(rankings.tolist())
    }
