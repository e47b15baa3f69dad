"""A chunking beside the chunks that people made of the same document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from chunkfit.evidence import Evidence
from chunkfit.metrics.chance import shuffled
from chunkfit.metrics.edges import edges
from chunkfit.model import Chunking, Score
from chunkfit.references.baselines import all_cuts, even_cuts, no_cuts
from chunkfit.references.boundaries import TOLERANCE, boundary_f1, boundary_precision, boundary_recall, hits
from chunkfit.references.boundary_edits import boundary_similarity
from chunkfit.references.judged import Judged, judged
from chunkfit.references.model import EVEN_CUTS, MEASURES, SHUFFLED_LENGTHS, Comparison, Measure, Reference
from chunkfit.references.once import Pieces, once
from chunkfit.references.span_iou import span_iou_chunks, span_iou_reference
from chunkfit.references.windows import pk, window_diff
from chunkfit.references.word_sets import WordSets, word_iou, word_sets
from chunkfit.settings import ChanceSettings

ENOUGH_CHUNKS = 1000
"""Shuffled chunks that a chance level is the mean of: where one chunk's IoU deviates by 0.2, its error is 0.006."""
LEAST_DRAWS = 3
"""However many chunks one draw has."""

Scores = Mapping[str, Score]


def compare(
    chunking: Chunking,
    references: Sequence[Reference],
    evidence: Evidence,
    *,
    tolerance: int = TOLERANCE,
    chance: ChanceSettings = ChanceSettings(),  # noqa: B008 - frozen
) -> Comparison:
    """Every measure of one chunking against one reference of its document, or several people's, with chance levels.

    With several annotators a measure is the mean over them, and `best` the value against the one that it agrees with
    most. `tolerance` is how many judged characters two matching boundaries may lie apart. Chance levels are the same
    measures of chunkings that know nothing of the text; that of the shuffled lengths is the mean over `chance.draws`
    draws, or as many of them as give 1,000 chunks, but 3.

    Raises ValueError where there is no reference, where one is of another document or text, where the chunking
    leaves the text, and for a tolerance below 0.
    """
    if tolerance < 0:
        raise ValueError(f"the tolerance is a distance in characters and at least 0, got {tolerance}")
    if not references:
        raise ValueError("there is nothing to compare with; give at least one reference")
    for reference in references:
        if reference.document != evidence.document.name:
            raise ValueError(
                f"the reference is of {reference.document!r} and the document is {evidence.document.name!r}; "
                "compare a chunking with references of its own document"
            )
    found = [_against(reference, chunking, evidence, tolerance, chance) for reference in references]
    return Comparison(
        document=evidence.document.name,
        method=chunking.method,
        measures={name: _measure(name, found) for name in MEASURES},
        tolerance=tolerance,
        annotators=len(references),
        dropped=fmean(one.dropped for one in found),
        repeated=fmean(one.repeated for one in found),
    )


@dataclass(frozen=True, eq=False)
class _Found:
    """A chunking against one annotator."""

    scores: Scores
    levels: Mapping[str, Sequence[Scores]]  # by chance level, a set of scores a draw
    dropped: float
    repeated: float


@dataclass(frozen=True, eq=False)
class _Ruler:
    judged: Judged
    sets: WordSets | None


@dataclass(frozen=True)
class _Prepared:
    """What all chunkings need of one reference, for `Evidence.once`: equal references are prepared once."""

    reference: Reference

    def __call__(self, evidence: Evidence) -> _Ruler:
        return _Ruler(judged(self.reference, evidence), word_sets(self.reference, evidence))


@dataclass(frozen=True)
class _Fixed:
    """The chance levels that are the same for every chunking of the document."""

    reference: Reference
    tolerance: int

    def __call__(self, evidence: Evidence) -> Mapping[str, Sequence[Scores]]:
        ruler = evidence.once(_Prepared(self.reference))
        cuts = (no_cuts(evidence), all_cuts(evidence))
        return {cut.method: [_scores(cut, ruler, evidence, self.tolerance)] for cut in cuts}


def _against(
    reference: Reference, chunking: Chunking, evidence: Evidence, tolerance: int, chance: ChanceSettings
) -> _Found:
    ruler = evidence.once(_Prepared(reference))
    held = once(*edges(chunking, evidence), ruler.judged)
    drawn = shuffled(chunking, evidence, _enough(len(chunking), chance))
    even = (even_cuts(len(chunking), evidence),) if len(chunking) else ()
    levels = {EVEN_CUTS: even, SHUFFLED_LENGTHS: drawn}
    return _Found(
        scores=_scores(chunking, ruler, evidence, tolerance),
        levels={
            **evidence.once(_Fixed(reference, tolerance)),
            **{name: [_scores(cut, ruler, evidence, tolerance) for cut in cuts] for name, cuts in levels.items()},
        },
        dropped=held.ways[0].dropped / max(1, held.length),
        repeated=held.repeated / max(1, held.length),
    )


def _enough(chunks: int, chance: ChanceSettings) -> ChanceSettings:
    """Fewer draws for many chunks: the mean is as certain, and long documents do not take minutes."""
    wanted = max(LEAST_DRAWS, -(-ENOUGH_CHUNKS // max(1, chunks)))
    return ChanceSettings(draws=min(chance.draws, wanted), seed=chance.seed)


def _scores(chunking: Chunking, ruler: _Ruler, evidence: Evidence, tolerance: int) -> Scores:
    starts, ends = edges(chunking, evidence)
    held = once(starts, ends, ruler.judged)
    ways = [_of_pieces(pieces, ruler.judged, tolerance) for pieces in held.ways]
    worst = {name: held.worst([scores[name] for scores in ways], MEASURES[name]) for name in ways[0]}
    return {"word_iou": word_iou(starts, ends, ruler.sets), **worst}


def _of_pieces(pieces: Pieces, judged: Judged, tolerance: int) -> Scores:
    if not judged.length:
        nothing = Score(None, "nothing that the reference judged is there but blanks")
        return {name: nothing for name in MEASURES if name != "word_iou"}
    found = hits(pieces, judged, tolerance)
    return {
        "span_iou_reference": span_iou_reference(pieces, judged),
        "span_iou_chunks": span_iou_chunks(pieces, judged),
        "boundary_precision": boundary_precision(found),
        "boundary_recall": boundary_recall(found),
        "boundary_f1": boundary_f1(found),
        "pk": pk(pieces, judged),
        "window_diff": window_diff(pieces, judged),
        "boundary_similarity": boundary_similarity(pieces, judged),
    }


def _measure(name: str, found: Sequence[_Found]) -> Measure:
    better = MEASURES[name]
    values = [one.scores[name].value for one in found]
    known = [value for value in values if value is not None]
    levels = {level: [scores[name].value for one in found for scores in one.levels[level]] for level in found[0].levels}
    chance = {level: [value for value in values if value is not None] for level, values in levels.items()}
    return Measure(
        value=fmean(known) if known else None,
        better=better,
        reason=None if known else found[0].scores[name].reason,
        best=(max if better == "higher" else min)(known, default=None),
        chance={level: fmean(values) for level, values in chance.items() if values},
    )
