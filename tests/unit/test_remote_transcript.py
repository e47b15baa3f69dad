"""A chat model is asked each question once, within a budget, and a run can be replayed from what was said."""

import json
import threading
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from fakes.openai_server import OpenAIServer, message

from chunkfit.calls import call
from chunkfit.engines import Answer, EngineContext, Question
from chunkfit.engines.registry import chats
from chunkfit.engines.remote import for_run, write_transcript
from chunkfit.engines.remote.budget import Budgeted
from chunkfit.engines.remote.exchanges import Exchange, InMemory, key_of, read
from chunkfit.engines.remote.recorded import Recorded
from chunkfit.errors import BudgetSpent, EngineUnavailable
from chunkfit.settings import Budget
from chunkfit.storage import Store
from chunkfit.usage import Usage

pytestmark = pytest.mark.slow


class Parrot:
    """Says the question, for one call and as many tokens in and out as it is told."""

    id = "parrot"

    def __init__(self, tokens_in=1, tokens_out=1, calls=1, seconds=0.0):
        self.usage = Usage(calls=calls, tokens_in=tokens_in, tokens_out=tokens_out)
        self.seconds = seconds
        self.heard = []
        self.fails = False

    def ask(self, question):
        self.heard.append(question.user)
        time.sleep(self.seconds)
        if self.fails:
            raise EngineUnavailable("asleep")
        return Answer(question.user, self.usage)


def question(user, **more):
    return Question("", user, **more)


def in_threads(count, work):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_budget_stops_before_the_call_that_is_one_too_many():
    parrot = Parrot()
    chat = Budgeted(parrot, Budget(calls=2))
    chat.ask(question("a"))
    chat.ask(question("b"))
    with pytest.raises(
        BudgetSpent, match=r"asked its chat model 2 times and used 4 tokens.*2 calls: raise budget\.calls"
    ):
        chat.ask(question("c"))
    assert parrot.heard == ["a", "b"]


def test_a_budget_of_nothing_asks_nothing():
    for budget in (Budget(calls=0), Budget(tokens=0)):
        with pytest.raises(BudgetSpent):
            Budgeted(Parrot(), budget).ask(question("a"))


def test_a_budget_stops_before_a_prompt_that_is_beyond_the_tokens_left():
    # the first takes 3 + 4 of 10 tokens; "a b c d" has 4 and would be 11 then, "a b c" has 3 and fits
    parrot = Parrot(tokens_in=3, tokens_out=4)
    chat = Budgeted(parrot, Budget(tokens=10))
    chat.ask(question("a b c"))
    with pytest.raises(BudgetSpent, match=r"no room for a prompt of 4: raise budget\.tokens"):
        chat.ask(question("a b c d"))
    chat.ask(question("a b c"))
    assert parrot.heard == ["a b c", "a b c"]


def test_answers_that_had_to_be_asked_for_again_count_as_calls():
    chat = Budgeted(Parrot(calls=3), Budget(calls=3))
    chat.ask(question("a"))
    with pytest.raises(BudgetSpent):
        chat.ask(question("b"))


def test_a_question_that_failed_counts_as_a_call_and_not_as_tokens():
    parrot = Parrot()
    chat = Budgeted(parrot, Budget(calls=2, tokens=3))
    parrot.fails = True
    with pytest.raises(EngineUnavailable):
        chat.ask(question("a b c"))
    parrot.fails = False
    chat.ask(question("a b c"))
    with pytest.raises(BudgetSpent, match="asked its chat model 2 times"):
        chat.ask(question("a"))


def test_threads_together_stay_within_a_budget():
    parrot = Parrot(seconds=0.005)
    chat, refused = Budgeted(parrot, Budget(calls=5)), []

    def work(number):
        try:
            chat.ask(question(str(number)))
        except BudgetSpent:
            refused.append(number)

    in_threads(12, work)
    assert (len(parrot.heard), len(refused)) == (5, 7)


def test_prompts_on_their_way_are_set_aside():
    # ten prompts of 3 tokens at the same time: three fit into 10, whatever the answers take afterwards
    parrot = Parrot(tokens_in=3, tokens_out=0, seconds=0.05)
    chat = Budgeted(parrot, Budget(tokens=10))

    def work(number):
        with suppress(BudgetSpent):
            chat.ask(question("a b c"))

    in_threads(10, work)
    assert len(parrot.heard) == 3


@pytest.fixture(params=["in memory", "in a store"])
def store(request, tmp_path):
    return Store(tmp_path / "store") if request.param == "in a store" else None


@pytest.fixture
def server():
    with OpenAIServer(lambda request: f"to {request.body['messages'][-1]['content']}") as running:
        yield running


