"""The retrieval probe as a diagnostic."""

import pytest

from chunkfit.chunking import cut_raw
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.metrics import score
from chunkfit.metrics.retrieval_probe import retrieval_probe
from chunkfit.model import Chunking, Document, Span
from chunkfit.retrieval.probe import probe
from chunkfit.settings import ChanceSettings, Settings

LETTERS = "abcdefghijklmnopqrst"
# Twenty paragraphs of eight sentences; each sentence has words of its own.
STORY = "\n\n".join(
    " ".join(f"Of {a}{b}ulmen and {a}{b}arken came {a}{b}iston, {a}{b}entil, {a}{b}orvo." for b in LETTERS[:8])
    for a in LETTERS
)


@pytest.fixture(scope="module")
def known() -> Evidence:
    return Evidence(Document("story", STORY), default_engines())


def test_recall_within_the_budget_is_worked_out_by_hand_for_one_chunk(known):
    # The only chunk is found by every query, and cut at the budget: of its n code points and t tokens the first
    # floor(n * budget / t) come back. The recall of a query is the share of its target in these.
    whole = Chunking("whole", (Span(0, len(STORY)),))
    reached = len(STORY) * 600 // known.tokens.total
    targets = [question.references[0] for question in probe(known, 100).questions]
    shares = [max(0, min(reached, target.end) - target.start) / len(target) for target in targets]
    found = retrieval_probe(whole, known, budget=600, retriever="lexical", precision=0.5)
    assert found.value == pytest.approx(sum(shares) / 100)


def test_chunks_that_bring_little_else_win_where_the_budget_is_small(known):
    small, large = (cut_raw(f"recursive[size={size}]", known) for size in (120, 1000))
    for retriever in ("lexical", "dense", "hybrid"):
        assert (
            retrieval_probe(small, known, budget=300, retriever=retriever).value
            > retrieval_probe(large, known, budget=300, retriever=retriever).value
        )


def test_more_queries_are_asked_until_the_error_is_small(known):
    chunking = cut_raw("recursive[size=300]", known)
    rough = retrieval_probe(chunking, known, budget=100, retriever="dense", precision=0.05)
    fine = retrieval_probe(chunking, known, budget=100, retriever="dense", precision=0.02)
    assert rough.error <= 0.05
    assert fine.error <= 0.02 < rough.error


def test_where_nothing_can_be_learnt_there_is_no_value(known):
    whole = Chunking("whole", (Span(0, len(STORY)),))
    assert "fits a budget of 100000" in retrieval_probe(whole, known, budget=100_000).reason
    assert retrieval_probe(Chunking("none", ()), known).reason == "there are no chunks"
    digits = Evidence(Document("digits", "12 34. " * 2000), default_engines())
    found = retrieval_probe(Chunking("whole", (Span(0, len(digits.document.text)),)), digits)
    assert found.reason == "the text has no sentences to ask for"
    with pytest.raises(ValueError, match="budget must be at least 1"):
        retrieval_probe(whole, known, budget=0)
    with pytest.raises(ValueError, match="precision must be above 0"):
        retrieval_probe(whole, known, precision=0)


def test_settings_name_it_with_its_budget_and_it_stands_beside_chance(known):
    line = "retrieval_probe[budget=300,retriever=lexical]"
    card = score(
        cut_raw("recursive[size=200]", known), known, Settings(diagnostics=(line,), chance=ChanceSettings(draws=20))
    )
    assert list(card.diagnostics) == [line]
    assert 0 < card.diagnostics[line].value < 1
    assert card.diagnostics[line].chance.draws == 5
