"""What holds for every parser, shown on the sample documents: one or more of each kind."""

from pathlib import Path

import pytest

from chunkfit.codec import codec
from chunkfit.model import Document
from chunkfit.parsing import discover, parse, parser_of
from chunkfit.parsing.media import MEDIA_TYPES

pytestmark = pytest.mark.slow  # docling is imported in children

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
FILES = sorted(SAMPLES.iterdir()) if SAMPLES.is_dir() else []


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    return {path.name: parse(path) for path in FILES}


@pytest.fixture(params=[path.name for path in FILES])
def document(request: pytest.FixtureRequest, documents: dict[str, Document]) -> Document:
    return documents[request.param]


def test_there_is_a_sample_of_every_kind() -> None:
    references, failures = discover(SAMPLES)
    assert failures == []
    assert {reference.media_type for reference in references} == set(MEDIA_TYPES.values())


def test_pages_and_blocks_tile_the_text_and_blocks_are_never_empty(document: Document) -> None:
    # A Document checks the tiling of both itself; here the pieces must also rebuild the text.
    assert "".join(page.span.of(document.text) for page in document.pages) == document.text
    assert "".join(block.span.of(document.text) for block in document.blocks) == document.text
    assert all(block.span.of(document.text).strip() for block in document.blocks)


def test_page_numbers_count_from_one_without_gaps(document: Document) -> None:
    assert [page.number for page in document.pages] == list(range(1, len(document.pages) + 1))


def test_titles_stand_at_their_offsets_at_the_start_of_a_block_and_in_order(document: Document) -> None:
    starts = {block.span.start for block in document.blocks}
    for title in document.titles:
        heading = title.heading.of(document.text)
        assert title.text in " ".join(heading.split())
        assert heading == heading.strip()
        assert title.heading.start in starts
    places = [title.heading.start for title in document.titles]
    assert places == sorted(set(places))


def test_a_title_governs_what_stands_before_the_next_of_its_level_or_above(document: Document) -> None:
    for index, title in enumerate(document.titles):
        later = [other for other in document.titles[index + 1 :] if other.level <= title.level]
        assert title.span.start == title.heading.start
        assert title.span.end == (later[0].heading.start if later else len(document.text))


def test_texts_hold_no_control_characters_and_no_halves_of_letters(document: Document) -> None:
    document.text.encode("utf-8")
    assert all(character.isprintable() or character in "\n\t  　﻿" for character in document.text)


def test_documents_know_where_they_come_from(document: Document) -> None:
    assert document.source is not None
    assert parser_of(document.source.media_type).startswith(document.source.parser)


def test_documents_survive_being_stored(document: Document) -> None:
    assert codec(Document).decode(codec(Document).encode(document)) == document


def test_reading_again_gives_the_same_document(documents: dict[str, Document]) -> None:
    for path in FILES:
        assert parse(path) == documents[path.name]
