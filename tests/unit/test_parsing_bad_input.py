"""Whatever is wrong with a file, there is one clear sentence, and the next file is read as if nothing had been."""

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chunkfit.errors import BadDocument
from chunkfit.parsing import parse
from chunkfit.settings import ParsingLimits

canvas = pytest.importorskip("reportlab.pdfgen.canvas")
docx = pytest.importorskip("docx")


def pdf(draw: Callable[[Any, int], None], pages: int = 1, **options: Any) -> bytes:
    data = io.BytesIO()
    page = canvas.Canvas(data, **options)
    for number in range(1, pages + 1):
        draw(page, number)
        page.showPage()
    page.save()
    return data.getvalue()


def words(page: Any, number: int) -> None:
    page.drawString(72, 700, f"Page {number} has words on it.")


def picture(page: Any, number: int) -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    page.drawImage(ImageReader(Image.new("RGB", (20, 10), "navy")), 50, 50, width=300, height=200)


def nothing(page: Any, number: int) -> None:
    pass


def word_file() -> bytes:
    data = io.BytesIO()
    file = docx.Document()
    file.add_paragraph("some words")
    file.save(data)
    return data.getvalue()


def encrypted() -> bytes:
    from reportlab.lib.pdfencrypt import StandardEncryption

    return pdf(words, encrypt=StandardEncryption("secret"))


def with_story(story: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word_file())) as source, zipfile.ZipFile(data, "w") as target:
        for name in source.namelist():
            target.writestr(name, story if name == "word/document.xml" else source.read(name))
    return data.getvalue()


def bomb() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"<x/>")
        archive.writestr("padding", bytes(2_000_000))
    return data.getvalue()


def laughs() -> bytes:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    return with_story(f'<!DOCTYPE x [<!ENTITY l0 "ha">{entities}]><x>&l9;</x>'.encode())


BAD: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "an encrypted PDF": ("x.pdf", encrypted, "encrypted PDF that needs a password"),
    "a truncated PDF": ("x.pdf", lambda: (whole := pdf(words, 20))[: len(whole) // 2], "cut short"),
    "a PDF without its last bytes": ("x.pdf", lambda: pdf(words)[:-10], "cut short"),
    "noise in a PDF's clothes": ("x.pdf", lambda: b"%PDF-1.7\n" + bytes(range(256)) * 9 + b"%%EOF", "broken PDF"),
    "a zero-byte PDF": ("x.pdf", lambda: b"", r"empty \(0 bytes\)"),
    "a page named .pdf": ("x.pdf", lambda: b"<html></html>", "not a PDF"),
    "an image-only PDF": ("x.pdf", lambda: pdf(picture, 2), "no text layer: 2 of its 2 pages show pictures only.*OCR"),
    "a PDF of blank pages": ("x.pdf", lambda: pdf(nothing, 3), "no text: its 3 pages are blank"),
    "half a Word file": ("x.docx", lambda: (whole := word_file())[: len(whole) // 2], "corrupt archive"),
    "noise named .docx": ("x.docx", lambda: bytes(range(256)) * 9, "no Word document"),
    "a Word file with a password": ("x.docx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(999), "password"),
    "a Word file with broken XML": ("x.docx", lambda: with_story(b"<w:document"), "corrupt Word document"),
    "an empty Word file": ("x.docx", lambda: with_story(EMPTY_STORY), "no text"),
    "a bomb of entities": ("x.docx", laughs, "corrupt Word document"),
    "a workbook named .docx": ("x.docx", lambda: zip_of("xl/workbook.xml"), "without word/document.xml"),
    "a slide deck without slides": ("x.pptx", lambda: zip_of("ppt/presentation.xml"), "docling cannot open it as PPTX"),
    "a 50 MB text": ("x.txt", lambda: b"word " * 10_000_000, r"50,000,000 bytes.*parsing\.max_bytes=32,000,000"),
    "an unknown type": ("x.odt", lambda: b"text", r"type \.odt are not read; known types: \.docx"),
}
EMPTY_STORY = (
    b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body/></w:document>'
)


def zip_of(name: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, b"<x/>")
    return data.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_gives_one_clear_sentence(tmp_path: Path, what: str) -> None:
    name, make, reason = BAD[what]
    path = tmp_path / name
    path.write_bytes(make())
    with pytest.raises(BadDocument, match=reason) as failure:
        parse(path)
    said = str(failure.value)
    assert "\n" not in said and "Traceback" not in said and len(said) < 400


@pytest.mark.slow
def test_an_archive_that_unpacks_to_absurd_sizes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(bomb())  # 2 MB in about 2 KB
    with pytest.raises(BadDocument, match=r"unpacks to 2,000,004 bytes, .*parsing\.max_bytes=9,999"):
        parse(path, ParsingLimits(max_bytes=9_999))


@pytest.mark.slow
def test_a_pdf_that_only_its_owner_may_change_is_read(tmp_path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    path = tmp_path / "x.pdf"
    path.write_bytes(pdf(words, encrypt=StandardEncryption("", ownerPassword="owner")))
    assert "Page 1 has words on it." in parse(path).text


@pytest.mark.slow
def test_blank_pages_of_a_pdf_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(pdf(lambda page, number: None if number == 2 else words(page, number), 3))
    document = parse(path)
    assert [page.span.of(document.text).strip() for page in document.pages] == [
        "Page 1 has words on it.",
        "",
        "Page 3 has words on it.",
    ]


@pytest.mark.slow
def test_a_scanned_page_among_others_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(pdf(lambda page, number: (nothing, words, picture)[number % 3](page, number), 6))  # 1 and 4: words
    document = parse(path)
    assert document.unread == ("pages without a text layer, which show pictures only: 2, 5",)  # 3 and 6 are blank


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDocument, match="no such file"):
        parse(tmp_path / "gone.pdf")
    with pytest.raises(BadDocument, match="a folder"):
        parse(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(BadDocument, match="permission denied"):
        parse(path)


def test_a_document_that_takes_too_long_is_refused_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "slow.md"
    path.write_text("> a\n\n" * 200_000, encoding="utf-8")
    with pytest.raises(BadDocument, match=r"longer than the limit parsing\.timeout_seconds=0\.5"):
        parse(path, ParsingLimits(timeout_seconds=0.5))
    path.write_text("# fine", encoding="utf-8")
    assert [title.text for title in parse(path).titles] == ["fine"]


@pytest.mark.slow
def test_a_document_that_needs_too_much_memory_is_refused_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    path.write_text("a\n\n" * 1_000_000, encoding="utf-8")
    with pytest.raises(BadDocument, match=r"more memory than the limit parsing\.memory_bytes=150,000,000"):
        parse(path, ParsingLimits(memory_bytes=150_000_000))
    path.write_text("# fine", encoding="utf-8")
    assert [title.text for title in parse(path).titles] == ["fine"]
