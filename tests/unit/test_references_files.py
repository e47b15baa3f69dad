"""Reference chunks as files state them, and where their texts are placed."""

import json
from pathlib import Path

import pytest

import chunkfit
from chunkfit.errors import BadDocument
from chunkfit.model import Document, Span
from chunkfit.references import Annotation, place, read_references

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture
def written(tmp_path):
    """written(content, name="a.json") -> path; content is JSON text or a value"""

    def write(content, name="a.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def placed(texts, text):
    return place(Annotation("d", texts=tuple(texts)), Document("d", text)).spans


# --------------------------------------------------------------------------------------------------------------- forms


@pytest.mark.parametrize(
    "content",
    [
        {"document": "d.txt", "chunks": [{"start": 0, "end": 4, "about": "tea"}, {"start": 4, "end": 9}]},
        {"document": "d.txt", "chunks": [[0, 4], [4, 9]]},
        [{"document": "d.txt", "chunks": [[0, 4], [4, 9]]}],
        {"d.txt": [[0, 4], [4, 9]]},
    ],
)
def test_spans_are_objects_or_pairs_in_an_annotation_a_list_of_them_or_by_document(content, written):
    (annotation,) = read_references(written(content))["d.txt"]
    assert (annotation.spans, annotation.texts) == ((Span(0, 4), Span(4, 9)), ())


@pytest.mark.parametrize("chunks", [["Tea is hot.", "Ice."], [{"text": "Tea is hot.", "about": "tea"}, "Ice."]])
def test_texts_are_strings_or_objects(chunks, written):
    (annotation,) = read_references(written({"d.txt": chunks}))["d.txt"]
    assert (annotation.spans, annotation.texts) == ((), ("Tea is hot.", "Ice."))


def test_a_folder_gives_the_annotations_of_all_its_json_files_in_order_of_their_names(written, tmp_path):
    written({"document": "d.txt", "annotator": "B", "chunks": [[0, 5]]}, "2.json")
    written({"document": "d.txt", "annotator": "A", "chunks": [[0, 4]]}, "1.json")
    written({"e.txt": ["x"]}, "3.json")
    written("no JSON at all", "notes.txt")
    found = read_references(tmp_path)
    assert list(found) == ["d.txt", "e.txt"]
    assert [one.annotator for one in found["d.txt"]] == ["A", "B"]


def test_the_references_of_the_samples_fit_their_documents():
    found = read_references(DATA / "reference")
    names = ("backup-runbook.md", "chinese-garden.txt", "the-ferry-keys.txt", "workshop-handbook.json")
    documents = {document.name: document for document in (chunkfit.parse(DATA / "samples" / name) for name in names)}
    assert {name: len(annotations) for name, annotations in found.items()} == {
        "backup-runbook.md": 1,
        "chinese-garden.txt": 1,
        "the-ferry-keys.txt": 2,
        "workshop-handbook": 1,
    }
    for name, annotations in found.items():
        for annotation in annotations:
            assert place(annotation, documents[name]).spans == annotation.spans


# -------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "not readable as JSON"),
        ("{'d': []}", "not readable as JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"d.txt": [[0, NaN]]}', "NaN is no number of JSON"),
        ('{"d.txt": [[0, ' + "9" * 5000 + "]]}", "not readable as JSON"),
        ('{"d.txt": [[0, ' + "9" * 4000 + "]]}", "0 <= start < end < 2\\*\\*31"),
        ('{"d.txt": [[0, 4]], "d.txt": [[0, 5]]}', "the name 'd.txt' is there twice"),
        ("3", "expected .*got 3"),
        ("{}", "expected .*got dict of 0"),
        ([3], "item 0 must be an object with document, annotator, text_sha256, chunks, got 3"),
        ({"document": "d.txt"}, "expected .* or document names"),
        ({"chunks": [[0, 4]]}, "needs the name of its document"),
        ({"document": 7, "chunks": []}, "needs a string as document, got 7"),
        ({"document": "d", "chunks": [], "text_sha256": "z" * 9000}, "needs 64 hexadecimal digits as text_sha256"),
        ({"document": "d", "chunks": {"a": 1}}, "needs a list of chunks, got dict of 1"),
        ({"document": "d", "chunks": [], "anotator": "A"}, "unknown field 'anotator'; did you mean 'annotator'"),
        ({"document": "d", "chunks": [{"start": 0, "end": 4, "zzz": 1}]}, "'zzz'; known: start, end, text, about"),
        ({"document": "d", "chunks": [{"start": 0}]}, "a whole number of code points as end, got None"),
        ({"document": "d", "chunks": [{}]}, "needs start and end, or text"),
        ({"document": "d", "chunks": [{"start": 0, "end": 4, "text": "x"}]}, "and not both"),
        ({"d": [[0, 4], ["4", 9]]}, "chunk 1 of 'd' needs a whole number of code points as start, got '4'"),
        ({"d": [[0, 4.0]]}, "as end, got 4.0"),
        ({"d": [[False, True]]}, "as start, got False"),
        ({"d": [[4, 4]]}, r"needs 0 <= start < end < 2\*\*31, got \[4, 4\]"),
        ({"d": [[-1, 4]]}, r"got \[-1, 4\]"),
        ({"d": [[0, 4, 9]]}, r"must be \[start, end\], got list of 3"),
        ({"d": [None]}, "must be an object with start, end, text, about, got None"),
        ({"d": ["x", [1, 2]]}, "all spans or all texts, got both"),
    ],
)
def test_a_file_that_is_not_as_described_is_refused_with_its_name_and_the_place(content, message, written):
    path = written(content)
    with pytest.raises(ValueError, match=message) as refused:
        read_references(path)
    assert str(path) in str(refused.value)
    assert len(str(refused.value)) < 500