def chat_on(server, store=None, more="", budget=Budget()):  # noqa: B008
    called = call(chats, f"openai[model=m,base_url={server.url}{more}]")
    return called.part.make(EngineContext(store, budget=budget), **called.settings)


def test_the_same_question_is_asked_once_and_costs_nothing_again(server, store):
    chat = chat_on(server, store)
    first, second = chat.ask(question("a")), chat.ask(question("a"))
    assert (first.text, first.usage.calls) == ("to a", 1)
    assert second == Answer("to a", Usage())
    assert len(server.requests) == 1


def test_a_later_process_asks_nothing_that_is_in_the_store(server, tmp_path):
    chat_on(server, Store(tmp_path)).ask(question("a"))
    assert chat_on(server, Store(tmp_path), budget=Budget(calls=0)).ask(question("a")).text == "to a"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "other",
    [
        question("b"),
        Question("s", "a"),
        question("a", attempt=1),
        question("a", schema={}),
        question("a", schema={"type": "object"}),
    ],
)
def test_any_other_question_is_asked(server, store, other):
    chat = chat_on(server, store)
    chat.ask(question("a"))
    chat.ask(other)
    assert len(server.requests) == 2


def test_another_model_is_asked_and_other_prices_are_no_other_model(server, tmp_path):
    store = Store(tmp_path)
    chat_on(server, store).ask(question("a"))
    chat_on(server, store, ",price_in=3,timeout=7").ask(question("a"))
    assert len(server.requests) == 1
    chat_on(server, store, ",seed=1").ask(question("a"))
    assert len(server.requests) == 2


def test_the_key_of_an_exchange_says_all_that_was_asked():
    exchange = Exchange.of("m", Question("s", "u", {"b": 1, "a": [2]}, 3), Answer("x"))
    assert exchange.key == key_of("m", Question("s", "u", {"a": [2], "b": 1}, 3))
    assert exchange.key != key_of("n", Question("s", "u", {"a": [2], "b": 1}, 3))
    assert len(exchange.key) == 64


def test_of_threads_that_ask_the_same_one_asks_the_model():
    parrot = Parrot(seconds=0.05)
    chat, got = Recorded(parrot, InMemory()), []
    in_threads(8, lambda number: got.append(chat.ask(question(f"q{number % 2}")).text))
    assert sorted(parrot.heard) == ["q0", "q1"]
    assert sorted(got) == ["q0"] * 4 + ["q1"] * 4


def test_a_question_that_failed_is_asked_again(store):
    parrot = Parrot()
    chat = Recorded(parrot, InMemory())
    parrot.fails = True
    with pytest.raises(EngineUnavailable):
        chat.ask(question("a"))
    parrot.fails = False
    assert chat.ask(question("a")).text == "a"


def test_a_run_has_its_whole_budget_and_an_empty_transcript_and_finds_earlier_answers(server, store):
    chat = chat_on(server, store, budget=Budget(calls=1))
    chat.ask(question("a"))
    with pytest.raises(BudgetSpent):
        chat.ask(question("b"))
    run = for_run(chat, Budget(calls=1))
    assert list(run.transcript()) == []
    run.ask(question("a"))
    run.ask(question("b"))
    with pytest.raises(BudgetSpent):
        run.ask(question("c"))
    assert [exchange.user for exchange in run.transcript()] == ["a", "b"]
    assert run.id == chat.id


def test_a_run_without_a_chat_model_has_no_transcript(tmp_path):
    assert for_run(None, Budget()) is None
    assert write_transcript(None, tmp_path / "t.jsonl") == 0
    assert not (tmp_path / "t.jsonl").exists()


def test_a_chat_model_of_somebody_elses_is_left_as_it_is(tmp_path):
    parrot = Parrot()
    assert for_run(parrot, Budget()) is parrot
    assert write_transcript(parrot, tmp_path / "t.jsonl") == 0


def test_a_transcript_tells_model_prompt_answer_and_usage_readably(server, store, tmp_path):
    chat, path = chat_on(server, store), tmp_path / "t.jsonl"
    chat.ask(Question("é漢", "a b", {"type": "object"}))
    chat.ask(question("c"))
    chat.ask(question("c"))
    assert write_transcript(chat, path) == 2
    first, second = path.read_text("utf-8").splitlines()
    assert json.loads(first) == {
        "hash": key_of(chat.id, Question("é漢", "a b", {"type": "object"})),
        "model": f"openai[model=m,base_url={server.url},temperature=0.0]",
        "system": "é漢",
        "user": "a b",
        "schema": {"type": "object"},
        "attempt": 0,
        "answer": "to a b",
        "usage": {"characters": 0, "texts": 0, "calls": 1, "tokens_in": 3, "tokens_out": 3, "cost": 0.0},
    }
    assert "é漢" in first
    assert json.loads(second)["schema"] is None


