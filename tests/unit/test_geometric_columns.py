"""The order in which a page is read."""

import random

from chunkfit.parsing.geometric.columns import Piece, reading_order
from chunkfit.parsing.geometric.content import Box, Run
from chunkfit.parsing.geometric.regions import Region
from chunkfit.parsing.geometric.typefaces import Typeface

WORDS = "the harbour board met again to talk of silt and stone"


def piece(name: str, left: float, top: float, right: float) -> Piece:
    text = f"{name} {WORDS}" if right - left > 100 else name
    box = Box(left, top, right, top + 10)
    return Piece(box, run=Run(text, box, 10.0, Typeface()))


def column(name: str, left: float, top: float, right: float, count: int = 8) -> list[Piece]:
    return [piece(f"{name}{i}", left, top + 12 * i, right) for i in range(count)]


def order(pieces: list[Piece], **known) -> list[str]:
    """First words in reading order; groups are sorted from the top, as lines of one column are."""
    shuffled = random.Random(0).sample(pieces, len(pieces))
    groups = reading_order(shuffled, 10.0, **known)
    return [
        (piece.run.text if piece.run else "table").split()[0]
        for group in groups
        for piece in sorted(group, key=lambda piece: (piece.box.top, piece.box.left))
    ]


def names(name: str, count: int = 8) -> list[str]:
    return [f"{name}{i}" for i in range(count)]


def test_two_columns_are_read_one_after_the_other():
    pieces = column("a", 50, 100, 280) + column("b", 300, 100, 530)
    assert order(pieces) == names("a") + names("b")


def test_columns_whose_lines_do_not_align_are_still_two():
    pieces = column("a", 50, 100, 280) + column("b", 300, 106, 530)
    assert order(pieces) == names("a") + names("b")


def test_a_title_over_both_columns_comes_first_and_wide_text_below_comes_last():
    pieces = [
        piece("title", 50, 60, 530),
        *column("a", 50, 100, 280), *column("b", 300, 100, 530),
        piece("below", 50, 220, 530),
    ]  # fmt: skip
    assert order(pieces) == ["title", *names("a"), *names("b"), "below"]


def test_a_wide_table_parts_the_columns_above_from_those_below():
    box = Box(50, 200, 530, 260)
    pieces = [
        *column("a", 50, 80, 280), *column("b", 300, 80, 530),
        Piece(box, solid=Region("table", box)),
        *column("c", 50, 280, 280), *column("d", 300, 280, 530),
    ]  # fmt: skip
    assert order(pieces) == [*names("a"), *names("b"), "table", *names("c"), *names("d")]


def test_the_short_second_line_of_a_wide_title_stays_with_it():
    pieces = [
        piece("title", 50, 60, 530), piece("end", 50, 72, 120),
        *column("a", 50, 110, 280), *column("b", 300, 110, 530),
    ]  # fmt: skip
    assert order(pieces)[:3] == ["title", "end", "a0"]


def test_the_heading_of_wide_text_below_is_read_after_the_right_column():
    # 40 points below its column, 2 above the wide text
    pieces = [
        *column("a", 50, 100, 280), *column("b", 300, 100, 530),
        piece("heading", 50, 234, 120), piece("wide", 50, 246, 530),
    ]  # fmt: skip
    assert order(pieces) == [*names("a"), *names("b"), "heading", "wide"]


def test_three_columns():
    pieces = column("a", 50, 100, 200) + column("b", 215, 100, 365) + column("c", 380, 100, 530)
    assert order(pieces) == names("a") + names("b") + names("c")


def test_the_gap_in_a_table_is_no_gutter():
    cells = [piece(f"r{row}c{c}", 50 + 150 * c, 100 + 15 * row, 110 + 150 * c) for row in range(6) for c in range(3)]
    assert len(reading_order(cells, 10.0)) == 1


def test_a_single_line_in_the_right_column_is_found_where_the_documents_columns_begin():
    pieces = [*column("a", 50, 100, 280), piece("last", 300, 100, 420)]
    assert order(pieces)[1] == "last"  # one line alone proves no column
    assert order(pieces, left_edges=(50.0, 300.0)) == [*names("a"), "last"]


def test_nothing_is_lost_or_doubled_on_a_page_of_noise():
    noise = random.Random(1)
    pieces = [piece(f"n{i}", x := noise.uniform(0, 500), noise.uniform(0, 800), x + 20) for i in range(400)]
    assert sorted(order(pieces)) == sorted(f"n{i}" for i in range(400))
