"""Every measure against reference chunks, and every chance level, with numbers worked out by hand.

Texts are letters without blanks where offsets matter, so that code points are judged characters.
"""

import numpy as np
import pytest

from chunkfit.codec import codec
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Span
from chunkfit.references import MEASURES, Comparison, Measure, Reference, compare
from chunkfit.references.boundaries import matched
from chunkfit.references.judged import judged
from chunkfit.references.windows import window_size
from chunkfit.settings import ChanceSettings
from chunkfit.spans import between

TWENTY = "a" * 20
NO_DRAWS = ChanceSettings(draws=0)


class Sentences:
    """Sentences of given ends."""

    id = "given"

    def __init__(self, ends):
        self.ends = ends

    def sentences(self, text):
        return between([0, *self.ends])


@pytest.fixture
def against(engines):
    """against([(start, end), ...], reference=[...], text=..., sentence_ends=[...], tolerance=...) -> Comparison"""

    def make(chunks, reference, text=TWENTY, sentence_ends=None, tolerance=0, chance=NO_DRAWS):
        segmenter = Sentences(sentence_ends or range(1, len(text) + 1))
        known = Evidence(Document("d", text), type(engines)(engines.embedder, segmenter, engines.coreference))
        chunking = Chunking("m", tuple(Span(*chunk) for chunk in chunks))
        references = [Reference("d", tuple(Span(*span) for span in reference))]
        return compare(chunking, references, known, tolerance=tolerance, chance=chance)

    return make


def value(comparison, name):
    return comparison.measures[name].value


# ---------------------------------------------------------------------------------------------------------- word sets


def test_word_iou_is_the_mean_over_reference_chunks_of_the_best_jaccard_index(against):
    text = "tea is hot ice is cold"
    # reference {tea is hot} {ice is cold}; chunks {tea is hot ice} {is cold}
    # first: 3/4 with chunk 1, 1/4 with chunk 2; second: 2/5 with chunk 1, 2/3 with chunk 2; mean of 3/4 and 2/3
    found = against([(0, 15), (15, 22)], [(0, 11), (11, 22)], text)
    assert value(found, "word_iou") == pytest.approx((3 / 4 + 2 / 3) / 2)


def test_word_iou_takes_parts_of_words_where_a_chunk_tears_them_and_each_word_of_a_chunk_once(against):
    # chunks "tea te" and "a tea": {tea, te} and {a, tea}; the reference {tea}: 1/2 with either
    assert value(against([(0, 6), (6, 11)], [(0, 11)], "tea tea tea"), "word_iou") == pytest.approx(1 / 2)
    # "ten t" and "en": the torn "t" is no word of the reference {ten}; 1/2, and 0 for {en}
    assert value(against([(0, 5), (5, 7)], [(0, 7)], "ten ten"), "word_iou") == pytest.approx(1 / 2)


def test_word_iou_is_deceived_by_a_chunk_from_elsewhere_and_by_dropped_text_and_says_so(against):
    text = "tea is hot junk tea is hot"
    # the last chunk stands in for the first reference chunk, whose own text is dropped together with the junk
    found = against([(16, 26)], [(0, 10), (16, 26)], text)
    assert value(found, "word_iou") == 1.0
    # 8 of 16 characters are dropped: the second reference chunk has 8/16 with its own, and the first nothing
    assert value(found, "span_iou_reference") == pytest.approx(8 / 16 * 8 / 16)


def test_word_iou_of_chunks_by_the_ten_thousand_is_refused_and_takes_no_memory(against):
    # 10,000 distinct words in as many reference chunks would be 100 million cells
    text = " ".join(f"{number:05}" for number in range(10_000))
    words = [(start, start + 5) for start in range(0, len(text), 6)]
    measure = against([(0, len(text))], words, text, sentence_ends=[len(text)]).measures["word_iou"]
    assert (measure.value, measure.chance) == (None, {})
    assert "too many chunks" in measure.reason


# ---------------------------------------------------------------------------------------------------------- span IoU


