"""Running headers, footers and page numbers."""

from chunkfit.parsing.geometric.content import Box, PageContent, Run
from chunkfit.parsing.geometric.furniture import find_furniture
from chunkfit.parsing.geometric.typefaces import Typeface

BODY = 10.0


def run(text: str, top: float, size: float = BODY) -> Run:
    return Run(text, Box(72, top, 72 + 5 * len(text), top + size), size, Typeface())


def page(number: int, *runs: Run) -> PageContent:
    return PageContent(number, 595, 842, runs)


def body(number: int) -> list[Run]:
    return [run(f"text number {number * 100 + i} of this document and of no other", 120 + 12 * i) for i in range(20)]


def furniture(pages: list[PageContent]) -> dict[int, list[str]]:
    found = find_furniture(pages, BODY)
    return {number: [pages[number - 1].runs[i].text for i in sorted(f.runs)] for number, f in found.items()}


def test_lines_that_come_back_in_the_same_place_are_furniture():
    pages = [page(n, run("Annual report", 40, 8), *body(n), run(f"Page {n}", 800, 8)) for n in (1, 2, 3)]
    assert furniture(pages) == {n: ["Annual report", f"Page {n}"] for n in (1, 2, 3)}


def test_a_header_right_above_the_text_is_known_from_a_page_where_it_stands_apart():
    # browsers print so: the text of page 2 begins 2 points below the header, that of the others 72 points below
    close = [run(f"line {i} of the second page alone", 50 + 12 * i) for i in range(20)]
    pages = [page(n, run("2/10/31 Minutes", 40, 8), *(close if n == 2 else body(n))) for n in (1, 2, 3)]
    assert furniture(pages) == {n: ["2/10/31 Minutes"] for n in (1, 2, 3)}


def test_a_heading_that_counts_with_the_pages_is_no_header():
    pages = [page(n, run(f"Section {n}", 70, 16), *body(n)) for n in (1, 2, 3)]
    assert furniture(pages) == {}


def test_the_first_line_of_a_text_that_repeats_is_no_header():
    same = [run(f"line {i} that stands on every page in this place", 80 + 12 * i) for i in range(20)]
    assert furniture([page(n, *same) for n in (1, 2, 3)]) == {}


def test_pages_of_one_line_keep_it():
    assert furniture([page(n, run(f"This is page {n}.", 80)) for n in (1, 2, 3)]) == {}


def test_roman_page_numbers_count_too():
    pages = [page(n, *body(n), run(text, 800, 8)) for n, text in enumerate(("v", "vi", "vii"), 1)]
    assert furniture(pages) == {1: ["v"], 2: ["vi"], 3: ["vii"]}


def test_two_headers_of_odd_and_even_pages_are_both_found():
    pages = [page(n, run("Left title" if n % 2 else "Right title", 40, 8), *body(n)) for n in range(1, 7)]
    assert furniture(pages) == {n: ["Left title" if n % 2 else "Right title"] for n in range(1, 7)}


def test_a_blank_page_between_keeps_its_header_and_number():
    pages = [page(n, run("Minutes", 40, 8), *(body(n) if n != 2 else []), run(str(n), 800, 8)) for n in (1, 2, 3)]
    assert furniture(pages)[2] == ["Minutes", "2"]


def test_a_year_at_the_bottom_of_one_page_is_no_page_number():
    assert furniture([page(1, *body(1), run("1987", 800))]) == {}


def test_many_pages_cost_no_more_than_a_linear_search():
    pages = [page(n, run("Header", 40, 8), *body(n), run(f"Page {n} of 2000", 800, 8)) for n in range(1, 2001)]
    assert len(furniture(pages)) == 2000


def test_a_page_number_beside_a_changing_chapter_title_makes_a_header():
    titles = ["Water", "Water", "Walls", "Boats", "Boats", "Money"]
    pages = [page(n, run(f"{title} {n}", 40, 8), *body(n)) for n, title in enumerate(titles, 1)]
    assert furniture(pages) == {n: [f"{title} {n}"] for n, title in enumerate(titles, 1)}
