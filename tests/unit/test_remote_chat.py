"""Questions through the real client to a local server that speaks OpenAI's chat API."""

import json
import logging

import pytest
from fakes.openai_server import (
    OpenAIServer,
    broken,
    busy,
    error,
    message,
    not_json,
    refusing,
    slow,
    truncated,
    without_usage,
)

from chunkfit.calls import call
from chunkfit.engines import EngineContext, Question
from chunkfit.engines.registry import chats
from chunkfit.engines.remote.chat import Prices, RemoteChat
from chunkfit.engines.remote.connection import Connection
from chunkfit.engines.remote.dialect import Sampling, is_closed, unfenced
from chunkfit.engines.remote.patience import Patience
from chunkfit.engines.remote.server import Server
from chunkfit.errors import EngineUnavailable, MethodFailed
from chunkfit.usage import Usage

pytestmark = pytest.mark.slow

CLOSED = {
    "type": "object",
    "properties": {"starts": {"type": "array", "items": {"type": "integer"}}},
    "required": ["starts"],
    "additionalProperties": False,
}
OPEN = {"type": "object", "properties": {"é": {"type": "string"}}}


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def chat(server):
    """chat(max_tokens=2, ...): a chat model on the local server that does not wait before it asks again."""

    def make(temperature=0.0, seed=None, max_tokens=None, prices=Prices(), timeout=10.0, attempts=3):  # noqa: B008
        patience = Patience(attempts, sleep=lambda seconds: None)
        connection = Connection(Server(server.url, timeout=timeout), "parrot", {}.get, patience=patience)
        return RemoteChat("parrot", connection, Sampling(temperature, seed, max_tokens), prices)

    return make


def bodies(server):
    return [dict(request.body) for request in server.requests]


def test_a_question_is_sent_as_it_is_and_its_answer_given_as_it_is(chat, server):
    server.answer = lambda request: " Yes.\n"
    assert chat().ask(Question("Be brief.", "Is tea hot?")).text == " Yes.\n"
    said = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Is tea hot?"}]
    assert bodies(server) == [{"model": "parrot", "messages": said, "temperature": 0}]


def test_a_question_without_a_system_prompt_has_one_message(chat, server):
    chat().ask(Question("", "Is tea hot?"))
    assert bodies(server)[0]["messages"] == [{"role": "user", "content": "Is tea hot?"}]


def test_settings_are_sent_and_the_seed_moves_with_the_attempt(chat, server):
    asked = chat(temperature=0.5, seed=7, max_tokens=20)
    asked.ask(Question("", "a"))
    asked.ask(Question("", "a", attempt=2))
    sent = [(body["temperature"], body["seed"], body["max_tokens"]) for body in bodies(server)]
    assert sent == [(0.5, 7, 20), (0.5, 9, 20)]


def test_usage_is_what_the_server_counts_and_the_prices_make_of_it(chat, server):
    server.answer = lambda request: "one two three"
    # 2 + 2 words read at 10 a million, 3 written at 100 a million: 0.00004 + 0.0003
    usage = chat(prices=Prices(10, 100)).ask(Question("be brief", "say more")).usage
    assert usage == Usage(calls=1, tokens_in=4, tokens_out=3, cost=pytest.approx(0.00034))


def test_a_server_that_tells_no_usage_is_counted_in_o200k_tokens(chat, server):
    server.always = without_usage
    usage = chat().ask(Question("a b", "c d e")).usage
    assert usage == Usage(calls=1, tokens_in=5, tokens_out=1)  # "a b", "c d e" and "yes"


def test_a_schema_is_sent_strictly_where_it_allows_nothing_else(chat, server):
    chat().ask(Question("", "a", CLOSED))
    chat().ask(Question("", "a", OPEN))
    forms = [body["response_format"]["json_schema"] for body in bodies(server)]
    assert [(form["strict"], form["schema"]) for form in forms] == [(True, CLOSED), (False, OPEN)]


@pytest.mark.parametrize(
    ("schema", "closed"),
    [
        (CLOSED, True),
        (OPEN, False),
        ({"type": "string"}, True),
        ({**CLOSED, "required": []}, False),
        ({**CLOSED, "additionalProperties": True}, False),
        ({"type": "array", "items": CLOSED}, True),
        ({"anyOf": [CLOSED, OPEN]}, False),
    ],
)
def test_a_schema_is_closed_when_all_its_objects_are(schema, closed):
    assert is_closed(schema) is closed


