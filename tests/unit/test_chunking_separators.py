"""Where the separators cut."""

import pytest

from chunkfit.chunking.separators import PAPER, before, before_heading, before_item

ITEM = before_item(r"\(?[A-Za-z0-9]{1,4}[.)]")


def cuts(separator, text: str) -> list[int]:
    return list(separator(text, 0, len(text)))


def test_a_heading_of_one_level_is_no_heading_of_another():
    text = "# A\n## B\n# C\n#D"  # the first opens the text, the last is no heading
    assert cuts(before_heading(1), text) == [9]
    assert cuts(before_heading(2), text) == [4]


def test_an_item_takes_the_blank_lines_before_it_along():
    # the line break that ends "text" stays with it; the blank line and the indent go with the item
    text = "text\n\n  1. one\n2) two\n(iv) four\nfifth. five\n3.no"
    assert [text[cut:][:4] for cut in cuts(ITEM, text)] == ["\n  1", "2) t", "(iv)"]


def test_an_item_is_found_behind_an_empty_one():
    assert cuts(before_item(r"-"), "a\n-\n- b") == [2, 4]


def test_cuts_lie_within_the_stretch_that_is_asked_for():
    text = "a, b, c, d"
    assert list(before(r",\s+")(text, 2, 7)) == [4]
    assert list(before(r",\s+")(text, 2, 5)) == []  # the blank behind the comma lies outside


def test_a_pattern_with_groups_loses_nothing():
    assert cuts(before("(。)|(\\. )|( )"), "a. b c") == [1, 4]


@pytest.mark.slow
@pytest.mark.timeout(30)  # each takes a fraction of a second; what is worse than linear takes minutes
@pytest.mark.parametrize(
    "unit", ["\n", " ", "\t", "-", "#", "B", "\r\n", "\n ", "\n-", "\n#", "\n1.", ".", ",", "\n\n- "]
)
def test_every_separator_reads_a_long_text_once(unit):
    text = (unit * 200_000)[:200_000]
    for separator in PAPER:
        cuts = list(separator(text, 0, len(text)))
        assert cuts == sorted(set(cuts))
