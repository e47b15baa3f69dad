import pytest

from chunkfit.metrics import references_completeness
from chunkfit.model import Score

TEXT = "x" * 100
PAIR = ((10, 14), (20, 23))  # entity at 10..13, pronoun at 20..22


@pytest.mark.parametrize("cut, missing", [(10, False), (11, True), (20, True), (22, True), (23, False)])
def test_paper_misses_a_pair_with_an_edge_behind_its_first_character_and_not_behind_its_last(
    cut, missing, evidence, chunking
):
    known = evidence(TEXT, pairs=[PAIR])
    assert references_completeness.paper(chunking((0, cut), (cut, 100)), known) == Score(0.0 if missing else 1.0)


def test_paper_counts_a_pair_once_however_many_edges_are_between(evidence, chunking):
    # the first pair has two edges between, the second none: one of two
    known = evidence(TEXT, pairs=[PAIR, ((50, 54), (60, 63))])
    assert references_completeness.paper(chunking((0, 15), (15, 18), (18, 100)), known) == Score(0.5)


def test_paper_takes_a_pronoun_before_its_entity_in_the_order_of_the_text(evidence, chunking):
    known = evidence(TEXT, pairs=[((20, 23), (10, 12))])
    assert references_completeness.paper(chunking((0, 15), (15, 100)), known) == Score(0.0)


def test_an_overlap_that_holds_the_pair_counts_in_strict_and_not_in_paper(evidence, chunking):
    # the second chunk, from 8, holds both; its start at 8 and the first one's end at 16: the end lies between
    known, cut = evidence(TEXT, pairs=[PAIR]), chunking((0, 16), (8, 100))
    assert references_completeness.paper(cut, known) == Score(0.0)
    assert references_completeness.strict(cut, known) == Score(1.0)


def test_strict_wants_both_mentions_whole_in_one_chunk(evidence, chunking):
    known = evidence(TEXT, pairs=[PAIR])
    assert references_completeness.strict(chunking((10, 23)), known) == Score(1.0)
    assert references_completeness.strict(chunking((11, 23)), known) == Score(0.0)
    assert references_completeness.strict(chunking((10, 22), (22, 100)), known) == Score(0.0)


def test_strict_notices_a_pair_that_no_chunk_holds_any_more(evidence, chunking):
    # the text between 12 and 30 was dropped: paper sees edges at 12 and 30, the pair (10..23) has 12 inside
    known = evidence(TEXT, pairs=[PAIR])
    assert references_completeness.strict(chunking((0, 12), (30, 100)), known) == Score(0.0)


def test_paper_puts_a_blank_page_where_a_search_for_it_ends_up(evidence, chunking):
    # an empty chunk behind [5,20) is found at 5 + 1 = 6, inside the pair 2..9; its true place, 20, is not
    known = evidence(TEXT, pairs=[((2, 4), (7, 9))])
    assert references_completeness.paper(chunking((0, 1), (1, 20), (20, 20), (20, 100)), known) == Score(1.0)
    assert references_completeness.paper(chunking((0, 5), (5, 20), (20, 20), (20, 100)), known) == Score(0.0)
    known = evidence(TEXT, pairs=[((5, 6), (7, 9))])  # 5 < 6 <= 8: only the misplaced edge is inside
    assert references_completeness.paper(chunking((0, 5), (5, 20), (20, 20), (20, 100)), known) == Score(0.0)
    assert references_completeness.paper(chunking((0, 5), (5, 20), (20, 100)), known) == Score(1.0)


@pytest.mark.parametrize("metric", [references_completeness.paper, references_completeness.strict])
def test_without_pairs_there_is_nothing_to_measure_and_the_reason_is_the_engines_own(metric, evidence, chunking):
    cut = chunking((0, 100))
    assert metric(cut, evidence(TEXT, pairs=[])).reason == "no pronoun here refers to a named entity"
    assert metric(cut, evidence(TEXT)) == Score(None, "nobody looked for mentions")


def test_mentions_of_another_text_are_no_score_in_strict(evidence, chunking):
    score = references_completeness.strict(chunking((0, 100)), evidence(TEXT, pairs=[((10, 14), (98, 101))]))
    assert score.value is None
    assert "another text: one ends at 101, this text at 100" in score.reason
