from dataclasses import replace

import pytest

from chunkfit.chunking import chunkers
from chunkfit.errors import BudgetSpent, EngineUnavailable, MethodFailed
from chunkfit.model import Block, Chunking, Document, Mentions, Page, Pair, Span
from chunkfit.pipeline import chunk, evaluate, methods
from chunkfit.registry import UnknownPart
from chunkfit.settings import ChanceSettings, SelectionRules, Settings
from chunkfit.usage import Usage

LINES = ["# Tea\n", "Tea is hot. " * 60 + "\n", "It cools. " * 60 + "\n", "# Ice\n", "Ice is cold. " * 60]
TEXT = "".join(LINES)
ENDS = [sum(map(len, LINES[: i + 1])) for i in range(len(LINES))]
DOCUMENT = Document(
    "tea",
    TEXT,
    pages=(Page(1, Span(0, ENDS[2])), Page(2, Span(ENDS[2], ENDS[4]))),
    blocks=tuple(Block("paragraph", Span(a, b)) for a, b in zip([0, *ENDS], ENDS, strict=False)),
)
MENTIONS = Mentions("by hand", pairs=(Pair(Span(6, 9), Span(ENDS[1], ENDS[1] + 2)),))
FEW = Settings(methods=("page", "fixed", "recursive_600"), chance=ChanceSettings(draws=2))


@pytest.fixture
def added(monkeypatch):
    """added(name, chunker) registers a method for one test."""

    def add(name, chunker):
        part = replace(chunkers["page"], name=name, make=chunker)
        monkeypatch.setattr(chunkers, "_parts", {**chunkers._parts, name: part})

    return add


def test_every_method_is_scored_and_the_selected_ones_chunks_are_ready(engines):
    evaluation = evaluate(DOCUMENT, FEW, engines, MENTIONS)
    assert [card.method for card in evaluation.scorecards] == ["page", "fixed", "recursive_600"]
    assert set(evaluation.stages) == {"page", "fixed", "recursive_600"}
    assert evaluation.selection.best in evaluation.stages
    assert "".join(one.text for one in evaluation.chunks()) == TEXT
    assert all(one.text == TEXT[one.start : one.end] for one in evaluation.chunks())
    assert {one.method for one in evaluation.chunks("page")} == {"page"}
    assert evaluation.mentions is MENTIONS


def test_what_is_scored_is_the_last_stage_and_the_first_is_the_method_itself(engines):
    evaluation = evaluate(DOCUMENT, FEW, engines, MENTIONS)
    stages = evaluation.stages["page"]
    assert [span.end for span in stages[0].spans] == [ENDS[2], ENDS[4]]
    assert [one.stage for one in stages] == ["raw", "no_oversizing", "no_small_chunks"]
    assert evaluation.scorecards[0].sizes.chunks == len(stages[-1])


def test_one_method_alone_gives_the_chunks_that_an_evaluation_gives(engines):
    evaluation = evaluate(DOCUMENT, FEW, engines, MENTIONS)
    for method in FEW.methods:
        assert chunk(DOCUMENT, method, engines=engines) == evaluation.chunks(method)
    assert chunk(DOCUMENT, settings=FEW, engines=engines, mentions=MENTIONS) == evaluation.chunks()


@pytest.mark.parametrize("failure", [MethodFailed("no tables here"), ValueError("no tables here")])
def test_a_method_that_cannot_handle_a_document_is_disqualified_there_and_the_others_compete(failure, engines, added):
    def fails(evidence):
        raise failure

    added("tables", fails)
    evaluation = evaluate(DOCUMENT, Settings(methods=("tables", "page")), engines, MENTIONS)
    assert evaluation.selection.disqualified == {"tables": "no tables here"}
    assert evaluation.selection.best == "page"
    assert "tables" not in evaluation.stages
    with pytest.raises(MethodFailed, match="there are no chunks of 'tables': no tables here"):
        evaluation.chunks("tables")
    with pytest.raises(MethodFailed, match="there are no chunks of 'fixed': it was not tried"):
        evaluation.chunks("fixed")


