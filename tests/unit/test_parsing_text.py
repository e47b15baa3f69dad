"""Plain text keeps every character; encodings are never guessed."""

from pathlib import Path

import pytest

from chunkfit.errors import BadDocument
from chunkfit.model import Document
from chunkfit.parsing import parse
from chunkfit.parsing.text import text
from chunkfit.settings import ParsingLimits


def read(content: str | bytes) -> Document:
    return text(content.encode() if isinstance(content, str) else content, "x.txt", 1_000_000)


def blocks(document: Document) -> list[str]:
    return [block.span.of(document.text) for block in document.blocks]


def test_paragraphs_own_the_blank_lines_behind_them_and_the_first_those_before() -> None:
    assert blocks(read("\n\none\nstill one\n\n \t\ntwo\n")) == ["\n\none\nstill one\n\n \t\n", "two\n"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028", "\v"])
def test_every_kind_of_line_end_is_kept_and_counts_as_one_break(end: str) -> None:
    content = f"a{end}b{end}{end}c"
    document = read(content)
    assert document.text == content
    assert blocks(document) == [f"a{end}b{end}{end}", "c"]


def test_a_paragraph_separator_parts_paragraphs() -> None:
    assert blocks(read("a\u2029b\u2029")) == ["a\u2029", "b\u2029"]


def test_a_form_feed_ends_a_page_and_a_block() -> None:
    document = read("u v\fw x y z")
    assert [(page.number, page.span.of(document.text)) for page in document.pages] == [(1, "u v\f"), (2, "w x y z")]
    assert blocks(document) == ["u v\f", "w x y z"]


def test_blank_pages_keep_their_numbers_and_a_last_form_feed_starts_none() -> None:
    document = read("one\f\fthree\f")
    assert [page.span.of(document.text) for page in document.pages] == ["one\f", "\f", "three\f"]


def test_a_text_has_no_titles_whatever_its_lines_look_like() -> None:
    assert read("# one\n\n## two").titles == ()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_byte_order_marks_tell_the_encoding_and_are_no_text(encoding: str) -> None:
    mark = "﻿" if encoding == "utf-16-be" else ""
    assert read((mark + "héllo 漢 😀").encode(encoding)).text == "héllo 漢 😀"


def test_bytes_that_are_not_utf8_are_refused_with_their_place_and_a_remedy() -> None:
    with pytest.raises(BadDocument, match=r"not UTF-8 text.*byte 3 \(0xe9\).*iconv"):
        read("café au lait".encode("windows-1252"))


def test_half_a_utf16_file_is_refused() -> None:
    with pytest.raises(BadDocument, match="UTF-16"):
        read("héllo".encode("utf-16")[:-1])


def test_binary_content_is_refused() -> None:
    with pytest.raises(BadDocument, match="NUL character at offset 2"):
        read(b"ab\x00c")


@pytest.mark.parametrize("content", ["﻿", " \n\t\r\n\f \n", " "])
def test_blank_texts_are_refused(content: str) -> None:
    with pytest.raises(BadDocument, match="no text"):
        read(content)


def test_the_locale_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    path = tmp_path / "é.txt"
    path.write_bytes("é漢".encode())
    assert parse(path).text == "é漢"


def test_a_file_above_the_limit_is_refused_with_the_name_of_the_setting(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"0123456789\n" * 10)
    with pytest.raises(BadDocument, match=r"110 bytes.*parsing\.max_bytes=100"):
        parse(path, ParsingLimits(max_bytes=100))
    assert len(parse(path, ParsingLimits(max_bytes=110)).text) == 110


def test_the_source_tells_path_hash_type_and_parser(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"hello")
    source = parse(str(path)).source
    assert source is not None
    assert (source.path, source.media_type, source.parser) == (str(path), "text/plain", "text/1")
    assert source.sha256 == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"  # of "hello"


def test_the_name_is_the_files_unless_another_is_given(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"hello")
    assert parse(path).name == "a.txt"
    assert parse(path, name="folder/a.txt").name == "folder/a.txt"
