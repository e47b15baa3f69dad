"""What ways to choose a method for each document retrieve: with a score, with labels, and without either."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.metaeval.measured import Measured, Purpose, Values, together
from chunkfit.retrieval.statistics import Estimate, estimate, resampled, resamples

ORACLE = "oracle"


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to choose."""

    way: str
    picks: tuple[str, ...]  # the method of each document; none where it is an average over methods
    recall: Estimate  # the mean over documents of mean recall
    regret: Estimate  # the oracle's recall less this one's


def choices(
    measured: Sequence[Measured], purpose: Purpose, scores: Mapping[str, str], draws: int = 1000, seed: int = 0
) -> tuple[Choice, ...]:
    """Each document counts the same. `scores` names the scores that choose: what to call each, by its name.

    oracle: the method with the highest recall of each document's own questions
    each score: the method with its highest value, of equal ones the first; left out where a document lacks the score
    best fixed: the one method for all documents with the highest mean recall on them, known in hindsight
    best fixed elsewhere: the same, chosen on the other documents; only where there are any
    random: any method, which is the mean over all
    worst: the method with the lowest recall of each document's own questions

    Intervals are over the questions of these documents, with the choices as they were made on all questions: they say
    nothing of other documents, and oracle, best fixed and worst are chosen by the questions that they are measured on,
    which flatters the first two. Raises ValueError for no documents, or ones that were cut by different methods.
    """
    methods = together(measured).methods
    means = np.array([one.means(purpose) for one in measured])
    documents = np.arange(len(measured))
    ways: dict[str, Values] = {ORACLE: _one_each(means.argmax(axis=1), len(methods))}
    for score, way in scores.items():
        picked = [row for one in measured if (row := one.picked(score, purpose)) is not None]
        if len(picked) == len(measured):
            ways[way] = _one_each(np.array(picked), len(methods))
    ways["best fixed"] = _one_each(np.full(len(measured), means.mean(axis=0).argmax()), len(methods))
    if len(measured) > 1:
        elsewhere = [np.delete(means, document, axis=0).mean(axis=0).argmax() for document in documents]
        ways["best fixed elsewhere"] = _one_each(np.array(elsewhere), len(methods))
    ways["random"] = np.full(means.shape, 1 / len(methods))
    ways["worst"] = _one_each(means.argmin(axis=1), len(methods))

    drawn = np.stack(
        [
            resampled(one.recall[purpose], resamples(one.groups, draws, seed + document))
            for document, one in enumerate(measured)
        ],
        axis=1,
    )  # [draws, documents, methods]
    values = {way: (shares * means).sum(axis=1).mean() for way, shares in ways.items()}
    samples = {way: (drawn * shares).sum(axis=2).mean(axis=1) for way, shares in ways.items()}
    return tuple(
        Choice(
            way=way,
            picks=tuple(methods[row.argmax()] for row in shares) if shares.max() == 1 else (),
            recall=estimate(float(values[way]), samples[way]),
            regret=estimate(float(values[ORACLE] - values[way]), samples[ORACLE] - samples[way]),
        )
        for way, shares in ways.items()
    )


def _one_each(picked: NDArray[np.int64], methods: int) -> Values:
    """[documents, methods]: 1 for the method of each document."""
    shares: Values = np.eye(methods)[picked]
    return shares
