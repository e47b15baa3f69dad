"""Equal numbers of tokens, whatever the text says."""

from itertools import pairwise

import pytest

from chunkfit.chunking.fixed_tokens import fixed_tokens
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from chunkfit.tokens import TokenIndex


def chunking(text: str, **settings):
    return fixed_tokens(Evidence(Document("text", text), default_engines()), **settings)


def edges(text: str, **settings) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in chunking(text, **settings).spans]


def test_each_chunk_holds_as_many_tokens_as_fit():
    # "one" " two" | " three" " four" | " five"
    assert edges("one two three four five", size=2) == [(0, 7), (7, 18), (18, 23)]


def test_a_long_word_is_cut_at_equal_steps():
    # 8 letters are one token: steps of 80
    assert edges("a" * 200, size=10) == [(0, 80), (80, 160), (160, 200)]


def test_neighbours_share_the_overlap():
    # one token of each two is repeated: "one two", " two three", " three four"
    assert edges("one two three four", size=2, overlap=1) == [(0, 7), (3, 13), (7, 18)]
    assert chunking("one two three four", size=2, overlap=1).overlap == len(" three")


def test_the_last_chunk_always_adds_something():
    assert edges("one two three", size=3, overlap=2) == [(0, 13)]
    found = edges("a" * 2000, size=100, overlap=12)
    assert all(first[0] < second[0] and first[1] < second[1] for first, second in pairwise(found))
    assert found[-1][1] == 2000


def test_no_chunk_tears_a_grapheme():
    # a hieroglyph takes several tokens, a waving hand with its skin tone too
    for text in ("𓀀𓀁𓀂", "👍🏽👍🏽"):
        for span in chunking(text, size=2).spans:
            assert "\ufffd" not in span.of(text)
            assert not span.of(text).startswith("🏽")


def test_text_without_spaces_is_bounded_in_tokens():
    text = "漢字仮名交じり文" * 375  # 3000 characters
    tokens = TokenIndex(text)
    found = edges(text, size=300)
    assert all(tokens.count(start, end) <= 300 for start, end in found)
    assert "".join(text[start:end] for start, end in found) == text


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (4, 4), (4, 9), (4, -1)])
def test_sizes_that_leave_no_room_are_refused(size, overlap):
    with pytest.raises(ValueError, match=r"size|overlap"):
        chunking("hello", size=size, overlap=overlap)


def test_the_advice_for_a_bad_overlap_is_a_good_one():
    with pytest.raises(ValueError, match="got 512; try 51"):
        chunking("hello", size=512, overlap=512)


def test_an_empty_text_has_no_chunks():
    assert edges("") == []
