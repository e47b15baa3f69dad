"""A method whose engine is missing or does not answer is left out and listed; the others go on."""

from pathlib import Path

import pytest

from chunkfit.chunking import chunkers
from chunkfit.engines import Answer, Question
from chunkfit.engines.registry import chats
from chunkfit.errors import BudgetSpent, EngineUnavailable
from chunkfit.model import Chunking, Span
from chunkfit.settings import EngineSettings, Settings
from chunkfit.usage import Usage

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("prefect_api")]


class Chat:
    """Answers as often as it may."""

    id = "chat/1"

    def __init__(self, answers: int, then: EngineUnavailable) -> None:
        self.left, self.then = answers, then

    def ask(self, question):
        if not self.left:
            raise self.then
        self.left -= 1
        return Answer("ok", Usage(calls=1, tokens_in=5))


@pytest.fixture
def asking(monkeypatch):
    """asking(answers, then): settings with a method that asks a chat model which answers so often."""

    def asks(evidence):
        text = evidence.document.text
        if text:
            evidence.ask(Question("", text))
        return Chunking("asks", (Span(0, len(text)),) if text else ())

    def make(answers, then):
        from tasks import engines

        engines._for_run.cache_clear()
        engines.engines_in.cache_clear()
        monkeypatch.setattr(
            chunkers, "_parts", {name: part for name, part in chunkers._parts.items() if name != "asks"}
        )
        chunkers.register("asks", version=1, bounds_size=False, cost=4, engines=("chat",))(asks)
        monkeypatch.setattr(chats, "_parts", {})
        chat = Chat(answers, then)
        chats.register("counting", version=1)(lambda context: chat)
        return Settings(methods=("page", "asks"), engines=EngineSettings(chat="counting"))

    return make


def run(corpus: Path, settings: Settings, home: Path):
    from flows.evaluate import evaluate_corpus

    return evaluate_corpus([str(corpus)], settings, home=str(home))


def test_without_its_engine_a_method_is_left_out_of_the_run(corpus, tmp_path, asking):
    settings = asking(0, EngineUnavailable("unused")).model_copy(update={"engines": EngineSettings()})
    done = run(corpus, settings, tmp_path)
    assert done.summary.skipped == {"asks": "it needs a chat model (--chat), and none is configured"}
    assert all([card.method for card in outcome.scorecards] == ["page"] for outcome in done.outcomes)
    assert "it needs a chat model" in done.report.read_text()


def test_a_spent_budget_leaves_the_method_out_where_it_was_not_asked_yet(corpus, tmp_path, asking):
    done = run(corpus, asking(3, BudgetSpent("3 calls are spent")), tmp_path)
    competed = [len(outcome.scorecards) for outcome in done.outcomes]
    assert sorted(competed) == [1, 2, 2, 2]
    assert done.summary.skipped == {"asks": "1 document: 3 calls are spent"}
    assert (done.summary.usage.calls, done.summary.usage.tokens_in) == (3, 15)
    assert len(done.units) == 4

    # what was found stands; a run that may ask again asks for the rest alone
    again = run(corpus, asking(9, BudgetSpent("unused")), tmp_path)
    assert again.summary.skipped == {}
    assert again.summary.usage.calls == 1
    assert all(len(outcome.scorecards) == 2 for outcome in again.outcomes)


def test_a_server_that_stays_away_costs_its_method_and_no_document(corpus, tmp_path, asking, monkeypatch):
    from tasks.chunk import chunk

    monkeypatch.setattr(chunk, "retry_delay_seconds", 0)
    done = run(corpus, asking(0, EngineUnavailable("connection refused")), tmp_path)
    assert done.summary.skipped == {"asks": "4 documents: connection refused"}
    assert len(done.units) == 4
    assert done.summary.failures == ()
