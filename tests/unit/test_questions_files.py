"""Questions as files state them."""

import csv
import json
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunkfit.model import Document, Span
from chunkfit.questions import StatedReference, place_questions, read_questions, write_questions
from chunkfit.retrieval import Labelled

CHROMA_HEADER = "question,references,corpus_id\n"


@pytest.fixture
def written(tmp_path):
    """written(content, name) -> path; content is text, bytes, or the rows of a JSONL file"""

    def write(content, name="q.csv"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_bytes(content.encode())
        else:
            path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
        return path

    return write


def stated(*references) -> tuple[StatedReference, ...]:
    """Spans from pairs, verbatim texts from strings."""
    return tuple(
        StatedReference(text=one) if isinstance(one, str) else StatedReference(Span(*one)) for one in references
    )


# --------------------------------------------------------------------------------------------------------------- forms


def test_all_questions_and_references_of_a_published_set_are_read_and_placed(chroma):
    found = read_questions(chroma / "questions.csv")
    documents = [Document(path.stem, path.read_bytes().decode()) for path in sorted((chroma / "corpora").glob("*.md"))]
    placed = place_questions(found, documents)
    assert (len(found), len(placed.labelled), placed.unplaced) == (472, 472, ())
    assert sum(len(question.references) for question in found) == 790
    assert {question.source for question in placed.labelled} == {"questions.csv"}


@pytest.mark.parametrize(
    "row",
    [
        {"question": "When?", "document": "d", "references": [{"start": 0, "end": 4}]},
        {"question": "When?", "corpus_id": "d", "references": [{"start_index": 0, "end_index": 4}]},
        {"question": "When?", "doc_name": "d", "references": [[0, 4]]},
        {"question": "When?", "document": "d", "references": {"start": 0, "end": 4}},
        {"question": "When?", "document": "d", "references": "[[0, 4]]"},
        {"question": "When?", "document": "d", "start": 0, "end": 4},
        {"Question": " When? ", "Document": "d", "start_index": 0, "end_index": 4, "notes": "not read"},
    ],
)
def test_a_reference_is_a_span_by_any_of_its_names(row, written):
    (question,) = read_questions(written([row], "q.jsonl"))
    assert (question.text, question.document, question.references) == ("When?", "d", stated((0, 4)))


@pytest.mark.parametrize(
    "row",
    [
        {"references": ["in May"]},
        {"references": '["in May"]'},
        {"references": [{"content": "in May"}]},
        {"references": [{"text": "in May"}]},
        {"content": "in May"},
    ],
)
def test_a_reference_is_a_verbatim_text_by_any_of_its_names(row, written):
    (question,) = read_questions(written([{"question": "When?", "document": "d"} | row], "q.jsonl"))
    assert question.references == stated("in May")


def test_the_three_kinds_of_file_say_the_same(written, tmp_path):
    rows = [{"question": "When?", "document": "d", "id": "1", "answer": "May", "references": [{"content": "in May"}]}]
    from_jsonl = read_questions(written(rows, "q.jsonl"))
    text = 'question,document,id,answer,references\nWhen?,d,1,May,"[{""content"": ""in May""}]"\n'
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "q.parquet")
    columns = ("text", "document", "references", "answer", "id")
    for path in (written(text), tmp_path / "q.parquet"):
        (question,) = read_questions(path)
        assert all(getattr(question, name) == getattr(from_jsonl[0], name) for name in columns)


def test_columns_of_a_csv_file_hold_spans_or_a_text_and_a_blank_field_is_none(written):
    path = written("question,document,start,end,content\nWhen?,d,0,4,\nWho?,d,,,Ann\nWhy?,d,,,\n")
    assert [question.references for question in read_questions(path)] == [stated((0, 4)), stated("Ann"), ()]


def test_rows_with_the_same_question_of_a_document_are_one_with_all_their_references(written):
    path = written(
        "question,document,start,end,answer\nWhen?,d,0,4,\nWho?,d,1,2,\nWhen  ?,d,9,12,\nWhen?,d,9,12,May\n"
        "When?,d,0,4,May\nWhen?,e,0,4,\n"
    )
    found = read_questions(path)
    assert [(question.text, question.document, question.rows) for question in found] == [
        ("When?", "d", (2, 5, 6)),
        ("Who?", "d", (3,)),
        ("When  ?", "d", (4,)),
        ("When?", "e", (7,)),
    ]
    assert (found[0].references, found[0].answer) == (stated((0, 4), (9, 12)), "May")


def test_byte_order_marks_quotes_and_line_ends_inside_fields_are_read(written):
    text = 'question,document,content\r\n"Who ""won"",\r\nthen?",d,"Zoë,\nthe first"\r\n\r\n'
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (question,) = read_questions(written(text.encode(encoding)))
        assert (question.text, question.references) == ('Who "won",\r\nthen?', stated("Zoë,\nthe first"))