def test_span_iou_is_weighted_by_length_in_both_directions(against):
    # reference [0,10) [10,20); chunks [0,10) [10,15) [15,20)
    found = against([(0, 10), (10, 15), (15, 20)], [(0, 10), (10, 20)])
    assert value(found, "span_iou_reference") == pytest.approx((10 * 1 + 10 * 5 / 10) / 20)
    assert value(found, "span_iou_chunks") == pytest.approx((10 * 1 + 5 * 5 / 10 + 5 * 5 / 10) / 20)
    # chunks [0,16) [16,20): [0,10) has 10/16 with the first; [10,20) has 4/10 with the second, 6/20 with the first
    found = against([(0, 16), (16, 20)], [(0, 10), (10, 20)])
    assert value(found, "span_iou_reference") == pytest.approx((10 * 10 / 16 + 10 * 4 / 10) / 20)
    assert value(found, "span_iou_chunks") == pytest.approx((16 * 10 / 16 + 4 * 4 / 10) / 20)


def test_text_dropped_beside_a_chunk_counts_as_the_chunks_in_the_union(against):
    # [0,12) [12,20) against [0,10) [10,20): 10/12 and 8/10
    whole = against([(0, 12), (12, 20)], [(0, 10), (10, 20)])
    assert value(whole, "span_iou_reference") == pytest.approx((10 * 10 / 12 + 10 * 8 / 10) / 20)
    # without [10,12) the first chunk would be a perfect match; its union stays [0,12), and the second's is [10,20)
    dropping = against([(0, 10), (12, 20)], [(0, 10), (10, 20)])
    assert value(dropping, "span_iou_reference") == pytest.approx((10 * 10 / 12 + 10 * 8 / 10) / 20)
    assert value(dropping, "span_iou_chunks") == pytest.approx((10 * 10 / 12 + 8 * 8 / 10 + 2 * 0) / 20)
    assert (dropping.dropped, dropping.repeated) == (0.1, 0.0)


def test_a_chunking_that_is_there_twice_is_worth_half(against):
    # each character once is perfect; 20 of 40 characters repeat: 1 * 20/40, and an error of 0 becomes 1 - 20/40
    found = against([(0, 10), (0, 10), (10, 20), (10, 20)], [(0, 10), (10, 20)])
    for name, better in MEASURES.items():
        expected = 1.0 if name == "word_iou" else 0.5
        assert value(found, name) == pytest.approx(expected if better == "higher" else 1 - expected), name
    assert found.repeated == 1.0


def test_of_the_ways_to_have_repeated_text_once_the_worst_counts(against):
    # [0,10) [6,20) is [0,6)[6,20) or [0,8)[8,20) or [0,10)[10,20); the reference is the last. 4 of 24 repeat.
    # worst: [0,6) 6/10, [6,20) 10/14 -> by chunks (6 * 6/10 + 14 * 10/14) / 20 = 13.6/20
    found = against([(0, 10), (6, 20)], [(0, 10), (10, 20)])
    assert value(found, "span_iou_chunks") == pytest.approx(13.6 / 20 * 20 / 24)
    assert value(found, "boundary_recall") == 0.0


def test_a_further_chunk_around_or_across_others_does_not_stand_in_for_them(against):
    # the whole text as a further chunk would be perfect; the halves alone have 10/20 each, and 20 of 40 repeat
    found = against([(0, 10), (0, 20), (10, 20)], [(0, 20)])
    assert value(found, "span_iou_reference") == pytest.approx(10 / 20 * 20 / 40)
    # [5,15) would bring the boundaries 5 and 15 that the reference has; the halves alone have neither
    found = against([(0, 10), (5, 15), (10, 20)], [(0, 5), (5, 15), (15, 20)])
    assert value(found, "boundary_recall") == 0.0


# --------------------------------------------------------------------------------------------------------- boundaries


