"""Laws of the comparison with reference chunks, on any text and any chunking of it."""

import math

import numpy as np
import pytest
import segeval
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from chunkfit.engines import Engines
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.engines.static import StaticEmbedder
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Mentions, Span
from chunkfit.references import MEASURES, Reference, compare
from chunkfit.references.boundaries import matched, nearest
from chunkfit.references.judged import judged
from chunkfit.references.once import once
from chunkfit.references.windows import pk, window_diff, window_size
from chunkfit.settings import ChanceSettings
from chunkfit.spans import between, offsets

pytestmark = pytest.mark.slow


class NoCoreference:
    id = "none"

    def resolve(self, document):
        return Mentions("none", reason="nobody looked for mentions")


ENGINES = Engines(StaticEmbedder(), RuleSegmenter("en"), NoCoreference())
NO_DRAWS = ChanceSettings(draws=0)
HONEST = [name for name in MEASURES if name != "word_iou"]

relaxed = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
WORDS = ["Tea", "is", "hot.", "Ice.", "Pumps run.", "\n\n", "汉字。", "a\r\n", "👩‍👩‍👧", "ไทย"]
TEXTS = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=40).map(" ".join),
    st.text(min_size=2, max_size=60),
)


@st.composite
def tilings(draw, text):
    """Spans that tile the text, none empty."""
    inner = draw(st.sets(st.integers(1, len(text) - 1), max_size=9))
    return between([0, *sorted(inner), len(text)])


@st.composite
def cases(draw):
    """A text with a chunking and a reference that tile it."""
    text = draw(TEXTS)
    assume(text.strip())
    return text, draw(tilings(text)), draw(tilings(text))


def evidence(text):
    return Evidence(Document("d", text), ENGINES)


def values(spans, reference, known, tolerance=3):
    chunking = Chunking("m", tuple(spans))
    found = compare(chunking, [Reference("d", tuple(reference))], known, tolerance=tolerance, chance=NO_DRAWS)
    return {name: measure.value for name, measure in found.measures.items()}


def never_better(worse, restored):
    for name in HONEST:
        if worse[name] is None or restored[name] is None:
            continue
        gain = worse[name] - restored[name] if MEASURES[name] == "higher" else restored[name] - worse[name]
        assert gain <= 1e-9, (name, worse[name], restored[name])


@given(case=cases())
@relaxed
def test_the_reference_itself_is_perfect_by_every_measure_that_has_a_value(case):
    text, spans, _ = case
    found = values(spans, spans, evidence(text))
    for name, value in found.items():
        assert value in (None, 1.0 if MEASURES[name] == "higher" else 0.0), name
    assert found["span_iou_reference"] is not None
    assert found["boundary_f1"] is not None


@given(case=cases(), overlap=st.integers(0, 20), keep=st.integers(0, 1023))
@relaxed
def test_values_are_finite_and_in_0_to_1_or_none_with_a_reason_in_the_same_order(case, overlap, keep):
    text, spans, reference = case
    some = [Span(max(0, s.start - overlap), s.end) for i, s in enumerate(spans) if keep >> i & 1]
    found = compare(
        Chunking("m", tuple(some)), [Reference("d", reference)], evidence(text), chance=ChanceSettings(draws=2)
    )
    assert tuple(found.measures) == tuple(MEASURES)
    for measure in found.measures.values():
        for value in (measure.value, *measure.chance.values()):
            assert value is None or (math.isfinite(value) and 0 <= value <= 1)
        assert measure.value is not None or measure.reason


@given(case=cases(), tolerance=st.integers(0, 8))
@relaxed
def test_chunking_and_reference_may_change_places(case, tolerance):
    text, one, other = case
    known = evidence(text)
    forth, back = values(one, other, known, tolerance), values(other, one, known, tolerance)
    assert forth["span_iou_reference"] == pytest.approx(back["span_iou_chunks"])
    assert forth["boundary_precision"] == back["boundary_recall"]
    assert forth["boundary_f1"] == back["boundary_f1"]
    assert forth["boundary_similarity"] == pytest.approx(back["boundary_similarity"])


@given(case=cases(), data=st.data())
@relaxed
def test_dropping_text_is_never_better_than_having_it_whichever_way_it_was_cut(case, data):
    text, spans, reference = case
    dropping = []
    for span in spans:  # each chunk goes, or loses something in front and behind
        start = data.draw(st.integers(span.start, span.end))
        end = data.draw(st.integers(start, span.end))
        if start < end:
            dropping.append(Span(start, end))
    known = evidence(text)
    never_better(values(dropping, reference, known), values(spans, reference, known))


@given(case=cases(), hole=st.tuples(st.floats(0, 1), st.floats(0, 1)))
@relaxed
def test_a_hole_in_a_chunk_is_never_better_than_filling_it_from_the_left_from_the_right_or_with_a_chunk(case, hole):
    text, spans, reference = case
    start, end = sorted(round(edge * len(text)) for edge in hole)
    before = [Span(s.start, min(s.end, start)) for s in spans if s.start < start]
    behind = [Span(max(s.start, end), s.end) for s in spans if s.end > end]
    holed = [*before, *behind]
    left = [Span(s.start, end) if s.end == start else s for s in holed]
    right = [Span(start, s.end) if s.start == end else s for s in holed]
    alone = sorted([*holed, *([Span(start, end)] if start < end else [])])
    known = evidence(text)
    worse = values(holed, reference, known)
    for restored in (left, right, alone):
        never_better(worse, values(restored, reference, known))


