"""Chunks with pages, titles and tokens."""

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Flag, Page, Span, Title
from chunkfit.postprocessing import chunks
from chunkfit.spans import between

TEXT = "# A\none\n## B\ntwo\n### C\nthree\n## D\nfour\n# E\nfive\n"
A, B, C, D, E = (
    Title("A", 1, Span(0, 3), Span(0, 39)),
    Title("B", 2, Span(8, 12), Span(8, 29)),
    Title("C", 3, Span(17, 22), Span(17, 29)),
    Title("D", 2, Span(29, 33), Span(29, 39)),
    Title("E", 1, Span(39, 42), Span(39, 48)),
)


def handed_over(document: Document, *edges: int, **settings):
    return chunks(Chunking("by hand", between(edges), **settings), Evidence(document, default_engines()))


def titles(*edges: int, of=(A, B, C, D, E)) -> list[tuple[str, ...]]:
    return [chunk.titles for chunk in handed_over(Document("text", TEXT, titles=of), *edges)]


def test_a_chunk_holds_its_text_its_offsets_and_its_tokens():
    chunk = handed_over(Document("text", "one two three"), 3, 13)[0]
    assert (chunk.text, chunk.start, chunk.end, chunk.tokens, chunk.index) == (" two three", 3, 13, 2, 0)
    assert (chunk.document, chunk.method) == ("text", "by hand")


def test_titles_are_the_path_of_headings_highest_first():
    # in "one", "two", "three", "four" and "five"
    assert titles(4, 13, 23, 34, 43) == [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D")]
    assert titles(43, 48) == [("E",)]


def test_a_heading_governs_itself():
    assert titles(8, 17) == [("A", "B")]


def test_the_first_character_that_is_not_blank_decides():
    # [16, 22) starts with the line break before "### C"
    assert titles(16, 22) == [("A", "B", "C")]


def test_a_blank_chunk_belongs_to_where_it_starts():
    assert titles(16, 17) == [("A", "B")]


def test_a_skipped_level_leaves_no_hole():
    assert titles(23, 29, of=(A, C)) == [("A", "C")]


def test_text_before_the_first_heading_has_no_titles():
    assert titles(0, 8, of=(B,)) == [()]
    assert titles(0, 8, of=()) == [()]


def test_the_order_of_titles_does_not_matter():
    assert titles(23, 29, of=(E, C, D, B, A)) == [("A", "B", "C")]


def test_a_slash_in_a_title_is_just_a_character():
    assert titles(4, 8, of=(Title("In/Out tray", 1, Span(0, 3), Span(0, 48)),)) == [("In/Out tray",)]


PAGED = Document("text", "aabbcc", (Page(1, Span(0, 2)), Page(2, Span(2, 2)), Page(3, Span(2, 4)), Page(4, Span(4, 6))))


def test_pages_are_those_that_share_a_character_with_the_chunk():
    assert [chunk.pages for chunk in handed_over(PAGED, 0, 2, 3, 6)] == [(1,), (3,), (3, 4)]


def test_a_blank_page_keeps_its_number_and_is_on_no_chunk():
    assert [chunk.pages for chunk in handed_over(PAGED, 0, 6)] == [(1, 3, 4)]
    assert [chunk.pages for chunk in handed_over(PAGED, 2, 2)] == [()]


def test_a_sentence_over_a_page_break_is_on_both_pages():
    assert [chunk.pages for chunk in handed_over(PAGED, 1, 3)] == [(1, 3)]


def test_flags_go_with_their_chunk():
    flags = (Flag(1, "too large"), Flag(1, "and odd"))
    assert [chunk.flags for chunk in handed_over(PAGED, 0, 3, 6, flags=flags)] == [(), ("too large", "and odd")]
