"""A whole evaluation on remote engines: asked once, recorded, and replayed without any server."""

import pytest
from fakes.chat import RuleChat
from fakes.openai_server import OpenAIServer, Request

from chunkfit import Document, evaluate
from chunkfit.engines import EngineContext, Question, engines
from chunkfit.engines.remote import write_transcript
from chunkfit.settings import EngineSettings, Settings
from chunkfit.storage import Store

TEXT = "\n\n".join(
    f"# Part {part}\n\n"
    + " ".join(f"Sentence {number} tells of tea, part {part}. 👩‍👩‍👧‍👦 ก็ไม่ \ud800." for number in range(9))
    for part in range(4)
)


def by_rule(request: Request) -> str:
    schema = request.body["response_format"]["json_schema"]["schema"]
    return RuleChat().ask(Question("", request.body["messages"][-1]["content"], schema)).text


@pytest.fixture
def server():
    with OpenAIServer(by_rule) as running:
        yield running


def settings(server, chat):
    methods = ("recursive_600", "semantic", "llm_regex", "agentic")
    return Settings(
        methods=methods, engines=EngineSettings(embedder=f"openai[model=letters,base_url={server.url}]", chat=chat)
    )


def test_a_run_is_replayed_exactly_from_its_transcript_and_its_stored_vectors(server, tmp_path):
    document, store = Document("tea", TEXT), Store(tmp_path / "store")
    live = settings(server, f"openai[model=rules,base_url={server.url}]")
    with_server = engines(live.engines, EngineContext(store))
    first = evaluate(document, live, with_server)
    said = write_transcript(with_server.chat, tmp_path / "transcript.jsonl")
    asked = len(server.requests)
    assert not any(one.fallback for stages in first.stages.values() for one in stages)
    assert said == sum("messages" in request.body for request in server.requests) > 1
    sent = [text for texts in server.texts for text in texts]
    assert len(sent) == len(set(sent)) > 10  # each text once, whichever method or metric wants it

    replay = settings(server, f'replay[transcript="{tmp_path / "transcript.jsonl"}"]')
    offline = engines(replay.engines, EngineContext(store))
    second = evaluate(document, replay, offline)
    assert len(server.requests) == asked
    assert offline.chat.id == with_server.chat.id
    assert (second.stages, second.scorecards, second.selection) == (first.stages, first.scorecards, first.selection)
