"""A pattern that somebody else wrote does its work in bounded time and memory, or says why it cannot."""

import pytest

from chunkfit.isolation.patterns import LONGEST_PATTERN, BadPattern, match_starts

pytestmark = pytest.mark.slow


def starts(pattern: str, text: str, *, most: int = 100, seconds: float = 20.0) -> tuple[int, ...]:
    return match_starts(pattern, text, most=most, seconds=seconds)


def test_matches_start_where_the_text_says_so():
    assert starts("b", "abcab") == (1, 4)


def test_the_ends_of_the_text_are_no_cuts():
    assert starts("a|$", "aba") == (2,)


def test_anchors_hold_at_every_line():
    assert starts("^#", "# A\nx # y\n# B") == (10,)


def test_groups_change_nothing():
    assert starts("(b)(c)?", "abcab") == starts("bc?", "abcab") == (1, 4)


def test_patterns_of_no_width_match_at_places():
    # the edges of the words Tea and is, less the two at the ends of the text
    assert starts(r"(?=\b)", "Tea is") == (3, 4)
    assert starts(r"(?=\n#)", "x\n# A\n# B") == (1, 5)


def test_a_place_counts_once_where_an_empty_match_is_followed_by_a_longer_one():
    assert starts(r"\b|\w+", "a bc") == (1, 2)


def test_flags_hold_where_the_pattern_begins_with_them():
    assert starts("(?i)B", "abc") == (1,)
    with pytest.raises(BadPattern, match="flags not at the start"):
        starts("a(?i)B", "abc")


def test_halves_of_letters_can_be_matched():
    assert starts("\ud800", "a\ud800b") == (1,)


def test_a_pattern_that_never_matches_has_no_starts():
    assert starts("Article", "no such thing") == ()


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "is empty"),
        ("a" * (LONGEST_PATTERN + 1), "has 1,001 characters, more than 1,000"),
        ("(a", r"no regular expression of Python's re: missing \)"),
        ("(a{1000}){1000}{1000}", "multiple repeat"),
        ("a{99999999999}", "cannot be compiled"),
        ("(?L)a", "cannot use 'L' flag"),
    ],
)
def test_what_is_no_pattern_is_refused_with_the_reason(pattern, reason):
    with pytest.raises(BadPattern, match=reason):
        starts(pattern, "aaa")


def test_a_million_matches_are_not_collected():
    with pytest.raises(BadPattern, match="matches at more than 100 places in 1,000,000 characters"):
        starts("x?", "x" * 1_000_000)


@pytest.mark.parametrize("pattern", ["(x+x+)+y", "(?:x|xx)+$y", "(x*)*y", r"(\w+\s?)+:"])
def test_a_pattern_that_explodes_is_stopped_and_the_next_one_works(pattern):
    with pytest.raises(BadPattern, match=r"took longer than 0\.5 s"):
        starts(pattern, "x" * 40, seconds=0.5)
    assert starts("x", "axa") == (1,)


def test_a_pattern_that_needs_too_much_memory_is_stopped():
    # for each of four million repetitions a way back is kept
    with pytest.raises(BadPattern, match=r"needed more than [\d,]+ bytes"):
        starts("(?:(a)|b)*c", "ab" * 2_000_000)