def test_a_method_that_drops_text_gets_it_back_before_it_is_scored(engines, added):
    added("half", lambda evidence: Chunking("half", (Span(0, len(evidence.document.text) // 2),)))
    evaluation = evaluate(DOCUMENT, Settings(methods=("half",)), engines, MENTIONS)
    assert evaluation.selection.disqualified == {}
    assert "".join(one.text for one in evaluation.chunks()) == TEXT


def test_without_a_usable_method_there_are_no_best_chunks(engines, added):
    def fails(evidence):
        raise MethodFailed("no tables here")

    added("tables", fails)
    evaluation = evaluate(DOCUMENT, Settings(methods=("tables",)), engines, MENTIONS)
    assert evaluation.selection.best is None
    with pytest.raises(MethodFailed, match="No method can be used: every method was disqualified"):
        evaluation.chunks()


@pytest.mark.parametrize("error", [EngineUnavailable("the server is busy"), TypeError("a bug")])
def test_anything_else_stops(error, engines, added):
    def fails(evidence):
        raise error

    added("tables", fails)
    with pytest.raises(type(error)):
        evaluate(DOCUMENT, Settings(methods=("page", "tables")), engines, MENTIONS)


def test_unknown_names_are_told_before_any_work(added):
    def works(evidence):
        raise AssertionError("work was done")

    added("works", works)
    with pytest.raises(UnknownPart, match="Did you mean 'recursive_600'"):
        evaluate(DOCUMENT, Settings(methods=("works", "recursive_60")))
    with pytest.raises(UnknownPart, match="Unknown metric of the strict profile 'XC'"):
        evaluate(DOCUMENT, Settings(methods=("works",), selection=SelectionRules(weights={"XC": 1})))
    with pytest.raises(UnknownPart, match="Unknown chunker 'pages'"):
        chunk(DOCUMENT, "pages")


def test_all_methods_are_tried_that_do_not_wait_to_be_named_and_each_once():
    waiting = {part.name for part in chunkers if part.traits.get("on_request")}
    assert set(methods(Settings())) == set(chunkers.names()) - waiting
    assert methods(Settings(methods=("page", "fixed", "page"))) == ("page", "fixed")


def test_mentions_come_from_the_engine_unless_given(engines):
    evaluation = evaluate(DOCUMENT, FEW, engines)
    assert evaluation.mentions.reason == "nobody looked for mentions"
    assert evaluation.selection.left_out == {"RC": "no value for any method: nobody looked for mentions"}


@pytest.mark.parametrize("profile", ["strict", "paper"])
@pytest.mark.parametrize("text", ["", " \n ", "a"])
def test_a_text_with_next_to_nothing_in_it_has_an_outcome(text, profile, engines):
    evaluation = evaluate(Document("d", text), Settings(profile=profile, chance=ChanceSettings(draws=2)), engines)
    tried = [card.method for card in evaluation.scorecards]
    assert tried == [name for name in methods(Settings()) if name not in evaluation.skipped]
    assert evaluation.selection.reason


def test_an_empty_text_has_no_chunks_whatever_the_method(engines):
    empty = Document("d", "")
    assert evaluate(empty, engines=engines).chunks() == ()
    for method in ("best", *chunkers.names()):
        assert chunk(empty, method, engines=engines) == ()


def test_the_same_document_gives_the_same_evaluation(engines):
    first, again = (evaluate(DOCUMENT, FEW, engines, MENTIONS) for _ in range(2))
    assert first.selection == again.selection
    assert first.scorecards == again.scorecards
    assert first.stages == again.stages


def test_an_embedder_that_gives_no_usable_vectors_disqualifies_and_stops_nothing(engines):
    class Empty:
        id = "empty"

        def embed(self, document):
            def vectors(starts, ends):
                raise MethodFailed(f"empty gave 0 vectors for {len(starts)} spans of {document.name!r}")

            vectors.usage = Usage()
            return vectors

    evaluation = evaluate(DOCUMENT, FEW, replace(engines, embedder=Empty()), MENTIONS)
    assert all("gave 0 vectors" in card.disqualified for card in evaluation.scorecards)
    assert evaluation.selection.best is None


def test_a_spent_budget_leaves_a_method_out_and_the_others_go_on(engines, added):
    def asks(evidence):
        raise BudgetSpent("10 calls are spent")

    added("asks", asks)
    evaluation = evaluate(DOCUMENT, Settings(methods=("page", "asks")), engines, MENTIONS)
    assert evaluation.skipped == {"asks": "10 calls are spent"}
    assert [card.method for card in evaluation.scorecards] == ["page"]


def test_an_evaluation_tells_what_its_embedder_has_read(engines):
    assert evaluate(DOCUMENT, FEW, engines, MENTIONS).usage == Usage(characters=len(TEXT))