def test_a_file_in_another_encoding_is_refused_and_one_with_a_byte_order_mark_read(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes('{"é.txt": [[0, 4]]}'.encode("latin-1"))
    with pytest.raises(ValueError, match="not readable as JSON in UTF-8"):
        read_references(path)
    path.write_bytes('{"é.txt": [[0, 4]]}'.encode("utf-8-sig"))
    assert list(read_references(path)) == ["é.txt"]


def test_a_huge_file_is_refused_before_it_is_read(written):
    with pytest.raises(ValueError, match="larger than 10 bytes"):
        read_references(written({"d.txt": [[0, 4]]}), max_bytes=10)


def test_two_annotations_of_a_document_need_two_annotators(written, tmp_path):
    written({"d.txt": [[0, 4]]}, "1.json")
    written({"d.txt": [[0, 5]]}, "2.json")
    with pytest.raises(ValueError, match=r"2\.json: there are chunks of 'd.txt' in .*1\.json already"):
        read_references(tmp_path)


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="give a JSON file or a folder"):
        read_references(tmp_path / "none.json")
    with pytest.raises(FileNotFoundError, match=r"holds no \*\.json"):
        read_references(tmp_path)


# ------------------------------------------------------------------------------------------------------------- placing


def test_texts_are_placed_in_order_whatever_blanks_stand_in_them():
    text = "  Tea\r\nis hot.\n\nIce\u00a0is\tcold. "
    # "Tea" begins at 2; "hot." ends at 14; "Ice" begins at 16; "cold." ends at 28
    assert placed(["Tea is hot. ", "\nIce is\ncold."], text) == (Span(2, 14), Span(16, 28))


def test_equal_texts_get_a_place_each():
    assert placed(["tick", "tick"], "tick tick") == (Span(0, 4), Span(5, 9))
    # "Item B." stands once, behind the first note; the search does not go back
    text = "Item A. note. Item B. note. Item C. note."
    assert placed(["Item A. note.", "Item B.", "note.", "Item C. note."], text)[2] == Span(22, 27)


def test_offsets_are_code_points():
    assert placed(["Zürich 😀.", "Next."], "Zürich 😀. Next.") == (Span(0, 9), Span(10, 15))
    assert placed(["今天下雨。", "我在家！"], "今天下雨。我在家！你呢？") == (Span(0, 5), Span(5, 9))


def test_a_text_that_is_not_there_is_named_with_the_place_where_the_search_began():
    with pytest.raises(BadDocument) as refused:
        placed(["abc ", "zzz"], "abc def")
    assert "chunk 1 'zzz' is not in the text from offset 4 on, where it goes on with 'def'" in str(refused.value)


def test_a_text_out_of_order_is_told_from_one_that_is_nowhere():
    with pytest.raises(BadDocument, match=r"chunk 1 'abc' is not in .*where it ends; it stands earlier, at offset 0"):
        placed(["def", "abc"], "abc def")


def test_case_punctuation_and_accents_are_not_forgiven():
    for wrong in ("tea is hot.", "Tea is hot!", "Te\u0301a is hot."):
        with pytest.raises(BadDocument, match="is not in the text"):
            placed([wrong], "Tea is hot.")
    assert placed(["Tea is hot"], "Tea is hot.") == (Span(0, 10),)  # a part may be left out


@pytest.mark.parametrize(
    "annotation, message",
    [
        (Annotation("d", (Span(0, 4), Span(4, 9))), r"chunk 1 is \[4, 9\), but the text has 7 code points"),
        (Annotation("d", (Span(0, 4), Span(3, 7))), "chunk 1 of 'd' starts at 3, but chunk 0 ends at 4"),
        (Annotation("d", (Span(4, 7), Span(0, 4))), "come in order"),
        (Annotation("d", texts=(" \n",)), "chunk 0 is blank; leave it out"),
        (Annotation("d"), "are none, but 'd' has text"),
        (Annotation("d", (Span(0, 7),), text_sha256="00"), "another text of 'd': its SHA-256 is"),
    ],
)
def test_what_does_not_fit_the_document_is_a_bad_document(annotation, message):
    with pytest.raises(BadDocument, match=message):
        place(annotation, Document("d", "abc def"))


def test_the_file_is_named_where_it_is_known(written):
    (annotation,) = read_references(written({"d": ["zzz"]}))["d"]
    with pytest.raises(BadDocument, match=r"the reference chunks in .*a\.json do not fit"):
        place(annotation, Document("d", "abc"))


def test_a_text_without_anything_to_cut_needs_no_chunks():
    for text in ("", " \n\t"):
        assert place(Annotation("d"), Document("d", text)).spans == ()


def test_chunks_of_another_document_are_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match="of 'e', the document is 'd'"):
        place(Annotation("e", (Span(0, 1),)), Document("d", "abc"))