def test_fields_of_any_length_are_read_and_the_limit_of_others_stays(written):
    before = csv.field_size_limit()
    (question,) = read_questions(written(f"question,document,content\nWhat?,d,{'a' * 500_000}\n"))
    assert len(question.references[0].text) == 500_000
    assert csv.field_size_limit() == before


def test_only_a_line_feed_ends_a_row_of_jsonl(written):
    row = json.dumps({"question": "Who\u2028won?", "document": "d", "content": "A\x85n"}, ensure_ascii=False)
    (question,) = read_questions(written(f"\n{row}\r\n", "q.ndjson"))
    assert (question.text, question.rows) == ("Who\u2028won?", (2,))


# -------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "is empty"),
        ("question,document,content\n", "holds no questions"),
        ("question;document;content\nWho?;d;Ann\n", "no column question"),
        ("qestion,document,content\nWho?,d,Ann\n", "row 2: .*did you mean 'qestion'"),
        ("question,content\nWho?,Ann\n", "no column document or corpus_id or doc_name"),
        ("question,document\nWho?,d\n", "no column says where the answers are"),
        ("question,document,start\nWho?,d,1\n", "no column says where the answers are"),
        ("question,Question,document,content\na,b,c,d\n", "the column 'question' is there twice"),
        ("question,document,content\nWho?,d,Ann\nWhen?,d\n", "row 3: 2 fields for 3 columns"),
        ("question,document,content\nWho?,d,Ann, Bob\n", "row 2: 4 fields for 3 columns"),
        ('question,document,content\nWho?,d,"Ann', "row 2: unexpected end of data"),
        ("question,document,content\n ,d,Ann\n", "row 2: the question is blank"),
        ("question,document,content\nWho?,,Ann\n", "row 2: the name of the document is blank"),
        ("question,document,start,end\nWho?,d,1,x\n", "row 2: the reference needs a whole number .* as end, got 'x'"),
        ("question,document,start,end\nWho?,d,1.0,2\n", "as start, got '1.0'"),
        ("question,document,start,end\nWho?,d,1,\n", "as end, got None"),
        ("question,document,start,end\nWho?,d,4,4\n", r"needs 0 <= start < end < 2\*\*31, got \[4, 4\]"),
        ("question,document,start,end\nWho?,d,1,99999999999\n", r"needs 0 <= start < end < 2\*\*31"),
        (CHROMA_HEADER + "Who?,[{'content': 'Ann'}],d\n", "row 2: references are not readable as JSON"),
        (CHROMA_HEADER + "Who?,7,d\n", "references must be a list .* got 7"),
        (CHROMA_HEADER + "Who?," + "[" * 100_000 + ",d\n", "nested too deeply|fields"),
        (CHROMA_HEADER + 'Who?,"[{""content"": NaN}]",d\n', "NaN is no number of JSON"),
        (CHROMA_HEADER + 'Who?,"[{""content"": 7}]",d\n', "reference 0 needs a string as content, got 7"),
        (CHROMA_HEADER + 'Who?,"[{""content"": "" ""}]",d\n', "reference 0 is blank"),
        (CHROMA_HEADER + 'Who?,"[{""strt"": 1}]",d\n', "reference 0 needs start and end, or content; it has 'strt'"),
        (CHROMA_HEADER + 'Who?,"[{""start"": 1}]",d\n', "as end, got None"),
        (CHROMA_HEADER + 'Who?,"[[1, 2], [true, 2]]",d\n', "reference 1 needs .* as start, got True"),
        (CHROMA_HEADER + 'Who?,"[[1, 2, 3]]",d\n', r"reference 0 must be \[start, end\]"),
        (CHROMA_HEADER + 'Who?,"[null]",d\n', "reference 0 must be an object"),
        ("id,question,document,content\n1,Who?,d,Ann\n1,When?,d,May\n", "row 3: the id '1' is that of another"),
        ("answer,question,document,content\nAnn,Who?,d,Ann\nBob,Who?,d,Ann\n", "row 3: row 2 gives another answer"),
        ("question,document,content\nWho?,d,Zo\xeb\n".encode("latin-1"), "not UTF-8 text.*0xeb"),
        (b"PK\x03\x04\x00\x00", "NUL character"),
    ],
)
def test_a_csv_file_that_is_not_as_described_is_refused_with_its_name_and_the_row(content, message, written):
    path = written(content)
    with pytest.raises(ValueError, match=message) as refused:
        read_questions(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    "content, message",
    [
        ('{"question": "Who?"\n', "row 1: not readable as JSON"),
        ('\n["Who?"]\n', "row 2: each line is a JSON object, got list of 1"),
        ('{"question": "a", "question": "b"}\n', "'question' is there twice"),
        ('{"question": "a", " Question": "b"}\n', "row 1: the column 'question' is there twice"),
        ('{"question": 7, "document": "d", "content": "x"}\n', "row 1: question must be a text, got 7"),
        ('{"question": "a", "document": "d", "references": 7}\n', "row 1: references must be"),
        ("[" * 100_000, "row 1: not readable as JSON: nested too deeply"),
        ('{"question": "a", "document": "d", "start": ' + "9" * 5000 + ', "end": 4}', "row 1: not readable as JSON"),
        ('{"question": "a", "document": "d", "start": 0, "end": 4.0}', "as end, got 4.0"),
    ],
)
def test_a_jsonl_file_that_is_not_as_described_is_refused_with_its_name_and_the_row(content, message, written):
    path = written(content, "q.jsonl")
    with pytest.raises(ValueError, match=message) as refused:
        read_questions(path)
    assert str(path) in str(refused.value)