def test_a_server_without_schemas_is_asked_for_an_object_and_then_told_in_words_and_that_is_remembered(chat, server):
    server.always = refusing("response_format", "response_format is not supported")
    asked = chat()
    assert asked.ask(Question("Be brief.", "a", OPEN)).text == "yes"
    asked.ask(Question("", "b", OPEN))
    forms = [body.get("response_format", {}).get("type") for body in bodies(server)]
    assert forms == ["json_schema", "json_object", None, None]
    systems = [body["messages"][0]["content"] for body in bodies(server)]
    told = f"Answer with JSON alone that follows this JSON schema:\n{json.dumps(OPEN, ensure_ascii=False)}"
    assert systems == ["Be brief.", f"Be brief.\n\n{told}", f"Be brief.\n\n{told}", told]


def test_a_server_that_takes_objects_is_left_at_that(chat, server):
    server.script = [error(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported")]
    asked = chat()
    asked.ask(Question("", "a", CLOSED))
    asked.ask(Question("", "b", CLOSED))
    assert [body["response_format"]["type"] for body in bodies(server)] == ["json_schema", "json_object", "json_object"]


def test_questions_without_a_schema_never_ask_for_json(chat, server):
    chat().ask(Question("", "a"))
    assert "response_format" not in bodies(server)[0]


def test_models_that_name_the_limit_otherwise_and_take_no_temperature_or_seed_are_asked_as_they_like(chat, server):
    server.script = [
        error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        error(400, "Unsupported value: 'temperature' does not support 0 with this model."),
        error(422, "seed: extra inputs are not permitted"),
    ]
    asked = chat(seed=1, max_tokens=9)
    answer = asked.ask(Question("", "a"))
    asked.ask(Question("", "b"))
    assert (answer.text, answer.usage.calls) == ("yes", 1)
    for body in bodies(server)[3:]:
        assert set(body) == {"model", "messages", "max_completion_tokens"}


def test_a_refusal_that_nothing_can_be_taken_from_is_told(chat, server):
    server.always = error(400, "the moon is full")
    with pytest.raises(EngineUnavailable, match=r"does not take the request \(400\): the moon is full"):
        chat(max_tokens=1, seed=1).ask(Question("", "a", CLOSED))
    assert len(server.requests) == 3  # with the schema, with an object, without either


def test_what_a_refusal_was_not_about_is_asked_for_again_the_next_time(chat, server):
    server.script = [error(400, "the moon is full")] * 3
    asked = chat()
    with pytest.raises(EngineUnavailable):
        asked.ask(Question("", "a", CLOSED))
    asked.ask(Question("", "b", CLOSED))
    assert bodies(server)[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens; reduce max_tokens",
        "prompt is too long: 9000 tokens > 8192 maximum",
        "the request exceeds the available context size",
    ],
)
def test_a_prompt_above_the_models_context_fails_the_method_and_not_the_engine(chat, server, words):
    server.always = error(400, words)
    with pytest.raises(MethodFailed, match="does not take the request"):
        chat(max_tokens=9).ask(Question("", "a", CLOSED))
    assert len(server.requests) == 1


def test_a_text_against_the_servers_rules_fails_the_method_and_not_the_engine(chat, server):
    server.always = error(400, "The response was filtered due to Azure OpenAI's content management policy")
    with pytest.raises(MethodFailed, match="content management policy"):
        chat().ask(Question("", "a", CLOSED))


@pytest.mark.parametrize(
    ("misbehaviour", "warning"),
    [
        (message('{"starts": [1, 2', "length"), "cut off at max_tokens=5; raise it"),
        (message("^# ", "length"), "cut off at max_tokens=5; raise it"),
        (message("", "length"), "cut off at max_tokens=5; raise it"),
        (message(""), "is empty"),
        (message(" \n"), "is empty"),
        (message(None), "is empty"),
        (message("So", "content_filter"), "withheld (content_filter)"),
        (message(None, refusal="I cannot help with that."), "withheld (refusal)"),
    ],
)
def test_an_answer_that_is_no_whole_one_is_empty_and_the_log_says_why(chat, server, caplog, misbehaviour, warning):
    server.script = [misbehaviour]
    with caplog.at_level(logging.WARNING, "chunkfit"):
        answer = chat(max_tokens=5).ask(Question("", "a"))
    assert (answer.text, answer.usage.calls) == ("", 1)
    assert warning in caplog.text


def test_tokens_of_an_answer_that_is_no_use_are_paid_all_the_same(chat, server):
    server.script = [lambda request, reply: without_usage(request, message("a b c", "length")(request, reply))]
    assert chat().ask(Question("", "x")).usage.tokens_out == 3


@pytest.mark.parametrize(
    ("misbehaviour", "reason"),
    [
        (busy(), "429"),
        (broken, "500"),
        (truncated, "no connection"),
        (not_json, "no JSON"),
        (lambda request, reply: type(reply)({}), "no message"),
        (lambda request, reply: type(reply)({"choices": []}), "no message"),
        (lambda request, reply: type(reply)({"choices": None}), "no message"),
        (lambda request, reply: type(reply)([1]), "no message"),
        (lambda request, reply: type(reply)("yes"), "no message"),
        (lambda request, reply: type(reply)({"choices": [{"message": None}]}), "no message"),
        (lambda request, reply: type(reply)({"error": {"message": "overloaded"}}), "overloaded"),
        (message([{"type": "text", "text": "yes"}]), "no text"),
    ],
)
def test_what_may_pass_is_asked_again_and_then_told(chat, server, misbehaviour, reason):
    server.script = [misbehaviour]
    assert chat().ask(Question("", "a")).text == "yes"
    assert len(server.requests) == 2
    server.always = misbehaviour
    with pytest.raises(EngineUnavailable, match=rf"{reason}.*\(3 attempts\)"):
        chat(attempts=3).ask(Question("", "a"))
    assert len(server.requests) == 5


def test_a_slow_server_is_given_up(chat, server):
    server.always = slow(0.5)
    with pytest.raises(EngineUnavailable, match=r"did not answer within 0\.1 seconds"):
        chat(timeout=0.1, attempts=1).ask(Question("", "a"))


def test_control_characters_and_lone_surrogates_reach_the_server(chat, server):
    chat().ask(Question("\0\x1b\ud800", "é漢\u2028\udfff"))
    assert [one["content"] for one in bodies(server)[0]["messages"]] == ["\0\x1b\ufffd", "é漢\u2028\ufffd"]


def test_a_code_fence_is_taken_off_where_json_was_asked_for_and_only_there(chat, server):
    server.answer = lambda request: '```json\n{"starts": []}\n```'
    assert chat().ask(Question("", "a", CLOSED)).text == '{"starts": []}'
    assert chat().ask(Question("", "a")).text == '```json\n{"starts": []}\n```'


@pytest.mark.parametrize("text", ["```", "```json\n{}", "a ```json\n{}\n```", "{}", ""])
def test_what_is_no_fence_around_everything_stays(text):
    assert unfenced(text) == text


def made(line, **context):
    called = call(chats, line)
    return called.part.make(EngineContext(**context), **called.settings)


def test_a_chat_model_names_itself_by_all_that_changes_an_answer_and_nothing_else(server):
    line = f"openai[model=m,base_url={server.url}/,seed=3,max_tokens=9,price_in=1,price_out=2,timeout=5]"
    assert made(line).id == f"openai[model=m,base_url={server.url},temperature=0.0,seed=3,max_tokens=9]"
    assert made("openai[model=m]").id == "openai[model=m,temperature=0.0]"
    azure = "azure_openai[model=m,endpoint=https://x.openai.azure.com]"
    assert made(azure).id == "azure_openai[model=m,endpoint=https://x.openai.azure.com,temperature=0.0]"


def test_azure_is_asked_by_deployment_version_and_its_own_header(server):
    line = f"azure_openai[model=mine,endpoint={server.root}/,api_version=2025-01-01-preview,key=MY_KEY]"
    assert made(line, secret={"MY_KEY": "k-1234567"}.get).ask(Question("", "a")).text == "yes"
    (request,) = server.requests
    assert request.path == "/openai/deployments/mine/chat/completions?api-version=2025-01-01-preview"
    assert request.headers["api-key"] == "k-1234567"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("openai", "name the model"),
        ("openai[model=m,temperature=-0.1]", "temperature must be from 0 to 2"),
        ("openai[model=m,temperature=nan]", "temperature must be from 0 to 2"),
        ("openai[model=m,max_tokens=0]", "max_tokens must be at least 1"),
        ("openai[model=m,price_out=-1]", "price_out must be at least 0"),
        ("openai[model=m,timeout=-1]", "timeout must be above 0"),
        ("azure_openai[model=m]", "endpoint=https://NAME"),
        ("replay", "replay needs a file"),
        ("replay[transcript=/no/such/file.jsonl]", "cannot read the transcript /no/such/file.jsonl"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_asked(line, reason):
    with pytest.raises(ValueError, match=reason):
        made(line)