def test_boundaries_are_matched_within_the_tolerance_and_each_once(against):
    # reference boundaries 5, 10; the chunking's 4, 6, 18; tolerance 1: 5 is matched by one of 4 and 6
    found = against([(0, 4), (4, 6), (6, 18), (18, 20)], [(0, 5), (5, 10), (10, 20)], tolerance=1)
    assert value(found, "boundary_precision") == pytest.approx(1 / 3)
    assert value(found, "boundary_recall") == pytest.approx(1 / 2)
    assert value(found, "boundary_f1") == pytest.approx(2 * 1 / (3 + 2))


def test_matching_is_optimal_where_taking_the_nearest_first_would_not_be():
    # 10-11 and 12-13 are two pairs; the nearest pair 11-12 alone would leave 10 and 13 without one
    assert matched(array(10, 12), array(11, 13), 1) == 2
    assert matched(array(8, 11), array(10, 13), 2) == 2
    assert matched(array(8, 11), array(10, 14), 2) == 1


def array(*offsets):
    return np.array(offsets, np.int64)


def test_dropped_characters_are_boundaries_that_match_nothing(against):
    # boundaries 10 and 15 of the reference; [10,13) is dropped: edges at 10, 11, 12, 13 match nothing, 15 matches
    found = against([(0, 10), (13, 15), (15, 20)], [(0, 10), (10, 15), (15, 20)])
    assert value(found, "boundary_precision") == pytest.approx(1 / 5)
    assert value(found, "boundary_recall") == pytest.approx(1 / 2)
    # dropped at the end: edges at 18 and 19; the end of the text is no boundary
    found = against([(0, 10), (10, 18)], [(0, 10), (10, 20)])
    assert value(found, "boundary_precision") == pytest.approx(1 / 3)


def test_precision_needs_a_boundary_of_the_chunking_and_recall_one_of_the_reference(against):
    found = against([(0, 20)], [(0, 10), (10, 20)])
    assert found.measures["boundary_precision"] == Measure(
        None, "higher", "the chunking has no boundaries", chance=found.measures["boundary_precision"].chance
    )
    assert (value(found, "boundary_recall"), value(found, "boundary_f1")) == (0.0, 0.0)
    found = against([(0, 10), (10, 20)], [(0, 20)])
    assert found.measures["boundary_recall"].reason == "the reference has no boundaries"
    assert (value(found, "boundary_precision"), value(found, "boundary_f1")) == (0.0, 0.0)
    both = against([(0, 20)], [(0, 20)])
    assert (value(both, "boundary_f1"), value(both, "boundary_similarity"), value(both, "pk")) == (1.0, 1.0, 0.0)


# ------------------------------------------------------------------------------------------------- Pk and WindowDiff


def test_pk_and_window_diff_count_windows_of_half_a_mean_reference_chunk(against):
    # 12 units, boundaries of the reference at 4 and 8: chunks of 4, window 2, starts 0..9 see (i, i+2]
    # the chunking cuts at 5 and 8. Windows with 4: i = 2, 3; with 5: i = 3, 4; with 8: i = 6, 7 for both
    # Pk: i = 2 and i = 4 differ; WindowDiff too: 2 of 10
    found = against([(0, 5), (5, 8), (8, 12)], [(0, 4), (4, 8), (8, 12)], "a" * 12)
    assert value(found, "pk") == pytest.approx(2 / 10)
    assert value(found, "window_diff") == pytest.approx(2 / 10)


def test_window_diff_sees_a_further_boundary_in_a_window_that_pk_does_not(against):
    # cuts at 4, 5 and 8: windows with 4: i = 2, 3; with 5: i = 3, 4. Pk differs at i = 4; WindowDiff at 3 and 4
    found = against([(0, 4), (4, 5), (5, 8), (8, 12)], [(0, 4), (4, 8), (8, 12)], "a" * 12)
    assert value(found, "pk") == pytest.approx(1 / 10)
    assert value(found, "window_diff") == pytest.approx(2 / 10)


def test_windows_that_hold_dropped_text_are_errors(against):
    # unit 0 is dropped: only the window from 0 to 2 holds it; units 5 and 6: windows that start at 3, 4, 5, 6
    reference = [(0, 4), (4, 8), (8, 12)]
    assert value(against([(1, 4), (4, 8), (8, 12)], reference, "a" * 12), "pk") == pytest.approx(1 / 10)
    assert value(against([(0, 4), (4, 5), (7, 8), (8, 12)], reference, "a" * 12), "pk") == pytest.approx(4 / 10)


