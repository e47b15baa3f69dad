"""Tables from ruling lines and from aligned columns."""

from chunkfit.parsing.geometric.content import Box, Run
from chunkfit.parsing.geometric.regions import Table
from chunkfit.parsing.geometric.tables import FoundTable, cut_at
from chunkfit.parsing.geometric.tables_aligned import aligned_tables, tables_between_rules
from chunkfit.parsing.geometric.tables_ruled import ruled_tables, straight_lines
from chunkfit.parsing.geometric.typefaces import Typeface

NONE = frozenset()


def run(text: str, left: float, top: float) -> Run:
    return Run(text, Box(left, top, left + 5 * len(text), top + 10), 10.0, Typeface())


def across(y: float, left: float, right: float) -> Box:
    return Box(left, y, right, y)


def down(x: float, top: float, bottom: float) -> Box:
    return Box(x, top, x, bottom)


def grid_of(table: Table) -> list[list[str]]:
    grid = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        for row in range(cell.row, cell.row_end):
            for column in range(cell.column, cell.column_end):
                grid[row][column] = cell.text
    return grid


def ruled(rulings: list[Box], *runs: Run) -> list[FoundTable]:
    return ruled_tables(straight_lines(rulings), dict(enumerate(runs)), NONE)


def grid(columns: int, rows: int, width: float = 100, height: float = 20) -> list[Box]:
    horizontals = [across(height * row, 0, width * columns) for row in range(rows + 1)]
    return horizontals + [down(width * column, 0, height * rows) for column in range(columns + 1)]


def test_a_full_grid_gives_each_cell_its_text_once():
    runs = [run(f"{row}{column}", 100 * column + 5, 20 * row + 5) for row in range(3) for column in range(3)]
    (found,) = ruled(grid(3, 3), *runs)
    assert grid_of(found.table) == [["00", "01", "02"], ["10", "11", "12"], ["20", "21", "22"]]
    assert found.runs == frozenset(range(9))


def test_rulings_drawn_cell_by_cell_and_as_thin_bars_are_one_grid():
    pieces = [Box(x, y - 0.4, x + 100, y + 0.4) for y in (0, 20, 40) for x in (0, 100)]
    pieces += [Box(x - 0.4, y, x + 0.4, y + 20) for x in (0, 100, 200) for y in (0, 20)]
    (found,) = ruled(pieces, run("a", 5, 5), run("b", 105, 5), run("c", 5, 25), run("d", 105, 25))
    assert grid_of(found.table) == [["a", "b"], ["c", "d"]]


def test_faces_without_a_line_between_them_are_one_cell():
    # one header cell over two columns, then a row of two
    rulings = [across(0, 0, 200), across(20, 0, 200), across(40, 0, 200)]
    rulings += [down(0, 0, 40), down(100, 20, 40), down(200, 0, 40)]
    (found,) = ruled(rulings, run("both", 60, 5), run("left", 5, 25), run("right", 105, 25))
    assert grid_of(found.table) == [["both", "both"], ["left", "right"]]
    assert found.table.cells[0].column_end == 2


def test_lines_of_one_cell_become_running_text():
    (found,) = ruled(grid(2, 1, height=40), run("two", 5, 5), run("lines", 5, 18), run("one", 105, 5))
    assert grid_of(found.table) == [["two lines", "one"]]


def test_an_open_sided_table_has_its_outer_columns():
    rulings = [across(20 * row, 0, 200) for row in range(3)] + [down(100, 0, 40)]
    (found,) = ruled(rulings, run("a", 5, 5), run("b", 105, 5), run("c", 5, 25), run("d", 105, 25))
    assert grid_of(found.table) == [["a", "b"], ["c", "d"]]


def test_a_frame_around_text_and_a_chart_without_text_are_no_tables():
    assert ruled(grid(1, 1), run("framed", 5, 5)) == []
    assert ruled(grid(8, 8), run("label", 5, 5)) == []


def test_a_run_drawn_over_two_cells_is_cut_between_its_words():
    # 10 letters over 100 points: "one" is centred at 15, "twothr" at 70
    over = Run("one twothr", Box(0, 0, 100, 10), 10.0, Typeface())
    assert [(part.text, part.box.left) for part in cut_at(over, [50])] == [("one", 0), ("twothr", 40)]
    assert cut_at(over, [200]) == [over]


def table_of(cells: list[list[str]], pitch: float = 16, width: float = 90) -> dict[int, Run]:
    placed = [(t, width * c, pitch * r) for r, row in enumerate(cells) for c, t in enumerate(row) if t]
    return {i: run(*cell) for i, cell in enumerate(placed)}


CELLS = [["Group", "2022", "2023"], ["Households", "9.1", "8.7"], ["Industry", "3.3", "3.9"]]


def test_cells_that_line_up_are_a_table_without_any_rule():
    (found,) = aligned_tables(table_of(CELLS))
    assert grid_of(found.table) == CELLS


def test_empty_cells_stay_in_their_column():
    cells = [*CELLS, ["Farms", "", "1.0"]]
    (found,) = aligned_tables(table_of(cells))
    assert grid_of(found.table) == cells


def test_the_second_line_of_a_cell_joins_the_first():
    runs = table_of([*CELLS[:2], ["Fishing boats and", "1", "2"], ["Others", "3", "4"]], pitch=24, width=120)
    runs[99] = run("oyster boats", 0, 48 + 12)  # half a row below its cell
    (found,) = aligned_tables(runs)
    assert grid_of(found.table)[2] == ["Fishing boats and oyster boats", "1", "2"]


def test_a_list_and_running_text_are_no_tables():
    items = {i: run(text, left, 16 * (i // 2)) for i, (text, left) in enumerate([("1.", 0), ("word", 30)] * 4)}
    assert aligned_tables(items) == []
    prose = "some words of running text that go on and on"
    assert aligned_tables({i: run(prose, 300 * (i % 2), 12 * (i // 2)) for i in range(12)}) == []


def test_rules_above_and_below_make_a_table_of_two_rows_and_mark_its_header():
    runs = table_of([["Term", "Weight"], ["alpha", "0.2"]])
    rules = [across(-3, 0, 200), across(13, 0, 200), across(29, 0, 200)]
    (found,) = tables_between_rules(runs, rules, NONE)
    assert grid_of(found.table) == [["Term", "Weight"], ["alpha", "0.2"]]
    assert found.table.header_rows == 1


def test_a_header_over_two_columns_spans_them():
    runs = table_of([["", "Capacity of both", ""], ["Region", "2022", "2023"], ["North", "12.5", "13.1"]], width=60)
    runs = {key: r if r.text != "Capacity of both" else run("Capacity of both", 62, 0) for key, r in runs.items()}
    rules = [across(-3, 0, 200), across(28, 0, 200), across(45, 0, 200)]
    (found,) = tables_between_rules(runs, rules, NONE)
    assert grid_of(found.table)[0] == ["", "Capacity of both", "Capacity of both"]
    assert found.table.header_rows == 2


def test_text_between_two_rules_is_no_table():
    runs = {i: run("a line of text between two rules", 0, 12 * i) for i in range(3)}
    assert tables_between_rules(runs, [across(-3, 0, 300), across(40, 0, 300)], NONE) == []