def recorded(server, path, *questions):
    chat = chat_on(server)
    answers = [chat.ask(one) for one in questions]
    write_transcript(chat, path)
    return chat, [answer.text for answer in answers]


def replayed(path):
    called = call(chats, f'replay[transcript="{path}"]')
    return called.part.make(EngineContext(), **called.settings)


QUESTIONS = [
    question("a"),
    question("a", attempt=1),
    Question("s", "a", {"type": "object", "é": ["x", None, 1.5]}),
    question('lone \ud800, \u2028\x85\r\n\0 and a quote "'),
]


def test_a_replay_answers_exactly_and_under_the_same_id_without_any_server(server, tmp_path):
    chat, answers = recorded(server, tmp_path / "t.jsonl", *QUESTIONS)
    asked = len(server.requests)
    again = replayed(tmp_path / "t.jsonl")
    assert again.id == chat.id
    assert [again.ask(one) for one in reversed(QUESTIONS)] == [Answer(text, Usage()) for text in reversed(answers)]
    assert len(server.requests) == asked


def test_useless_answers_are_replayed_too(server, tmp_path):
    server.script = [message("half an ans", "length")]
    _, answers = recorded(server, tmp_path / "t.jsonl", question("a"), question("a", attempt=1))
    again = replayed(tmp_path / "t.jsonl")
    assert answers == ["", "to a"]
    assert [again.ask(question("a")).text, again.ask(question("a", attempt=1)).text] == answers


def test_a_replay_names_the_exchange_that_it_lacks(server, tmp_path):
    chat, _ = recorded(server, tmp_path / "t.jsonl", question("a"))
    with pytest.raises(EngineUnavailable, match=f"no exchange {key_of(chat.id, question('b'))}"):
        replayed(tmp_path / "t.jsonl").ask(question("b"))


def test_a_replayed_run_writes_the_same_transcript(server, tmp_path):
    recorded(server, tmp_path / "t.jsonl", *QUESTIONS)
    again = for_run(replayed(tmp_path / "t.jsonl"), Budget(calls=0))
    for one in QUESTIONS:
        again.ask(one)
    write_transcript(again, tmp_path / "u.jsonl")
    assert (tmp_path / "u.jsonl").read_bytes() == (tmp_path / "t.jsonl").read_bytes()


def test_transcripts_of_several_runs_can_be_put_together(server, tmp_path):
    recorded(server, tmp_path / "t.jsonl", question("a"))
    recorded(server, tmp_path / "u.jsonl", question("b"))
    (tmp_path / "both.jsonl").write_text((tmp_path / "t.jsonl").read_text() + "\n" + (tmp_path / "u.jsonl").read_text())
    assert [replayed(tmp_path / "both.jsonl").ask(question(user)).text for user in "ab"] == ["to a", "to b"]


def test_a_transcript_that_was_changed_or_is_damaged_is_refused_by_line(server, tmp_path):
    path = tmp_path / "t.jsonl"
    recorded(server, path, question("a"), question("b"))
    lines = path.read_text("utf-8").splitlines(keepends=True)
    entry = json.loads(lines[1])
    for damaged, why in [
        (lines[1][:-20], "no exchange as transcripts hold them"),
        ("[]\n", "no exchange"),
        ("7\n", "no exchange"),
        (json.dumps({**entry, "usage": 3}), "no exchange"),
        (json.dumps({**entry, "user": 3}), "no exchange"),
        (json.dumps({**entry, "more": 3}), "no exchange"),
        (json.dumps({**entry, "user": "c"}), "not the one that was recorded"),
    ]:
        path.write_text(lines[0] + damaged, encoding="utf-8")
        with pytest.raises(ValueError, match=f"line 2: .*{why}"):
            read(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="cannot read the transcript"):
        read(path)


def test_a_transcript_of_no_model_or_of_two_is_refused(server, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("")
    with pytest.raises(ValueError, match="holds none"):
        replayed(path)
    recorded(server, path, question("a"))
    (exchange,) = read(path)
    lines = [json.loads(path.read_text())]
    lines.append({**lines[0], "model": "n", "hash": replace(exchange, model="n").key})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ValueError, match=r"those of n, openai\["):
        replayed(path)


def test_a_second_run_goes_on_where_the_first_one_had_to_stop(server, tmp_path):
    chat = chat_on(server, Store(tmp_path), budget=Budget(calls=2))
    for user in "ab":
        chat.ask(question(user))
    with pytest.raises(BudgetSpent):
        chat.ask(question("c"))
    run = for_run(chat, Budget(calls=1))
    assert [run.ask(question(user)).usage.calls for user in "abc"] == [0, 0, 1]
    assert len(server.requests) == 3
