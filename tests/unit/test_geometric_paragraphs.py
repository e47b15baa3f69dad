"""Lines into paragraphs, list items and listings."""

import pytest

from chunkfit.parsing.geometric.content import Box, Run
from chunkfit.parsing.geometric.lines import Line, lines
from chunkfit.parsing.geometric.list_items import marker_of
from chunkfit.parsing.geometric.page import listing
from chunkfit.parsing.geometric.paragraphs import ends_sentence, paragraphs
from chunkfit.parsing.geometric.survey import Survey
from chunkfit.parsing.geometric.typefaces import Typeface

KNOWN = Survey(body_size=10.0, leadings={10.0: 12.0})
FULL = 300  # points: the width of the column


def line(text: str, row: float, indent: float = 0, width: float | None = None, **style) -> Run:
    """A run in row `row` of lines 12 points apart; five points for each letter unless told otherwise."""
    face = Typeface(**{key: style.pop(key) for key in ("bold", "monospaced") if key in style})
    size = style.pop("size", 10.0)
    right = indent + (5 * len(text) if width is None else width)
    return Run(text, Box(indent, 12 * row, right, 12 * row + size), size, face, **style)


def split(*runs: Run) -> list[str]:
    return [" ".join(line.text for line in p.lines) for p in paragraphs(lines(runs), KNOWN)]


def test_lines_at_the_usual_distance_are_one_paragraph_and_a_wider_gap_begins_another():
    found = split(line("one two", 0, width=FULL), line("three.", 1), line("Four.", 2.4))  # 1.4 line distances
    assert found == ["one two three.", "Four."]


def test_an_indented_line_begins_a_paragraph():
    found = split(
        line("First words of it", 0, indent=12, width=288),
        line("and more to the end.", 1, width=FULL),
        line("Second words of it", 2, indent=12, width=288),
        line("and more.", 3),
    )
    assert found == ["First words of it and more to the end.", "Second words of it and more."]


def test_a_short_line_that_ends_a_sentence_ends_the_paragraph():
    found = split(line("one two", 0, width=FULL), line("ends here.", 1), line("Next sentence of it", 2, width=FULL))
    assert found == ["one two ends here.", "Next sentence of it"]


def test_a_short_line_in_mid_sentence_does_not():
    assert len(split(line("one two", 0, width=FULL), line("a verse", 1), line("goes on", 2))) == 1


def test_another_size_begins_another_paragraph():
    assert split(line("Title", 0, size=14), line("text", 1.2)) == ["Title", "text"]


def test_a_title_on_two_lines_is_one_paragraph_even_centred():
    found = split(line("A title that needs", 0, width=FULL, size=10), line("two lines", 1, indent=125, width=50))
    assert found == ["A title that needs two lines"]


def test_list_items_begin_at_their_markers_and_keep_their_further_lines():
    found = split(
        line("1.", 0), line("first item that fills its line", 0, indent=15, width=285),
        line("and goes on", 1, indent=15),
        line("2.", 2), line("second item", 2, indent=15),
        line("3.", 3), line("third item", 3, indent=15),
    )  # fmt: skip
    assert found == ["1. first item that fills its line and goes on", "2. second item", "3. third item"]


def test_text_at_the_margin_below_a_hanging_item_is_not_the_item():
    found = split(
        line("•", 0), line("an item that fills its line", 0, indent=15, width=285),
        line("and ends.", 1, indent=15),
        line("Text after the list", 2, width=FULL),
    )  # fmt: skip
    assert found == ["• an item that fills its line and ends.", "Text after the list"]


def test_a_number_that_a_line_happens_to_begin_with_is_no_item():
    found = split(line("The share of all was in the year", 0, width=FULL), line("12. of the total of", 1, width=FULL))
    assert len(found) == 1


def test_an_initial_is_no_list_marker_unless_a_list_goes_on():
    assert [p.marker for p in paragraphs(lines([line("A. Smith wrote it.", 0)]), KNOWN)] == [None]
    both = paragraphs(lines([line("A. Apples are red.", 0), line("B. Pears are not.", 1)]), KNOWN)
    assert [p.marker.text for p in both] == ["A.", "B."]


def test_rows_that_interlock_are_one_formula():
    assert len(split(line("s = ", 0), line("x", 0.625, indent=30, size=7), line("1 + e", 1.0, indent=30))) == 1


def test_a_listing_keeps_lines_indents_and_blank_lines():
    code = [
        line("def f(x):", 0, monospaced=True),
        line("return x", 1, indent=20, monospaced=True),
        line("print(f(1))", 3, monospaced=True),
    ]
    assert listing([Line((run,)) for run in code]) == "def f(x):\n    return x\n\nprint(f(1))"


@pytest.mark.parametrize(
    ("text", "kind", "ordinal"),
    [
        ("• item", "•", None),
        ("\uf0b7 item", "•", None),
        ("(c) item", "(a)", 3),
        ("iv) item", "i)", 4),
        ("[12] A. Smith", "[1]", 12),
        ("3.1 The lessor", "1.1", None),
    ],
)
def test_markers(text: str, kind: str, ordinal: int | None):
    marker = marker_of(Line((line(text, 0),)))
    assert (marker.kind, marker.ordinal) == (kind, ordinal)


@pytest.mark.parametrize(
    "text", ["2024 was a good year", "Smith, J.", "in short", "3 of them", "(see above)", "1987. A year"]
)
def test_no_markers(text: str):
    assert marker_of(Line((line(text, 0),))) is None


def test_a_bullet_of_a_symbol_font_becomes_a_common_one():
    assert marker_of(Line((line("\uf0b7 item", 0),))).plain == "•"


def test_sentences_end_inside_quotes_and_in_other_scripts():
    assert all(map(ends_sentence, ('He said "no."', "终わり。", "Really?", "(So it is.)")))
    assert not any(map(ends_sentence, ("a comma,", "and so on -", "no end")))
