"""Likeness within chunks and unlikeness of neighbours. Vectors count letters: see conftest."""

from math import log, sqrt

import pytest

from chunkfit.metrics.intra_chunk_similarity import intra_chunk_similarity
from chunkfit.metrics.lexical_dissimilarity import lexical_dissimilarity
from chunkfit.metrics.semantic_dissimilarity import semantic_dissimilarity
from chunkfit.model import Score

ALONE = "fewer than two chunks have text of their own: none has a neighbour"


# Likeness within chunks.


def test_likeness_within_chunks_stands_between_that_of_the_document_and_1(evidence, chunking):
    # document: of 6 pairs of a a b b two are alike: 1/3. Inside a-a and b-b: 1. (1 - 1/3) / (1 - 1/3)
    known = evidence("a\na\nb\nb\n", block_ends=[2, 4, 6, 8])
    assert intra_chunk_similarity(chunking((0, 4), (4, 8)), known).value == pytest.approx(1)
    # inside "a a b": 1 of 3 pairs, no more than in the document; the lone b is left out
    assert intra_chunk_similarity(chunking((0, 6), (6, 8)), known).value == pytest.approx(0, abs=1e-9)


def test_one_chunk_of_everything_is_as_alike_as_the_document(evidence, chunking):
    known = evidence("a\na\nb\nb\n", block_ends=[2, 4, 6, 8])
    assert intra_chunk_similarity(chunking((0, 8)), known) == Score(0.0)


def test_less_alike_than_the_document_is_0(evidence, chunking):
    # inside a-b: 0, in the document 1/3
    known = evidence("a\nb\nb\na\n", block_ends=[2, 4, 6, 8])
    assert intra_chunk_similarity(chunking((0, 4), (4, 8)), known) == Score(0.0)


def test_chunks_weigh_as_much_as_they_have_blocks(evidence, chunking):
    # document a a a b c: 3 of 10 pairs. Inside: "a a a" 1 for three blocks, "b c" 0 for two: 0.6
    known = evidence("a\na\na\nb\nc\n", block_ends=[2, 4, 6, 8, 10])
    expected = (0.6 - 0.3) / (1 - 0.3)
    assert intra_chunk_similarity(chunking((0, 6), (6, 10)), known).value == pytest.approx(expected)
    # a block alone is left out: inside "a a a b" 3 of 6 pairs
    expected = (0.5 - 0.3) / (1 - 0.3)
    assert intra_chunk_similarity(chunking((0, 8), (8, 10)), known).value == pytest.approx(expected)


def test_blocks_count_the_same_however_long_and_whole_wherever_they_are_cut(evidence, chunking):
    # document aaa a b c: 1 of 6 pairs; inside the first three 1 of 3. The last chunking cuts "a a a" before its
    # middle, and "c" behind all its text
    known = evidence("a a a\na\nb\nc\n", block_ends=[6, 8, 10, 12])
    expected = (1 / 3 - 1 / 6) / (1 - 1 / 6)
    assert intra_chunk_similarity(chunking((0, 10), (10, 12)), known).value == pytest.approx(expected)
    assert intra_chunk_similarity(chunking((0, 1), (1, 10), (10, 11), (11, 12)), known).value == pytest.approx(expected)


def test_likeness_needs_two_blocks_in_a_chunk_and_a_document_that_varies(evidence, chunking):
    known = evidence("a\na\nb\nb\n", block_ends=[2, 4, 6, 8])
    assert intra_chunk_similarity(chunking((0, 2), (2, 4), (4, 6), (6, 8)), known).reason == "no chunk holds two blocks"
    alike = evidence("a\na\na\n", block_ends=[2, 4, 6])
    assert intra_chunk_similarity(chunking((0, 4), (4, 6)), alike).reason == "all blocks are alike"


# Unlikeness in meaning.


def test_neighbours_that_share_nothing_are_unlike_and_equal_ones_are_not(evidence, chunking):
    known = evidence("a\na\nb\nb\n")
    assert semantic_dissimilarity(chunking((0, 4), (4, 8)), known).value == pytest.approx(1)
    assert semantic_dissimilarity(chunking((0, 2), (2, 4)), known).value == pytest.approx(0, abs=1e-6)


