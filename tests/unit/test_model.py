import pytest

from chunkfit.model import Block, Chance, Document, Page, Score, Span, Title


def test_a_span_is_half_open_and_knows_its_length():
    assert Span(2, 5).of("abcdefg") == "cde"
    assert len(Span(2, 5)) == 3
    assert not Span(4, 4)


@pytest.mark.parametrize("start, end", [(-1, 2), (3, 2)])
def test_a_span_refuses_a_bad_order(start, end):
    with pytest.raises(ValueError, match="0 <= start <= end"):
        Span(start, end)


def test_spans_that_touch_do_not_overlap():
    assert not Span(0, 3).overlaps(Span(3, 6))
    assert Span(0, 4).overlaps(Span(3, 6))
    assert not Span(2, 2).overlaps(Span(0, 6))  # an empty span shares no character


def test_a_document_without_pages_is_one_page():
    assert Document("d", "abc").pages == (Page(1, Span(0, 3)),)


def test_pages_must_tile_the_text():
    with pytest.raises(ValueError, match="expected one to start at 2, got 3"):
        Document("d", "abcdef", pages=(Page(1, Span(0, 2)), Page(2, Span(3, 6))))
    with pytest.raises(ValueError, match="end at 4, the text at 6"):
        Document("d", "abcdef", pages=(Page(1, Span(0, 4)),))


@pytest.mark.parametrize("numbers", [(0, 1), (1, 1), (2, 1), (-1, 2)])
def test_pages_are_numbered_upwards_from_one(numbers):
    with pytest.raises(ValueError, match="numbered upwards from 1"):
        Document("d", "abcd", pages=tuple(Page(n, Span(2 * i, 2 * i + 2)) for i, n in enumerate(numbers)))


def test_the_level_of_a_title_counts_from_one():
    with pytest.raises(ValueError, match="level"):
        Document("d", "abc", titles=(Title("abc", 0, Span(0, 3), Span(0, 3)),))


def test_a_title_must_lie_inside_the_text():
    with pytest.raises(ValueError, match="leaves the text"):
        Document("d", "# A\n", titles=(Title("A", 1, Span(0, 3), Span(0, 9)),))


def test_the_key_tells_text_and_structure_apart_but_not_names():
    plain = Document("one", "ab")
    assert plain.key == Document("two", "ab").key
    assert plain.key != Document("one", "ba").key
    assert plain.key != Document("one", "ab", blocks=(Block("paragraph", Span(0, 2)),)).key
    assert plain.key != Document("one", "ab", pages=(Page(1, Span(0, 1)), Page(2, Span(1, 2)))).key


def test_a_document_with_a_lone_surrogate_has_a_key():
    assert len(Document("d", "\ud800").key) == 64


def test_a_score_without_a_value_needs_a_reason():
    with pytest.raises(ValueError, match="needs a reason"):
        Score(None)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_score_is_a_finite_share(value):
    with pytest.raises(ValueError, match="in \\[0, 1\\]"):
        Score(value)


def test_lift_is_value_minus_chance():
    assert Score(0.7, chance=Chance(mean=0.75, deviation=0.01, draws=20)).lift == pytest.approx(-0.05)
    assert Score(0.7).lift is None
