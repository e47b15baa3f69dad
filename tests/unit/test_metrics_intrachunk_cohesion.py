from math import sqrt

import pytest

from chunkfit.metrics import intrachunk_cohesion

# Vectors count letters: see conftest.


def test_paper_is_the_mean_over_chunks_of_the_mean_over_their_parts(evidence, chunking):
    # first chunk "aaab bb": parts "aaa" (1,0) and "bbb" (0,1), chunk (3,3)/sqrt(18): both cosines 1/sqrt(2)
    # second chunk "cccca": parts "cccc" and "a", chunk (1,4)/sqrt(17): (4 + 1) / sqrt(17) / 2
    known = evidence("aaabbbcccca", block_ends=[3, 6, 10, 11])
    expected = (1 / sqrt(2) + 5 / sqrt(17) / 2) / 2
    assert intrachunk_cohesion.paper(chunking((0, 6), (6, 11)), known).value == pytest.approx(expected, abs=1e-6)


def test_a_cut_inside_a_block_makes_two_parts_of_it(evidence, chunking):
    # chunks "aaabb" and "bcc" of blocks aaa|bbb|cc: parts aaa,bb of (3,2)/sqrt(13), and b,cc of (1,2)/sqrt(5)
    known = evidence("aaabbbcc", block_ends=[3, 6, 8])
    expected = (5 / sqrt(13) / 2 + 3 / sqrt(5) / 2) / 2
    assert intrachunk_cohesion.paper(chunking((0, 5), (5, 8)), known).value == pytest.approx(expected, abs=1e-6)


def test_whole_blocks_between_the_first_and_the_last_part_count_too(evidence, chunking):
    # chunk "abbccd" of blocks aa|bb|cc|dd, from 1 to 7: parts a, bb, cc, d of (1,2,2,1)/sqrt(10)
    known = evidence("aabbccdd", block_ends=[2, 4, 6, 8])
    expected = (1 + 2 + 2 + 1) / sqrt(10) / 4
    assert intrachunk_cohesion.paper(chunking((1, 7)), known).value == pytest.approx(expected, abs=1e-6)


def test_strict_weighs_parts_by_their_tokens(evidence, chunking):
    # "a a a\n" is 4 tokens, "b\n" 2; chunk (3,1)/sqrt(10): (4 * 3 + 2 * 1) / sqrt(10) / 6
    known = evidence("a a a\nb\n", block_ends=[6, 8])
    assert [known.tokens.count(0, 6), known.tokens.count(6, 8)] == [4, 2]
    expected = 14 / sqrt(10) / 6
    assert intrachunk_cohesion.strict(chunking((0, 8)), known).value == pytest.approx(expected, abs=1e-6)


def test_strict_counts_text_told_twice_once(evidence, chunking):
    # the second chunk begins with the block "b\n" again, which has no weight there; it still has its part in the chunk:
    # first chunk as above; second chunk "b\nc c\n" is (1,2)/sqrt(5), its new part "c c\n" has 3 tokens: 3 * 2 / sqrt(5)
    known = evidence("a a a\nb\nc c\n", block_ends=[6, 8, 12])
    assert known.tokens.count(8, 12) == 3
    expected = (14 / sqrt(10) + 3 * 2 / sqrt(5)) / (6 + 3)
    twice = chunking((0, 8), (6, 12), overlap=2)
    assert intrachunk_cohesion.strict(twice, known).value == pytest.approx(expected, abs=1e-6)


def test_strict_splits_the_weight_of_a_block_where_new_text_begins(evidence, chunking):
    # the first chunk reaches into "b b b\n" up to 8; of its 4 tokens in the second chunk, " b b\n" (3) are new there
    known = evidence("a a a\nb b b\nc\n", block_ends=[6, 12, 14])
    first = (4 * 3 + 1 * 1) / sqrt(10)  # "a a a\n" and "b", 4 and 1 tokens, of (3,1)
    second = (3 * 3 + 2 * 1) / sqrt(10)  # " b b\n" for the part (0,3) and "c\n", 2 tokens, of (3,1)
    cut = chunking((0, 7), (6, 14), overlap=1)
    assert known.tokens.count(7, 12) == 3
    expected = (first + second) / (5 + 5)
    assert intrachunk_cohesion.strict(cut, known).value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("metric", [intrachunk_cohesion.paper, intrachunk_cohesion.strict])
def test_chunks_of_one_part_are_left_out(metric, evidence, chunking):
    known = evidence("aabb", block_ends=[2, 4])
    assert metric(chunking((0, 2), (2, 4)), known).reason == "no chunk holds parts of two blocks"
    assert metric(chunking(), known).value is None
    assert metric(chunking((0, 4)), evidence("aabb")).reason == "the parser told no blocks of this text"
