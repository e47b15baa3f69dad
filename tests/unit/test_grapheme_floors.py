"""Boundaries of graphemes at or before many positions."""

from hypothesis import given
from hypothesis import strategies as st

from chunkfit import graphemes
from chunkfit.chunking.sizes import grapheme_floors

PIECES = ["a", "\r", "\n", "e\u0301", "\u0301", "🇫", "👨\u200d👩", "\u200d", "각", "\u1100"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.data())
def test_each_is_what_it_would_be_alone(text, data):
    positions = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    assert list(grapheme_floors(text, positions)) == [graphemes.floor(text, position) for position in positions]


def test_every_position_of_a_grapheme_as_long_as_the_text():
    text = "e" + "\u0301" * 30_000
    assert set(grapheme_floors(text, range(30_000))) == {0}
