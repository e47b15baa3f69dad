"""Interval arithmetic on spans."""

from chunkfit.model import Span
from chunkfit.spans import between, gaps, offsets, shared, union, without_contained, without_gaps


def spans(*edges: tuple[int, int]) -> tuple[Span, ...]:
    return tuple(Span(start, end) for start, end in edges)


def test_between_edges_lie_spans_that_tile():
    assert between([0, 3, 7]) == spans((0, 3), (3, 7))
    assert between([4]) == ()
    assert between([]) == ()


def test_gaps_are_what_no_span_covers():
    assert gaps(spans((2, 4), (4, 6), (9, 10)), 12) == spans((0, 2), (6, 9), (10, 12))
    assert gaps(spans((0, 5)), 5) == ()
    assert gaps((), 3) == spans((0, 3))
    assert gaps((), 0) == ()


def test_gaps_see_through_overlaps_and_spans_inside_others():
    # [0, 8) reaches past [2, 4), so nothing is missing before 8
    assert gaps(spans((0, 8), (2, 4), (9, 10)), 10) == spans((8, 9))


def test_the_union_of_two_spans_holds_both_and_what_lies_between():
    assert union(Span(0, 3), Span(5, 9)) == Span(0, 9)
    assert union(Span(0, 9), Span(5, 7)) == Span(0, 9)


def test_a_gap_goes_to_the_span_behind_it_and_the_end_to_the_last():
    assert without_gaps(spans((2, 4), (6, 8)), 10) == spans((0, 4), (4, 10))


def test_overlaps_are_left_alone_where_nothing_is_missing():
    assert without_gaps(spans((0, 5), (3, 8)), 8) == spans((0, 5), (3, 8))


def test_a_span_is_grown_back_to_the_furthest_end_so_far():
    # [1, 2) lies inside [0, 6): the gap before [8, 9) starts at 6, not at 2
    assert without_gaps(spans((0, 6), (1, 2), (8, 9)), 9) == spans((0, 6), (1, 2), (6, 9))


def test_a_text_without_spans_becomes_one_and_an_empty_text_has_none():
    assert without_gaps((), 5) == spans((0, 5))
    assert without_gaps(spans((3, 3)), 5) == spans((0, 5))
    assert without_gaps((), 0) == ()
    assert without_gaps(spans((0, 0)), 0) == ()


def test_the_end_goes_to_the_last_span_however_far_an_earlier_one_reaches():
    assert without_gaps(spans((0, 7), (2, 4)), 9) == spans((0, 7), (2, 9))


def test_shared_is_the_most_that_two_neighbours_have_in_common():
    assert shared(spans((0, 5), (3, 8), (7, 9))) == 2
    assert shared(spans((0, 5), (5, 8))) == 0
    assert shared(()) == 0


def test_a_span_inside_its_neighbour_shares_no_more_than_its_own_length():
    assert shared(spans((0, 10), (2, 4))) == 2


def test_what_lies_inside_another_span_is_left_out():
    assert without_contained(spans((4, 6), (0, 3), (1, 2), (4, 6), (5, 9))) == spans((0, 3), (4, 6), (5, 9))
    assert without_contained(spans((0, 3), (0, 5))) == spans((0, 5))


def test_offsets_are_the_edges_as_arrays():
    starts, ends = offsets(spans((0, 3), (5, 9)))
    assert starts.tolist() == [0, 5]
    assert ends.tolist() == [3, 9]
    assert offsets(())[0].dtype == "int64"
