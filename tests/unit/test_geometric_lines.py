"""Runs into rows and lines; lines into running text."""

from chunkfit.parsing.geometric.content import Box, Run
from chunkfit.parsing.geometric.hyphenation import compounds, running_text
from chunkfit.parsing.geometric.lines import join, lines, stretches
from chunkfit.parsing.geometric.pdfium_fonts import FontMap
from chunkfit.parsing.geometric.turning import as_drawn, turn_of, upright
from chunkfit.parsing.geometric.typefaces import Typeface, typeface
from chunkfit.parsing.geometric.words import Word, runs_of

PLAIN = Typeface()


def run(text: str, left: float, top: float, right: float, size: float = 10.0, rightward: bool = True) -> Run:
    return Run(text, Box(left, top, right, top + size), size, PLAIN, rightward=rightward)


def word(text: str, left: float, right: float, top: float = 100.0, font: str = "/F1") -> Word:
    return Word(text, Box(left, top, right, top + 10), font, height=10.0)


def test_words_close_to_each_other_are_one_run_and_a_wide_gap_parts_them():
    # gaps: 3 (a word space), 30 (another table cell)
    found = runs_of([word("net", 10, 25), word("income", 28, 60), word("7543", 90, 110)], FontMap(), 600, 800)
    assert [r.text for r in found] == ["net income", "7543"]


def test_words_without_a_gap_are_not_parted_by_a_change_on_the_way():
    assert runs_of([word("well-", 10, 30), word("known", 30, 60)], FontMap(), 600, 800)[0].text == "well-known"


def test_another_font_begins_another_run():
    found = runs_of([word("Note.", 10, 30, font="/F2"), word("All", 33, 50)], FontMap(), 600, 800)
    assert [r.text for r in found] == ["Note.", "All"]


def test_text_of_no_size_takes_part_as_if_it_had_some():
    found = runs_of([Word("x", Box(5, 5, 5, 5), "/F1", height=0.0)], FontMap(), 600, 800)
    assert found[0].size > 0


def test_raised_marks_stay_with_their_line():
    raised = run("2", 40, 97, 44, size=6)  # [97, 103) against [100, 110): 3 of its 6 points
    assert [line.text for line in lines([run("area in m", 10, 100, 40), raised])] == ["area in m2"]


def test_two_lines_of_running_text_are_two_rows():
    assert [line.text for line in lines([run("below", 10, 112, 40), run("above", 10, 100, 40)])] == ["above", "below"]


def test_right_to_left_lines_keep_their_logical_order():
    # drawn from the left: 12, then the two words; read from the right
    row = [run("12", 100, 0, 112), run("שלום עולם", 116, 0, 180, rightward=False)]
    assert join(row) == "שלום עולם 12"


def test_scripts_without_spaces_are_joined_without_spaces():
    assert join([run("这是", 0, 0, 20), run("中文", 23, 0, 43)]) == "这是中文"
    assert running_text(["第一行", "第二行"]) == "第一行第二行"


def test_stretches_part_a_row_where_two_columns_could_meet():
    row = [run("left", 0, 0, 40), run("words", 43, 0, 80), run("right", 100, 0, 140)]  # gaps: 3 and 20
    assert [[r.text for r in group] for group in stretches(row)] == [["left", "words"], ["right"]]


def test_a_divided_word_is_made_whole_and_words_are_never_glued():
    assert running_text(["the house-", "holds of", "the town"]) == "the households of the town"


def test_a_hyphen_stays_where_the_document_writes_the_compound_in_mid_line():
    known = compounds(["a well-known harbour", "state-of-the-art"])
    assert running_text(["the well-", "known one"], known) == "the well-known one"
    assert running_text(["the-", "art"], known) == "the-art"


def test_a_hyphen_stays_before_a_capital_and_a_digit():
    assert running_text(["in North-", "East and GPT-", "4"]) == "in North-East and GPT-4"


def test_a_dash_of_its_own_divides_no_word():
    assert running_text(["the sea -", "calm now"]) == "the sea - calm now"


def test_a_soft_hyphen_at_the_line_end_goes():
    assert running_text(["con\u00ad", "sumption"]) == "consumption"


def test_font_names_tell_weight_slant_and_spacing():
    assert typeface("/ABCDEF+DejaVuSans-Bold") == Typeface(bold=True)
    assert typeface("NimbusRomNo9L-Medi") == Typeface(bold=True)
    assert typeface("CMTT10") == Typeface(monospaced=True)
    assert typeface("Times-BoldItalic") == Typeface(bold=True, italic=True)
    assert typeface("Monotype Corsiva") == Typeface()
    assert typeface("/F1") == Typeface()


def test_turning_a_box_upright_and_back_changes_nothing():
    box = Box(10, 20, 110, 30)
    for turn in range(4):
        assert as_drawn(upright(box, turn, 600, 800), turn, 600, 800) == box


def test_text_that_reads_downwards_is_upright_in_a_page_turned_back():
    # 100 points down the right edge of a page 600 wide: its first line, 12 from the top, once turned
    assert upright(Box(578, 50, 588, 150), turn_of(0, 1), 600, 800) == Box(50, 12, 150, 22)