@given(case=cases(), by=st.integers(1, 30), way=st.sampled_from(["back", "forth", "both"]))
@relaxed
def test_overlapping_is_never_better_than_having_the_text_once(case, by, way):
    text, spans, reference = case
    if way == "both":  # no further than half of the shortest chunk, so that only neighbours overlap
        by = min(by, min(len(span) for span in spans) // 2)
    longer = [
        Span(max(0, s.start - by * (way != "forth")), min(len(text), s.end + by * (way != "back"))) for s in spans
    ]
    known = evidence(text)
    if way == "both":  # blanks are no characters here: the middle of an overlap is that of its visible ones
        assume(not any(character.isspace() for character in text))
    never_better(values(longer, reference, known), values(spans, reference, known))


@given(case=cases(), edges=st.tuples(st.floats(0, 1), st.floats(0, 1)))
@relaxed
def test_a_further_chunk_anywhere_is_never_better(case, edges):
    text, spans, reference = case
    start, end = sorted(round(edge * len(text)) for edge in edges)
    known = evidence(text)
    never_better(values(sorted([*spans, Span(start, end)]), reference, known), values(spans, reference, known))


@given(case=cases(), data=st.data())
@relaxed
def test_a_chunk_that_comes_again_whole_or_in_part_is_never_better(case, data):
    text, spans, reference = case
    span = data.draw(st.sampled_from(spans))
    start = data.draw(st.integers(span.start, span.end))
    again = sorted([*spans, Span(start, data.draw(st.integers(start, span.end)))])
    known = evidence(text)
    never_better(values(again, reference, known), values(spans, reference, known))


@given(case=cases())
@relaxed
def test_blanks_at_the_edges_of_chunks_change_nothing(case):
    text, spans, reference = case

    def stripped(span):
        of = span.of(text)
        return Span(span.start + len(of) - len(of.lstrip()), span.end - len(of) + len(of.rstrip()))

    known = evidence(text)
    bare = [stripped(span) for span in spans if span.of(text).strip()]
    assert values(bare, reference, known) == values(spans, reference, known)


@given(case=cases())
@relaxed
def test_pk_and_window_diff_are_those_of_the_segeval_library(case):
    text, spans, reference = case
    known = evidence(text)
    ruler = judged(Reference("d", reference), known)
    assume(ruler.length > window_size(ruler))
    pieces = once(*offsets(spans), ruler).ways[0]
    masses = tuple((pieces.ends - pieces.starts).tolist()), tuple(np.diff(ruler.edges).tolist())
    assert pk(pieces, ruler).value == pytest.approx(float(segeval.pk(*masses)))
    assert window_diff(pieces, ruler).value == pytest.approx(float(segeval.window_diff(*masses)))


@given(case=cases())
@relaxed
def test_boundary_similarity_is_that_of_the_segeval_library_on_sentences(case):
    text, spans, reference = case
    known = evidence(text)
    ruler = judged(Reference("d", reference), known)
    pieces = once(*offsets(spans), ruler).ways[0]
    size = len(ruler.sentences) - 1
    cuts = [sorted({0, size, *nearest(one, ruler.sentences).tolist()}) for one in (pieces.boundaries, ruler.boundaries)]
    assume(any(len(one) > 2 for one in cuts))
    plain = segeval.boundary_similarity(*(tuple(np.diff(one).tolist()) for one in cuts))
    assert values(spans, reference, known)["boundary_similarity"] == pytest.approx(float(plain))


@given(
    first=st.lists(st.integers(0, 30), max_size=6, unique=True),
    second=st.lists(st.integers(0, 30), max_size=6, unique=True),
    tolerance=st.integers(0, 6),
)
@relaxed
def test_no_other_pairing_of_boundaries_has_more_pairs(first, second, tolerance):
    def most(left, right):
        if not left:
            return 0
        others = [right[:i] + right[i + 1 :] for i, one in enumerate(right) if abs(one - left[0]) <= tolerance]
        return max([most(left[1:], right), *(1 + most(left[1:], rest) for rest in others)])

    first, second = sorted(first), sorted(second)
    assert matched(np.array(first, np.int64), np.array(second, np.int64), tolerance) == most(first, second)


@given(case=cases())
@relaxed
def test_the_word_iou_is_the_published_one(case):
    text, spans, reference = case

    def sets(of):
        return [words for span in of if (words := set(span.of(text).split()))]

    found = [max(len(r & c) / len(r | c) for c in sets(spans)) for r in sets(reference)]
    assert values(spans, reference, evidence(text))["word_iou"] == pytest.approx(sum(found) / len(found))


@given(case=cases(), cut=st.floats(0, 1))
@relaxed
def test_text_that_the_reference_leaves_out_plays_no_part(case, cut):
    text, spans, reference = case
    left_out = reference[int(cut * (len(reference) - 1))]
    others = [span for span in reference if span != left_out]
    assume(others)
    known = evidence(text)
    # cutting what nobody judged further, or dropping it, changes nothing
    pieces = [part for s in spans for part in _cut_by(s, left_out)]
    without = [part for part in pieces if not left_out.contains(part)]
    halved = [half for p in pieces for half in (_halves(p) if left_out.contains(p) else [p])]
    first, second, third = (values(one, others, known) for one in (pieces, without, halved))
    for name in HONEST:
        assert first[name] == second[name] == third[name], name


def _cut_by(span, other):
    edges = sorted({span.start, span.end, *(e for e in (other.start, other.end) if span.start < e < span.end)})
    return between(edges)


def _halves(span):
    middle = (span.start + span.end) // 2
    return [part for part in between([span.start, middle, span.end]) if part]
