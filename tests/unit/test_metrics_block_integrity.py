import pytest

from chunkfit.metrics import block_integrity
from chunkfit.model import Score

TEXT = "x" * 100


def test_paper_counts_a_block_once_however_often_it_is_cut(evidence, chunking):
    # blocks [0,30) [30,70) [70,100); chunks start at 40 and 55, both in the second: two of three stay whole
    known = evidence(TEXT, block_ends=[30, 70, 100])
    assert block_integrity.paper(chunking((0, 40), (40, 55), (55, 100)), known).value == pytest.approx(2 / 3)


@pytest.mark.parametrize("cut, whole", [(35, 1.0), (36, 0.5), (94, 0.5), (95, 1.0)])
def test_paper_forgives_a_cut_within_five_characters_of_an_end(cut, whole, evidence, chunking):
    # the second block is [30,100): a cut may be at 35 and at 95, not at 36 and 94
    known = evidence(TEXT, block_ends=[30, 100])
    assert block_integrity.paper(chunking((0, cut), (cut, 100)), known) == Score(whole)


def test_paper_finds_no_cut_in_a_block_of_eleven_characters(evidence, chunking):
    known = evidence("x" * 22, block_ends=[11, 22])
    assert block_integrity.paper(chunking((0, 5), (5, 6), (6, 17), (17, 22)), known) == Score(1.0)


def test_paper_gives_a_single_chunk_one(evidence, chunking):
    assert block_integrity.paper(chunking((0, 100)), evidence(TEXT, block_ends=[30, 100])) == Score(1.0)


def test_paper_does_not_see_what_a_chunk_drops_at_its_end_and_strict_does(evidence, chunking):
    # the first chunk stops at 20, the rest of block [0,50) is in no chunk
    known, cut = evidence(TEXT, block_ends=[50, 100]), chunking((0, 20), (50, 100))
    assert block_integrity.paper(cut, known) == Score(1.0)
    assert block_integrity.strict(cut, known) == Score(0.5)


@pytest.mark.parametrize("cut, whole", [(95, 1.0), (94, 0.0)])
def test_strict_forgives_five_characters_of_a_long_block(cut, whole, evidence, chunking):
    assert block_integrity.strict(chunking((0, cut)), evidence(TEXT, block_ends=[100])) == Score(whole)


@pytest.mark.parametrize("length, missing, whole", [(20, 2, 1.0), (20, 3, 0.0), (9, 1, 0.0)])
def test_strict_never_forgives_more_than_a_tenth_of_a_block(length, missing, whole, evidence, chunking):
    known = evidence("x" * length, block_ends=[length])
    assert block_integrity.strict(chunking((0, length - missing)), known) == Score(whole)


def test_strict_does_not_ask_for_the_blanks_around_a_block(evidence, chunking):
    # "ten letter" and twenty blanks: the chunk without them holds the block
    known = evidence("ten letter" + " " * 20 + "more", block_ends=[30, 34])
    assert block_integrity.strict(chunking((0, 10), (30, 34)), known) == Score(1.0)


def test_strict_calls_a_block_whole_if_any_of_the_overlapping_chunks_holds_it(evidence, chunking):
    # block [30,70) is cut by the first chunk and whole in the second
    known, cut = evidence(TEXT, block_ends=[30, 70, 100]), chunking((0, 60), (28, 100))
    assert block_integrity.strict(cut, known) == Score(1.0)


def test_strict_leaves_blank_blocks_out(evidence, chunking):
    # the middle block is blank and cut: two blocks count, both are whole
    known = evidence("abc" + " " * 40 + "abc", block_ends=[3, 43, 46])
    assert block_integrity.strict(chunking((0, 20), (20, 46)), known) == Score(1.0)


@pytest.mark.parametrize("metric", [block_integrity.paper, block_integrity.strict])
def test_without_blocks_there_is_nothing_to_measure(metric, evidence, chunking):
    assert metric(chunking((0, 100)), evidence(TEXT)).value is None
    assert metric(chunking((0, 100)), evidence(TEXT)).reason == "the parser told no blocks of this text"