def test_a_text_no_longer_than_a_window_has_no_pk_and_no_window_diff(against):
    # the smallest window is 2; a text of 2 has no two units so far apart
    for name in ("pk", "window_diff"):
        assert against([(0, 2)], [(0, 1), (1, 2)], "ab").measures[name].reason == (
            "the judged text is too short for a window"
        )
        assert value(against([(0, 3)], [(0, 3)], "abc"), name) == 0.0


def test_the_window_is_rounded_half_to_even_as_in_the_library(engines):
    known = Evidence(Document("d", "a" * 10), engines)
    assert window_size(judged(Reference("d", (Span(0, 10),)), known)) == 5
    assert window_size(judged(Reference("d", (Span(0, 5), Span(5, 10))), known)) == 2  # 2.5
    assert window_size(judged(Reference("d", between(range(0, 11, 2))), known)) == 2  # 1, but never below 2


# ------------------------------------------------------------------------------------------------ boundary similarity


def test_boundary_similarity_counts_a_near_miss_half_and_a_far_one_whole(against):
    # sentences end at 4, 8, 12, 16, 20. The reference cuts at 4 and 12, the chunking at 4, 16 (one sentence off)
    # one match, one near miss: (1 + 1/2) / 2
    sentence_ends = [4, 8, 12, 16, 20]
    found = against([(0, 4), (4, 16), (16, 20)], [(0, 4), (4, 12), (12, 20)], sentence_ends=sentence_ends)
    assert value(found, "boundary_similarity") == pytest.approx(3 / 4)
    # the chunking cuts at 4 alone: one match, one miss
    found = against([(0, 4), (4, 20)], [(0, 4), (4, 12), (12, 20)], sentence_ends=sentence_ends)
    assert value(found, "boundary_similarity") == pytest.approx(1 / 2)


def test_boundary_similarity_takes_a_cut_in_a_sentence_for_one_at_its_nearer_end(against):
    # 5 is nearer to 4 than to 8; 6 is as near to either, and the earlier counts
    for cut in (5, 6):
        found = against([(0, cut), (cut, 20)], [(0, 4), (4, 20)], sentence_ends=[4, 8, 12, 16, 20])
        assert value(found, "boundary_similarity") == 1.0
    assert value(against([(0, 7), (7, 20)], [(0, 4), (4, 20)], sentence_ends=[4, 8, 20]), "boundary_similarity") == 0.5


def test_boundary_similarity_needs_boundaries_between_sentences(against):
    # one sentence: cuts at 8 and 12 are nearer to its ends than to anything else, and say nothing
    measure = against([(0, 8), (8, 20)], [(0, 12), (12, 20)], sentence_ends=[20]).measures["boundary_similarity"]
    assert (measure.value, measure.reason) == (None, "no boundary stands between two sentences")


def test_dropped_sentences_are_misses_on_all_their_edges(against):
    # the reference cuts at 4; the chunking drops the sentences [8,16): edges 8, 12, 16 are misses, 4 matches: 1/4
    found = against([(0, 4), (4, 8), (16, 20)], [(0, 4), (4, 20)], sentence_ends=[4, 8, 12, 16, 20])
    assert value(found, "boundary_similarity") == pytest.approx(1 / 4)


