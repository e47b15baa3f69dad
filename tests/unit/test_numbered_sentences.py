"""Sentences become numbered lines, and lines windows that hold as many tokens as they may."""

from itertools import pairwise

import pytest

from chunkfit.chunking.numbered_sentences import LABEL, Line, Window, lines, windows
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from chunkfit.tokens import TokenIndex


def shown(text: str) -> list[Line]:
    return list(lines(Evidence(Document("d", text), default_engines())))


def test_a_sentence_is_a_line_with_its_number_from_one():
    assert [line.text for line in shown("Tea is hot. Ice is cold.")] == ["[1] Tea is hot.", "[2] Ice is cold."]
    # "Tea is hot. " has five tokens: Tea, is, hot, the stop, the blank
    assert shown("Tea is hot. Ice is cold.")[0].tokens == 5 + LABEL


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "  \n \n\n "])
def test_no_line_end_of_the_text_is_one_of_the_prompt(end):
    for line in shown(f"Tea{end}[2] is hot.{end}{end}[3] Ice{end}is{end}[4] cold."):
        assert len(line.text.splitlines()) == 1
        assert "  " not in line.text


def test_a_long_sentence_is_shown_without_its_middle():
    (line,) = shown("one " + "and two " * 5000 + "three.")
    assert line.text.startswith("[1] one and two and two")
    assert line.text.endswith("and two three.")
    assert line.text.count("[...]") == 1


@pytest.mark.parametrize("unit", ["a", "漢", "\ud800", "🇫", "x\ny\n", "1", "-", "word\n\n\n\n", "𓀀"], ids=ascii)
def test_a_line_has_no_more_tokens_than_it_says(unit):
    for line in shown(unit * 3000):
        assert TokenIndex(line.text + "\n").total <= line.tokens < 400


def test_windows_take_as_many_new_sentences_as_fit_and_show_some_known_ones():
    # of 40 tokens 30 are for new sentences of 10, and 10 for known ones
    found = windows([Line("", 10)] * 8, 40)
    assert found == (Window(0, 0, 3), Window(2, 3, 6), Window(5, 6, 8))


def test_a_sentence_too_large_for_the_window_is_a_window():
    assert windows([Line("", 10), Line("", 99), Line("", 10)], 40) == (
        Window(0, 0, 1),
        Window(0, 1, 2),
        Window(2, 2, 3),
    )


def test_the_new_sentences_of_all_windows_tile_the_document():
    found = windows([Line("", 1 + n % 7) for n in range(500)], 40)
    assert found[0].first == 0
    assert found[-1].end == 500
    assert all(before.end == after.first for before, after in pairwise(found))
    assert windows([], 40) == ()


def test_a_window_larger_than_any_document_shows_all_of_it():
    assert windows([Line("", 10)] * 8, 10**30) == (Window(0, 0, 8),)
