"""Parsed documents are read and written in the published format, and contradictions are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from chunkfit.errors import BadDocument
from chunkfit.model import Block, Document, Page, Span, Title
from chunkfit.parsing import parse, to_parsed_json
from chunkfit.parsing.parsed_json import parsed_json

TEXT = "# One\n\nbody\n\n## Two\n\nend"


def fields(**changed: Any) -> dict[str, Any]:
    # offsets: "body" 7, "## Two" 13, "end" 21; page 2 begins at 13
    return {
        "document_name": "sample",
        "pages": {"1": TEXT[:13], "2": TEXT[13:]},
        "full_text": TEXT,
        "split_points": [7, 13, 21],
        "titles": [
            {"title": "# One", "start": 0, "level": 1, "end": 24},
            {"title": "## Two", "start": 13, "level": 2, "end": 24},
        ],
        **changed,
    }


def read(value: Any) -> Document:
    return parsed_json(json.dumps(value).encode(), "x", 1_000_000)


def test_pages_blocks_and_titles_are_read_at_their_offsets() -> None:
    assert read(fields()) == Document(
        "x",
        TEXT,
        (Page(1, Span(0, 13)), Page(2, Span(13, 24))),
        tuple(Block("other", Span(start, end)) for start, end in [(0, 7), (7, 13), (13, 21), (21, 24)]),
        (Title("One", 1, Span(0, 5), Span(0, 24)), Title("Two", 2, Span(13, 19), Span(13, 24))),
    )


def test_what_is_written_is_what_was_read() -> None:
    value = fields()
    written = json.loads(to_parsed_json(parsed_json(json.dumps(value).encode(), "sample", 1_000_000)))
    assert written == value


def test_split_points_at_the_ends_and_repeated_ones_make_no_empty_blocks() -> None:
    document = read(fields(split_points=[0, 7, 7, 13, 21, 24]))
    assert document.blocks == read(fields()).blocks


def test_a_heading_without_words_is_no_title() -> None:
    titles = [
        {"title": "#", "start": 0, "level": 1, "end": 4},
        {"title": "", "start": 2, "level": 2, "end": 4},
        {"title": "x", "start": 2, "level": 2, "end": 4},
    ]
    fields = {
        "document_name": "d",
        "pages": {"1": "#\nx\n"},
        "full_text": "#\nx\n",
        "split_points": [],
        "titles": titles,
    }
    assert [title.text for title in parsed_json(json.dumps(fields).encode(), "d", 1_000).titles] == ["x"]


def test_without_split_points_there_are_no_blocks() -> None:
    assert read(fields(split_points=[])).blocks == ()


def test_blank_pages_keep_their_numbers() -> None:
    document = read(fields(pages={"1": TEXT[:13], "2": "", "4": TEXT[13:]}))
    assert [(page.number, len(page.span)) for page in document.pages] == [(1, 13), (2, 0), (4, 11)]


def test_the_document_names_itself(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(fields()), encoding="utf-8")
    assert parse(path).name == "sample"
    assert parse(path, name="other").name == "other"


def without(name: str) -> dict[str, Any]:
    value = fields()
    del value[name]
    return value


def title(**changed: Any) -> dict[str, Any]:
    return fields(titles=[{"title": "# One", "start": 0, "level": 1, "end": 24, **changed}])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([1], "JSON object, got list"),
        (without("titles"), "missing: titles"),
        (fields(full_text=5), "full_text must be a string"),
        (fields(full_text=" \n"), "no text"),
        (fields(pages=[TEXT]), "pages must be an object"),
        (fields(pages={"1": TEXT[:13], "2": "other"}), "page 2 is not what full_text has from offset 13"),
        (fields(pages={"1": TEXT[:13]}), "join to 13 code points, but full_text has 24"),
        (fields(pages={"2": TEXT[:13], "1": TEXT[13:]}), "numbered upwards from 1, got '1'"),
        (fields(pages={"one": TEXT}), "numbered upwards from 1, got 'one'"),
        (fields(split_points=[25]), "split_points must be an offset in the text of 24 code points, got 25"),
        (fields(split_points=["7"]), "split_points must be an offset"),
        (fields(split_points=7), "split_points must be a list"),
        (title(start=1), "titles\\[0\\] '# One' is not at its offset 1: the text has ' One\\\\n' there"),
        (title(end=3), "ends at 3, before its own heading does"),
        (title(end=99), "titles\\[0\\].end must be an offset"),
        (title(level=0), "whole number from 1 as level"),
        (fields(titles=["# One"]), "titles\\[0\\] needs the fields title, start, level, end"),
        (fields(titles=list(reversed(fields()["titles"]))), "order of the text"),
    ],
)
def test_what_contradicts_the_text_is_named(value: Any, reason: str) -> None:
    with pytest.raises(BadDocument, match=reason):
        read(value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"document_name": ', "broken JSON at line 1, column 19"),
        (b"[" * 100_000, "nested too deeply"),
        ('{"document_name": "é"}'.encode("latin-1"), "not UTF-8"),
    ],
)
def test_broken_files_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadDocument, match=reason):
        parsed_json(data, "x", 1_000_000)


def test_the_published_documents_are_read_and_written_unchanged(clair: Path) -> None:
    # every third of the 33, to be quick: small, large, English and French
    for path in sorted((clair / "parsed").glob("*.json"))[::3]:
        published = json.loads(path.read_text(encoding="utf-8"))
        document = parse(path)
        assert document.text == published["full_text"]
        assert json.loads(to_parsed_json(document)) == published
