from dataclasses import replace
from itertools import pairwise

import pytest

from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.evidence import Evidence
from chunkfit.metrics.boundary_contrast import boundary_contrast
from chunkfit.model import Block, Document, Score, Span, Title

# Vectors count letters: see conftest. Blocks of three characters, "aa\n", are alike (1) or share nothing (0).
AABB = "aa\naa\nbb\nbb\n"


def test_it_is_the_mean_likeness_of_neighbours_inside_less_that_across(evidence, chunking):
    # inside aa-aa and bb-bb: 1; across aa-bb: 0; (2 + 1 - 0) / 4
    known = evidence(AABB, block_ends=[3, 6, 9, 12])
    assert boundary_contrast(chunking((0, 6), (6, 12)), known).value == pytest.approx(0.75)
    # inside aa-bb 0 and bb-bb 1: a half; across aa-aa: 1; (2 + 0.5 - 1) / 4
    assert boundary_contrast(chunking((0, 3), (3, 12)), known).value == pytest.approx(0.375)


def test_every_comparison_counts_the_same_however_long_its_chunk(evidence, chunking):
    # inside: aa-aa 1, aa-bb 0 and bb-bb 1 of the first chunk, cc-cc 1 of the second: 3/4; across bb-cc: 0
    known = evidence(AABB + "cc\ncc\n", block_ends=[3, 6, 9, 12, 15, 18])
    assert boundary_contrast(chunking((0, 12), (12, 18)), known).value == pytest.approx((2 + 0.75) / 4)


def test_a_cut_inside_a_block_counts_at_its_nearer_end(evidence, chunking):
    # blocks [0,5) [5,10) [10,15), visible up to 4, 9, 14: the middle of the second is 7
    known = evidence("aaaa\naaaa\nbbbb\n", block_ends=[5, 10, 15])
    before = boundary_contrast(chunking((0, 6), (6, 15)), known).value
    assert before == boundary_contrast(chunking((0, 5), (5, 15)), known).value == pytest.approx((2 + 0 - 1) / 4)
    behind = boundary_contrast(chunking((0, 8), (8, 15)), known).value
    assert behind == boundary_contrast(chunking((0, 10), (10, 15)), known).value == pytest.approx((2 + 1 - 0) / 4)


def test_a_heading_is_one_with_the_block_that_it_heads_first(engines, chunking):
    # units aa | aa | h+bb | bb, however the lone h is unlike both its neighbours; h+bb is (2, 1) of b and h
    blocks = [("paragraph", 0, 3), ("paragraph", 3, 6), ("heading", 6, 8), ("paragraph", 8, 11), ("paragraph", 11, 14)]
    known = Evidence(
        Document("d", "aa\naa\nh\nbb\nbb\n", blocks=tuple(Block(kind, Span(a, b)) for kind, a, b in blocks)), engines
    )
    inside = (1 + 2 / 5**0.5) / 2
    assert boundary_contrast(chunking((0, 6), (6, 14)), known).value == pytest.approx((2 + inside) / 4)


def test_a_block_that_holds_nothing_but_a_title_is_a_heading_whatever_kind_the_parser_tells(engines, chunking):
    # units aa | aa | h+bb | bb as above
    blocks = tuple(Block("other", Span(a, b)) for a, b in pairwise([0, 3, 6, 9, 12, 15]))
    title = Title("h", 1, Span(6, 7), Span(6, 15))
    known = Evidence(Document("d", "aa\naa\nh\n\nbb\nbb\n", blocks=blocks, titles=(title,)), engines)
    inside = (1 + 2 / 5**0.5) / 2
    assert boundary_contrast(chunking((0, 6), (6, 15)), known).value == pytest.approx((2 + inside) / 4)


def test_headings_in_a_row_and_a_blank_block_behind_them_are_one_with_what_follows(engines, chunking):
    # units h+i+aa and aa, then bb: inside (2, 1, 1) and (2): 2 / sqrt(6); across 0
    text = "h\ni\n\n\naa\naa\nbb\n"
    edges = [
        ("heading", 0, 2),
        ("heading", 2, 4),
        ("other", 4, 6),
        ("other", 6, 9),
        ("other", 9, 12),
        ("other", 12, 15),
    ]
    known = Evidence(Document("d", text, blocks=tuple(Block(kind, Span(a, b)) for kind, a, b in edges)), engines)
    assert boundary_contrast(chunking((0, 12), (12, 15)), known).value == pytest.approx((2 + 2 / 6**0.5) / 4)


def test_a_text_without_blocks_is_taken_by_its_sentences(engines, chunking):
    known = Evidence(Document("d", "Aa aa. Aa aa. Bb bb. Bb bb."), replace(engines, segmenter=RuleSegmenter("en")))
    assert [len(sentence) for sentence in known.sentences] == [7, 7, 7, 6]
    # the capital is no letter of the embedder: aaa-aaa 1, bbb-bbb 1, across 0
    assert boundary_contrast(chunking((0, 14), (14, 27)), known).value == pytest.approx(0.75)


def test_a_dropped_block_takes_its_comparisons_with_it(evidence, chunking):
    # the second of five blocks is in no chunk: left are inside bb-bb (1) and across bb-cc (0)
    known = evidence("aa\naa\nbb\nbb\ncc\n", block_ends=[3, 6, 9, 12, 15])
    assert boundary_contrast(chunking((0, 3), (6, 12), (12, 15)), known).value == pytest.approx(0.75)


@pytest.mark.parametrize(
    "spans, reason",
    [
        ([(0, 12)], "no boundary lies between two blocks"),
        ([(0, 3), (3, 6), (6, 9), (9, 12)], "no chunk holds two neighbouring blocks"),
        ([(0, 6), (9, 12)], "no boundary lies between two blocks"),  # the block between was dropped
        ([], "no chunk holds blocks"),
    ],
)
def test_without_neighbours_on_either_side_there_is_nothing_to_compare(spans, reason, evidence, chunking):
    known = evidence(AABB, block_ends=[3, 6, 9, 12])
    assert boundary_contrast(chunking(*spans), known) == Score(None, reason)


def test_an_empty_text_has_no_sentences_to_compare(evidence, chunking):
    assert boundary_contrast(chunking((0, 0)), evidence("")).reason == "no chunk holds sentences"
