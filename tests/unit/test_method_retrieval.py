"""What a method's chunks bring back, its key, and how methods stand by it."""

from dataclasses import replace
from datetime import UTC, datetime

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Failure, Span
from chunkfit.reporting.retrieval_page import retrieval_page
from chunkfit.reporting.retrieval_run import RetrievalRun, leaders
from chunkfit.reporting.retrieval_table import retrieval_markdown, retrieval_sentence, retrieval_table
from chunkfit.retrieval import ChunkIndex, Labelled, Queries, References, Relevance
from chunkfit.retrieval.keys import Inquiry, inquiry, retrieval
from chunkfit.retrieval.method_retrieval import MethodRetrieval, measure_names, method_retrieval
from chunkfit.retrieval_results import FILES, MANIFEST, require_own, write_retrieval
from chunkfit.settings import Settings

TEXT = "Herons fish at dawn. Kilns cool for two days. Ferries leave at noon. "
HERONS, KILNS, FERRIES = Span(0, 21), Span(21, 46), Span(46, 69)


def test_every_measure_of_every_question() -> None:
    evidence = Evidence(Document("a", TEXT), default_engines())
    index = ChunkIndex.of([(evidence, Chunking("by sentence", (HERONS, KILNS, FERRIES)))])
    asked = [Labelled("kilns cool", "a", (KILNS,)), Labelled("zebras", "a", (HERONS,))]
    relevance = Relevance.of(index.chunks, References.of(asked, [evidence.document]))
    queries = Queries([one.text for one in asked], evidence.engines.embedder)
    found = method_retrieval(index, relevance, queries, "lexical", (100,))
    assert found.chunks == 3
    assert found.tokens == sum(index.chunks.tokens)
    assert tuple(found.values) == measure_names((100,))
    # The one chunk with a word of the first question is its answer; no chunk has one of the second.
    assert {values for name, values in found.values.items() if name != "precision-omega"} == {(1.0, 0.0)}
    assert found.values["precision-omega"] == (1.0, 1.0)


QUESTIONS = (Labelled("kilns cool", "a", (KILNS,)), Labelled("herons", "b", (HERONS,), id="2"))


def key(**changes) -> str:
    facts = {"chunks": ("c1", "c2"), "documents": ("a", "b"), "asked": Inquiry(QUESTIONS), "retriever": "hybrid"}
    return retrieval(**facts | {"embedder": "vectors/1", "budgets": (500,)} | changes)


@pytest.mark.parametrize(
    "change",
    [
        {"chunks": ("c1", "c3")},
        {"asked": Inquiry(QUESTIONS[:1])},
        {"asked": Inquiry((QUESTIONS[0], replace(QUESTIONS[1], document="a")))},
        {"asked": Inquiry((QUESTIONS[0], replace(QUESTIONS[1], references=(KILNS,))))},
        {"retriever": "dense"},
        {"embedder": "vectors/2"},
        {"budgets": (500, 1000)},
    ],
)
def test_what_matters_changes_the_key(change: dict) -> None:
    assert key(**change) != key()


def test_what_does_not_matter_keeps_the_key() -> None:
    assert key(asked=Inquiry((QUESTIONS[0], replace(QUESTIONS[1], id="9", source="someone")))) == key()
    assert key(retriever="lexical", embedder="vectors/2") == key(retriever="lexical")


def test_the_key_of_questions_is_all_that_they_say() -> None:
    assert inquiry(Inquiry(QUESTIONS)) != inquiry(Inquiry((QUESTIONS[0], replace(QUESTIONS[1], id="9"))))


def measured(recall_100: list[float], recall_200: list[float], tokens: int = 50) -> MethodRetrieval:
    zeros = dict.fromkeys(measure_names((100, 200)), (0.0,) * len(recall_100))
    found = {"recall@100 tokens": tuple(recall_100), "recall@200 tokens": tuple(recall_200)}
    return MethodRetrieval(5, tokens, zeros | found)


def run(**methods: MethodRetrieval) -> RetrievalRun:
    asked = len(next(iter(methods.values())).values["precision-omega"])
    return RetrievalRun(
        run_id="r",
        corpus="<corpus>",
        questions="questions.csv",
        started=datetime(2026, 1, 1, tzinfo=UTC),
        seconds=1.0,
        settings=Settings(),
        budgets=(100, 200),
        documents=("a", "<b>"),
        labelled=tuple(Labelled(f"q{n}", "a" if n % 2 else "<b>", (HERONS,), id=f"{n}") for n in range(asked)),
        retrievals={"hybrid": methods},
        failures=(Failure("questions.csv", "questions", "row 3, '<q>': there is no document 'c'"),),
        skipped={"agentic": "it needs a chat model"},
    )


