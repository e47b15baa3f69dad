"""The documents of the demo: they are what the script makes, and the hand-made chunks fit them."""

import hashlib
import importlib.util
import json
import re
import zipfile
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pypdfium2
import pytest

import chunkfit

DATA = Path(__file__).parents[2] / "data"
SAMPLES = DATA / "samples"
REFERENCES = sorted((DATA / "reference").glob("*.json"))


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_samples", DATA / "make_samples.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(script: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    script.make(folder)
    return folder


def words_of(path: Path) -> list[str]:
    """What a document says, whatever version of a library packed it."""
    if path.suffix == ".pdf":
        pdf = pypdfium2.PdfDocument(path)
        return [word for page in pdf for word in page.get_textpage().get_text_bounded().split()]
    if path.suffix == ".json":
        return path.read_text(encoding="utf-8").split()
    with zipfile.ZipFile(path) as archive:
        texts = [
            archive.read(name).decode()
            for name in sorted(archive.namelist())
            if re.match(
                r"(word/document|ppt/(slides|notesSlides)/[^/]+|xl/(worksheets/|sharedStrings)[^/]*)\.?.*xml$", name
            )
        ]
    return [word for text in texts for word in re.sub(r"<[^>]+>", " ", text).split()]


def test_there_is_a_sample_of_every_kind_of_source():
    suffixes = {path.suffix for path in SAMPLES.iterdir()}
    assert suffixes == {".pdf", ".docx", ".pptx", ".xlsx", ".html", ".md", ".txt", ".json"}


def test_the_script_makes_the_same_bytes_each_time(script: ModuleType, made: Path, tmp_path: Path):
    script.make(tmp_path)
    for path in made.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_committed_samples_say_what_the_script_makes(made: Path):
    for path in made.iterdir():
        assert words_of(SAMPLES / path.name) == words_of(path), f"{path.name}: run `make samples`"
        assert len(words_of(path)) > 100, path.name


def test_the_second_page_of_the_minutes_is_blank_and_the_others_are_not():
    pdf = pypdfium2.PdfDocument(SAMPLES / "allotment-minutes.pdf")
    assert [bool(page.get_textpage().get_text_bounded().strip()) for page in pdf] == [True, False, True]


def test_the_report_repeats_its_header_on_every_page_but_the_first():
    pdf = pypdfium2.PdfDocument(SAMPLES / "harbour-report.pdf")
    pages = [page.get_textpage().get_text_bounded() for page in pdf]
    assert 8 <= len(pages) <= 12
    assert ["Aldermoor Harbour Board" in page for page in pages] == [False] + [True] * (len(pages) - 1)


def test_the_parsed_document_agrees_with_itself():
    parsed = json.loads((SAMPLES / "workshop-handbook.json").read_text(encoding="utf-8"))
    text = parsed["full_text"]
    assert "".join(parsed["pages"].values()) == text
    assert all(text.startswith(title["title"], title["start"]) for title in parsed["titles"])
    assert parsed["split_points"] == sorted(set(parsed["split_points"]))
    assert parsed["split_points"][0] > 0
    assert parsed["split_points"][-1] < len(text)


@pytest.mark.parametrize("path", REFERENCES, ids=lambda path: path.stem)
def test_reference_chunks_are_in_order_disjoint_not_blank_and_cover_the_text_they_were_made_for(path: Path):
    reference = json.loads(path.read_text(encoding="utf-8"))
    document = next(SAMPLES.glob(f"{path.name.split('.')[0]}.*"))
    text = chunkfit.parse(document).text
    assert hashlib.sha256(text.encode()).hexdigest() == reference["text_sha256"]
    spans = [(chunk["start"], chunk["end"]) for chunk in reference["chunks"]]
    assert spans[0][0] == 0
    assert all(end == following for (_, end), (following, _) in pairwise(spans))
    assert spans[-1][1] == len(text)
    assert all(text[start:end].strip() for start, end in spans)


def test_four_documents_have_reference_chunks_one_of_them_by_two_readers():
    assert [path.stem for path in REFERENCES] == [
        "backup-runbook",
        "chinese-garden",
        "the-ferry-keys",
        "the-ferry-keys.second-reader",
        "workshop-handbook",
    ]