def test_a_missing_file_another_kind_and_one_that_is_too_large_are_told(written, tmp_path):
    with pytest.raises(FileNotFoundError, match="no questions at"):
        read_questions(tmp_path / "none.csv")
    with pytest.raises(ValueError, match=r"end in \.csv, \.jsonl"):
        read_questions(written("x", "q.xlsx"))
    with pytest.raises(ValueError, match="larger than 10 bytes"):
        read_questions(written("x" * 11), max_bytes=10)
    with pytest.raises(ValueError, match="is not a Parquet file that can be read, or damaged"):
        read_questions(written(b"PAR1 but no more PAR1", "q.parquet"))


@pytest.mark.parametrize(
    "column, found",
    [
        ({"references": [[[0, 4], [6, 8]]]}, ((0, 4), (6, 8))),
        ({"references": [["in May", "by Ann"]]}, ("in May", "by Ann")),
        ({"references": ['["in May"]']}, ("in May",)),
        ({"start_index": [0], "end_index": [4]}, ((0, 4),)),
        ({"references": [None], "start": [0], "end": [4]}, ((0, 4),)),
    ],
)
def test_a_parquet_file_holds_lists_or_json_or_columns(column, found, tmp_path):
    pq.write_table(pa.table({"question": ["When?"], "corpus_id": ["d"], "id": [7], **column}), tmp_path / "q.parquet")
    (question,) = read_questions(tmp_path / "q.parquet")
    assert (question.references, question.id, question.rows) == (stated(*found), "7", (1,))


def test_a_parquet_file_names_the_row_that_is_wrong(tmp_path):
    path = tmp_path / "q.parquet"
    questions = pa.table({"question": ["When?", None], "document": ["d", "d"], "content": ["in May", "Ann"]})
    pq.write_table(questions, path)
    with pytest.raises(ValueError, match=r"q\.parquet, row 2: the question is blank"):
        read_questions(path)


@pytest.mark.slow
def test_a_parquet_file_may_not_claim_more_than_memory(tmp_path):
    path = tmp_path / "q.parquet"
    pq.write_table(pa.table({"question": pa.array(["a"] * 20_000_001).dictionary_encode()}), path)
    assert path.stat().st_size < 100_000
    with pytest.raises(ValueError, match="claims 20,000,001 values"):
        read_questions(path)


@pytest.mark.slow
def test_a_damaged_parquet_file_is_an_error_whatever_its_library_does(tmp_path):
    # some of these bytes make pyarrow abort its process
    path, random, refused = tmp_path / "q.parquet", Random(0), 0
    rows = [{"question": f"q{n}", "document": "d", "references": [{"start": n, "end": n + 3}]} for n in range(40)]
    pq.write_table(pa.Table.from_pylist(rows), path)
    whole = path.read_bytes()
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(random.randint(1, 4)):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        path.write_bytes(damaged)
        try:
            read_questions(path)
        except ValueError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 30


# ------------------------------------------------------------------------------------------------------------- writing


def test_written_questions_read_back(tmp_path):
    documents = (Document("a.md", "Tea is hot.\u2028Ice\ud800 is cold."), Document("b", "Zoë"))
    labelled = (
        Labelled("Hot\nor not?", "a.md", (Span(0, 3), Span(12, 16)), id="7", source="Ann"),
        Labelled('Who "is"?', "b", (Span(0, 3),), source="model/1"),
    )
    for known in ((), documents):
        write_questions(tmp_path / "q.jsonl", labelled, answers=("yes", ""), documents=known)
        placed = place_questions(read_questions(tmp_path / "q.jsonl"), documents)
        assert (placed.labelled, placed.answers, placed.unplaced) == (labelled, ("yes", ""), ())


def test_questions_written_with_their_documents_notice_that_the_text_is_another_now(tmp_path):
    labelled = [Labelled("Hot?", "a", (Span(0, 3),))]
    write_questions(tmp_path / "q.jsonl", labelled, documents=[Document("a", "Tea is hot.")])
    (unplaced,) = place_questions(read_questions(tmp_path / "q.jsonl"), [Document("a", "\nTea is hot.")]).unplaced
    assert "holds 'Te' and not 'Tea', which stands at 1" in unplaced.reason


def test_answers_come_one_for_each_question(tmp_path):
    with pytest.raises(ValueError):
        write_questions(tmp_path / "q.jsonl", [Labelled("Hot?", "a", (Span(0, 3),))], answers=("yes", "no"))