LARGE = run(
    good=measured([0.4] * 20, [0.9] * 20),
    near=measured([0.5] * 20, [0.9, 0.8] * 10),
    bad=measured([0.0] * 20, [0.1] * 20),
)


def test_methods_stand_by_recall_at_the_largest_budget() -> None:
    good, near, bad = LARGE.standings["hybrid"]
    assert (good.method, near.method, bad.method) == ("good", "near", "bad")
    assert good.behind is None
    assert near.recall[200].value == pytest.approx(0.85)
    assert near.recall[100].value == pytest.approx(0.5)
    assert near.by_document == {"a": pytest.approx(0.8), "<b>": pytest.approx(0.9)}  # odd questions are those of a
    assert bad.behind is not None
    assert bad.behind.mean.value == pytest.approx(0.8)
    # Ten differences of one sign and twenty of one sign: neither is chance.
    assert leaders(LARGE.standings["hybrid"]) == ("good",)


def test_methods_that_the_questions_cannot_tell_apart_lead_together() -> None:
    few = run(one=measured([0.5, 0.5, 0.5], [0.9, 0.9, 0.9]), other=measured([0.5, 0.5, 0.5], [0.9, 0.8, 0.9]))
    assert leaders(few.standings["hybrid"]) == ("one", "other")
    assert "one (0.900), not told from it: other" in retrieval_sentence(few)


def test_equal_recall_goes_to_the_smaller_index() -> None:
    same = run(large=measured([0.5], [0.9], tokens=90), small=measured([0.5], [0.9], tokens=60))
    assert [one.method for one in same.standings["hybrid"]] == ["small", "large"]


def test_the_table_fits_a_terminal_of_80_columns() -> None:
    long = run(**{"recursive[size=400,overlap=100]": measured([0.4] * 4, [0.9] * 4)})
    console = Console(width=80)
    with console.capture() as captured:
        console.print(retrieval_table("hybrid", long.standings["hybrid"], (100, 200)))
    lines = captured.get().splitlines()
    assert max(map(len, lines)) <= 80
    assert any("recursive[size=400,overlap=100] *" in line and "0.900 ±.000" in line for line in lines)


def test_markdown_holds_every_method() -> None:
    rows = retrieval_markdown("hybrid", LARGE.standings["hybrid"], LARGE.budgets).splitlines()
    assert [row.split(" | ")[0] for row in rows[4:]] == ["| good *", "| near", "| bad"]


def test_the_page_escapes_what_it_shows_and_names_what_took_no_part() -> None:
    page = retrieval_page(LARGE)
    assert "&lt;corpus&gt;" in page and "<corpus>" not in page
    assert "there is no document" in page and "<q>" not in page
    assert "it needs a chat model" in page
    assert "good" in page and "0.850" in page


def test_a_run_without_results_has_a_page_too() -> None:
    assert "Nothing could be measured" in retrieval_page(replace(LARGE, retrievals={}, labelled=()))


def test_the_files_of_a_run(tmp_path) -> None:
    (tmp_path / "report.html").write_text("an evaluation's")
    write_retrieval(tmp_path, LARGE)
    assert {path.name for path in tmp_path.iterdir()} == {*FILES, MANIFEST, "report.html"}
    rows = pq.read_table(tmp_path / "retrieval.parquet").to_pylist()
    assert len(rows) == 3 * 20 * len(measure_names((100, 200)))
    ours = [row for row in rows if row["chunking_method"] == "near" and row["measure"] == "recall@200 tokens"]
    assert [row["value"] for row in ours] == [0.9, 0.8] * 10
    assert ours[1] | {"question": "", "value": 0} == {
        "doc_name": "a",
        "question_id": "1",
        "question": "",
        "chunking_method": "near",
        "retriever": "hybrid",
        "measure": "recall@200 tokens",
        "value": 0,
    }
    failures = pq.read_table(tmp_path / "retrieval-failures.parquet").to_pylist()
    assert [row["stage"] for row in failures] == ["questions"]
    write_retrieval(tmp_path, LARGE)  # its own files may be replaced


def test_files_that_no_run_wrote_are_not_replaced(tmp_path) -> None:
    (tmp_path / "retrieval.parquet").touch()
    with pytest.raises(ValueError, match="not from a run"):
        require_own(tmp_path)