def test_boundary_similarity_of_hundreds_of_boundaries_far_apart_is_quick_and_the_same(against):
    # cuts at every 100th of 10,000 sentences, half of them one sentence late: 49 near misses, 50 matches
    cuts = range(100, 10_000, 100)
    moved = [cut + (cut // 100) % 2 for cut in cuts]
    found = against(
        [(s.start, s.end) for s in between([0, *moved, 10_000])],
        [(s.start, s.end) for s in between([0, *cuts, 10_000])],
        "a" * 10_000,
    )
    assert value(found, "boundary_similarity") == pytest.approx((49 + 50 / 2) / 99)


# ------------------------------------------------------------------------------------------------------------- chance


def test_chance_of_no_cuts_all_cuts_and_even_cuts(against):
    # sentences of 5; reference [0,5) [5,20); chunks [0,15) [15,20): even cuts are [0,10) [10,20)
    found = against([(0, 15), (15, 20)], [(0, 5), (5, 20)], sentence_ends=[5, 10, 15, 20])
    chance = {name: measure.chance for name, measure in found.measures.items()}
    # no cuts: [0,5) has 5/20, [5,20) 15/20; the one chunk has 15/20
    assert chance["span_iou_reference"]["no cuts"] == pytest.approx((5 * 5 / 20 + 15 * 15 / 20) / 20)
    assert chance["span_iou_chunks"]["no cuts"] == pytest.approx(15 / 20)
    assert "no cuts" not in chance["boundary_precision"]
    assert chance["boundary_recall"]["no cuts"] == 0.0
    # all cuts at 5, 10, 15: one of three is right; [5,20) has 5/15 with each of its sentences
    assert chance["boundary_precision"]["all cuts"] == pytest.approx(1 / 3)
    assert chance["boundary_recall"]["all cuts"] == 1.0
    assert chance["span_iou_reference"]["all cuts"] == pytest.approx((5 * 1 + 15 * 5 / 15) / 20)
    assert chance["boundary_similarity"]["all cuts"] == pytest.approx(1 / 3)
    # even: [0,5) has 5/10; [5,20) has 10/15 with [10,20); the cut at 10 is one sentence off
    assert chance["span_iou_reference"]["even cuts"] == pytest.approx((5 * 5 / 10 + 15 * 10 / 15) / 20)
    assert chance["boundary_similarity"]["even cuts"] == pytest.approx(1 / 2)
    # window 5, starts 0..14 see (i, i+5]; no cuts: windows with 5 are i = 0..4
    assert chance["pk"]["no cuts"] == pytest.approx(5 / 15)
    assert "shuffled lengths" not in chance["pk"]  # no draws were asked for


def test_chance_of_shuffled_lengths_is_the_mean_over_seeded_draws(against):
    # chunks of 15 and 5 give cuts at 15 or at 5, each about half of the time; the reference cuts at 5
    settings = ChanceSettings(draws=20)
    chunks, reference = [(0, 15), (15, 20)], [(0, 5), (5, 20)]
    found = against(chunks, reference, chance=settings)
    share = found.measures["boundary_recall"].chance["shuffled lengths"]
    assert 0 < share < 1
    assert share * 20 == pytest.approx(round(share * 20))
    assert against(chunks, reference, chance=settings) == found
    # where the cut is at 15: [0,5) has 5/15, [5,20) has 10/20 with [0,15), and 5/15 with the other
    missed = (5 * 5 / 15 + 15 * 10 / 20) / 20
    assert found.measures["span_iou_reference"].chance["shuffled lengths"] == pytest.approx(
        share + (1 - share) * missed
    )
    assert found.measures["boundary_recall"].gain() == pytest.approx(0 - share)
    assert found.measures["pk"].gain("no cuts") == pytest.approx(
        found.measures["pk"].chance["no cuts"] - value(found, "pk")
    )


# --------------------------------------------------------------------------------------------------- several, and none


def test_several_annotators_give_the_mean_and_the_best(engines):
    known = Evidence(Document("d", TWENTY), engines)
    references = [
        Reference("d", (Span(0, 10), Span(10, 20)), "A"),
        Reference("d", (Span(0, 4), Span(4, 20)), "B"),
        Reference("d", (Span(0, 20),), "C"),
    ]
    chunking = Chunking("m", (Span(0, 10), Span(10, 20)))
    found = compare(chunking, references, known, tolerance=0, chance=NO_DRAWS)
    # recall: 1 against A, 0 against B, and C has no boundaries; F1: 1, 0, 0
    assert (found.annotators, value(found, "boundary_recall"), found.measures["boundary_recall"].best) == (3, 0.5, 1.0)
    assert value(found, "boundary_f1") == pytest.approx(1 / 3)
    assert found.measures["pk"].best == 0.0


@pytest.mark.parametrize("text, reference", [("", []), ("  \n", [(0, 3)]), ("abc   ", [(3, 6)])])
def test_where_nothing_is_judged_no_measure_has_a_value(text, reference, against):
    found = against([(0, len(text))] if text else [], reference, text)
    assert all(measure.value is None and measure.reason for measure in found.measures.values())


def test_empty_and_blank_chunks_of_either_side_cut_nothing(against):
    # without them: reference [0,4) [4,8), chunking [0,8); a boundary that is there twice is one, the ends are none
    text = "abcd \nefgh"
    reference = [(0, 4), (4, 6), (6, 10)]
    found = against([(0, 0), (0, 0), (0, 10), (10, 10)], reference, text)
    assert value(found, "boundary_recall") == 0.0
    assert found.measures["boundary_precision"].reason == "the chunking has no boundaries"
    assert value(found, "span_iou_reference") == pytest.approx(1 / 2)
    assert value(against([(0, 4), (4, 5), (5, 10)], reference, text), "boundary_f1") == 1.0


def test_a_result_names_the_tolerance_that_it_was_made_with(against):
    assert against([(0, 20)], [(0, 20)], tolerance=7).tolerance == 7


def test_no_chunks_at_all_are_the_worst_there_is(against):
    found = against([], [(0, 10), (10, 20)])
    for name, better in MEASURES.items():
        assert value(found, name) == (0.0 if better == "higher" else 1.0), name
    assert found.dropped == 1.0
    assert set(found.measures["pk"].chance) == {"no cuts", "all cuts"}


def test_blanks_are_nobodys_and_scripts_without_blanks_are_measured_alike(against):
    text = "一。 \n二。"
    found = against([(0, 2), (4, 6)], [(0, 4), (4, 6)], text)
    assert value(found, "span_iou_chunks") == 1.0
    assert found.dropped == 0.0


def test_a_comparison_can_be_stored(against):
    found = against([(0, 20)], [(0, 10), (10, 20)], chance=ChanceSettings(draws=2))
    stored = codec(Comparison)
    again = stored.decode(stored.encode(found))
    assert again == found
    assert tuple(again.measures) == tuple(MEASURES)


# ------------------------------------------------------------------------------------------------------------- errors


def test_a_chunk_or_a_reference_of_another_text_is_an_error_and_no_value(against):
    with pytest.raises(ValueError, match="the text has 7 code points"):
        against([(0, 4), (4, 9)], [(0, 7)], "abc def")
    with pytest.raises(ValueError, match="compare with the text that the reference was made for"):
        against([(0, 7)], [(0, 9)], "abc def")


def test_what_cannot_be_compared_is_refused(engines):
    known = Evidence(Document("d", TWENTY), engines)
    chunking = Chunking("m", (Span(0, 20),))
    with pytest.raises(ValueError, match="at least one reference"):
        compare(chunking, [], known)
    with pytest.raises(ValueError, match="the reference is of 'e' and the document is 'd'"):
        compare(chunking, [Reference("e", (Span(0, 20),))], known)
    with pytest.raises(ValueError, match="at least 0, got -1"):
        compare(chunking, [Reference("d", (Span(0, 20),))], known, tolerance=-1)


def test_references_come_in_order_do_not_overlap_and_are_not_empty():
    with pytest.raises(ValueError, match="chunk 1 of 'd' starts at 4, but chunk 0 ends at 5"):
        Reference("d", (Span(0, 5), Span(4, 9)))
    with pytest.raises(ValueError, match="chunk 0 of 'd' is empty, at 3"):
        Reference("d", (Span(3, 3),))


def test_a_measure_is_finite_or_says_why_not():
    with pytest.raises(ValueError, match="needs a reason"):
        Measure(None, "higher")
    for bad in (float("nan"), float("inf"), -0.1, 1.1):
        with pytest.raises(ValueError, match=r"must lie in \[0, 1\]"):
            Measure(bad, "higher")
