"""What is a heading, and of which level."""

import pytest

from chunkfit.parsing.geometric.content import Box, Run
from chunkfit.parsing.geometric.headings import heading_levels, heading_look, numbering_depth
from chunkfit.parsing.geometric.lines import Line
from chunkfit.parsing.geometric.paragraphs import Paragraph
from chunkfit.parsing.geometric.regions import Look
from chunkfit.parsing.geometric.survey import Survey
from chunkfit.parsing.geometric.typefaces import Typeface

BODY_10 = Survey(body_size=10.0)
BODY_12 = Survey(body_size=12.0)


def is_heading(text: str, size: float = 10, bold: bool = False, gap: float = 2, known: Survey = BODY_10) -> bool:
    run = Run(text, Box(72, 100, 72 + size * len(text) / 2, 100 + size), size, Typeface(bold=bold))
    return heading_look(Paragraph((Line((run,)),), gap), text, known, follows_heading=False) is not None


def test_larger_text_is_a_heading_and_text_of_the_body_size_is_none():
    assert is_heading("Results of the survey", size=14)
    assert not is_heading("Results of the survey")


def test_twelve_points_are_a_heading_above_ten_and_body_text_among_twelve():
    assert is_heading("Results of the survey", size=12)
    assert not is_heading("Results of the survey", size=12, known=BODY_12)


def test_bold_text_of_the_body_size_needs_room_above():
    assert is_heading("Results of the survey", bold=True)
    assert not is_heading("Results of the survey", bold=True, gap=1.0)


@pytest.mark.parametrize(
    "text", ["All figures are rounded.", "Note:", "and the rest of it", "1,204 / 17", "7 %", "2 Scope . . . . . 4"]
)
def test_bold_sentences_labels_continuations_and_figures_are_no_headings(text: str):
    assert not is_heading(text, bold=True)


def test_bold_says_nothing_where_everything_is_bold():
    assert not is_heading("Results", bold=True, known=Survey(body_size=10.0, body_bold=True))


def test_capitals_standing_apart_are_a_heading():
    assert is_heading("LIST OF PARTIES")


def test_a_long_sentence_in_large_type_is_no_heading():
    assert not is_heading(
        "Water is the first thing that a city asks of its council, and the last it thanks for.", size=16
    )


def test_numbering_tells_depth():
    assert [numbering_depth(t) for t in ("3 Scope", "3.1 Scope", "3.1.2. Scope", "Chapter 4", "Scope")] == [
        1,
        2,
        3,
        1,
        0,
    ]


def test_levels_follow_size_then_weight_then_numbering():
    title, chapter, bold, plain = Look(20, True, 0), Look(16, True, 1), Look(12, True, 0), Look(12, False, 0)
    assert heading_levels([plain, chapter, title, bold]) == {title: 1, chapter: 2, bold: 3, plain: 4}


def test_numbering_parts_headings_of_one_style_and_those_without_number_rank_with_the_highest():
    one, two, none = Look(12, True, 1), Look(12, True, 2), Look(12, True, 0)
    assert heading_levels([two, one, none]) == {one: 1, none: 1, two: 2}


def test_sizes_that_differ_by_rounding_are_one_size():
    assert set(heading_levels([Look(14.0, True, 0), Look(13.8, True, 0)]).values()) == {1}