def test_a_pair_weighs_as_much_as_its_smaller_chunk(evidence, chunking):
    # "a a a\n" (4 tokens), "b\n" (2), "b b b\n" (4): unlike 1 and 0, both with weight 2; then "c c c\n": 1 with 4
    known = evidence("a a a\nb\nb b b\nc c c\n")
    assert [known.tokens.count(*span) for span in ((0, 6), (6, 8), (8, 14), (14, 20))] == [4, 2, 4, 4]
    cut = chunking((0, 6), (6, 8), (8, 14), (14, 20))
    assert semantic_dissimilarity(cut, known).value == pytest.approx((2 * 1 + 2 * 0 + 4 * 1) / 8)


def test_a_chunk_stands_for_what_it_adds(evidence, chunking):
    # without its overlap the second chunk is "b\nb\n", and the third, which adds nothing, is no neighbour
    known = evidence("a\na\nb\nb\n")
    assert semantic_dissimilarity(chunking((0, 4), (2, 8), (4, 8)), known).value == pytest.approx(1)


@pytest.mark.parametrize("metric", [semantic_dissimilarity, lexical_dissimilarity])
def test_who_is_alone_has_no_neighbour(metric, evidence, chunking):
    known = evidence("a\na\n \n")
    for cut in (chunking(), chunking((0, 6)), chunking((0, 4), (4, 6)), chunking((0, 4), (0, 4))):
        assert metric(cut, known) == Score(None, ALONE)
    assert metric(chunking((0, 0)), evidence("")) == Score(None, ALONE)


# Unlikeness in words. A text of at most 100 words is one stretch, so every word weighs ln 2 and weights cancel out.


def test_words_in_common_over_the_root_of_both_sizes(evidence, chunking):
    # {tea, is, hot} and {ice, is, cold, now}: one in common, 1 / sqrt(3 * 4)
    known = evidence("Tea is hot. Ice is cold now.")
    cut = chunking((0, 12), (12, 28))
    assert lexical_dissimilarity(cut, known).value == pytest.approx(1 - 1 / sqrt(12))


def test_a_word_said_twice_is_one_word_and_case_does_not_matter(evidence, chunking):
    # {tea, hot} and {tea, cold}
    known = evidence("Tea tea TEA hot. Tea cold cold.")
    assert lexical_dissimilarity(chunking((0, 17), (17, 31)), known).value == pytest.approx(1 - 1 / 2)


def test_a_word_of_the_chunk_before_the_last_is_not_in_common(evidence, chunking):
    # tea, ice, tea: neighbours share nothing
    assert lexical_dissimilarity(chunking((0, 4), (4, 8), (8, 11)), evidence("tea ice tea")) == Score(1.0)


def test_a_pair_of_chunks_weighs_as_much_as_the_words_of_the_smaller(evidence, chunking):
    # "tea" | "tea ice" | "cup mug": in common 1 / sqrt(2) with weight 1, nothing with weight 2
    known = evidence("tea tea ice cup mug")
    expected = ((1 - 1 / sqrt(2)) * 1 + 1 * 2) / 3
    assert lexical_dissimilarity(chunking((0, 4), (4, 12), (12, 19)), known).value == pytest.approx(expected)


def test_words_of_the_language_weigh_less_than_words_of_the_topic(evidence, chunking):
    # 200 words, two stretches: "the" stands in both, weight ln(1 + 2/2); "tea" and "ice" in one, ln(1 + 2/1)
    text = "the tea " * 50 + "the ice " * 50
    the, topic = log(2) ** 2, log(3) ** 2
    cut = chunking((0, 400), (400, 800))
    assert lexical_dissimilarity(cut, evidence(text)).value == pytest.approx(1 - the / (the + topic))


def test_words_that_were_dropped_stand_between_no_neighbours(evidence, chunking):
    # without "tea" in the gap the chunks are "tea ice" and "tea": 1 / sqrt(2)
    known = evidence("tea ice tea tea")
    assert lexical_dissimilarity(chunking((0, 8), (12, 15)), known).value == pytest.approx(1 - 1 / sqrt(2))


def test_scripts_without_blanks_between_words_count_by_the_letter(evidence, chunking):
    # {今, 天, 雨} and {今, 天, 雪}: two of three
    known = evidence("今天雨。今天雪。")
    assert lexical_dissimilarity(chunking((0, 4), (4, 8)), known).value == pytest.approx(1 - 2 / 3)


def test_a_letter_that_grows_in_lower_case_shifts_no_word(evidence, chunking):
    # the two characters of "i̇" are one in the text; {i̇l, tea} and {ice}, then {ice, tea}
    known = evidence("İl tea ice tea")
    assert lexical_dissimilarity(chunking((0, 7), (7, 14)), known).value == pytest.approx(1 - 1 / 2)
