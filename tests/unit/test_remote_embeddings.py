"""Vectors through the real client from a local server that speaks OpenAI's embeddings API."""

import threading

import numpy as np
import pytest
from fakes.openai_server import (
    OpenAIServer,
    at_most,
    busy,
    error,
    extra_item,
    index_twice,
    missing_item,
    not_json,
    numbers,
    out_of_order,
    refusing,
    slow,
    truncated,
    unlike,
    vector,
    without_index,
    without_usage,
)

from chunkfit.calls import call
from chunkfit.engines import EngineContext
from chunkfit.engines.registry import embedders
from chunkfit.engines.remote.batches import batches
from chunkfit.engines.remote.connection import Connection
from chunkfit.engines.remote.embeddings import Reading, RemoteTextModel
from chunkfit.engines.remote.patience import Patience
from chunkfit.engines.remote.server import Server
from chunkfit.engines.remote.windows import pooled, windows
from chunkfit.errors import EngineUnavailable
from chunkfit.model import Document
from chunkfit.tokens import TokenIndex
from chunkfit.usage import Usage

pytestmark = pytest.mark.slow

USUAL = {
    "dimensions": None,
    "batch_size": 64,
    "max_batch_tokens": 100_000,
    "max_tokens": 8000,
    "concurrency": 1,
    "price": 0.0,
}


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def model(server):
    """model(batch_size=2, ...): a text model on the local server that does not wait before it asks again."""

    def make(*, timeout=10.0, attempts=3, **settings):
        reading = Reading(**{**USUAL, **settings})
        patience = Patience(attempts, sleep=lambda seconds: None)
        connection = Connection(Server(server.url, timeout=timeout), "letters", {}.get, reading.concurrency, patience)
        return RemoteTextModel("letters", connection, reading)

    return make


def rows(*texts):
    return np.array([vector(text) for text in texts], np.float32)


def test_a_row_per_text_in_order(model):
    assert np.array_equal(
        model().vectors(["a", "bb", "abc"]).vectors, [[1, 0, 0, 0, 1], [0, 2, 0, 0, 1], [1, 1, 1, 0, 1]]
    )


def test_no_texts_have_no_vectors_and_no_request(model, server):
    embedded = model().vectors([])
    assert (len(embedded.vectors), embedded.usage, server.requests) == (0, Usage(), [])


def test_a_request_holds_no_more_texts_than_a_batch(model, server):
    embedded = model(batch_size=2).vectors(["a", "b", "c", "d", "aa"])
    assert server.texts == [["a", "b"], ["c", "d"], ["aa"]]
    assert np.array_equal(embedded.vectors, rows("a", "b", "c", "d", "aa"))


def test_a_request_holds_no_more_tokens_than_a_batch(model, server):
    # "a b c" has three tokens, "a" one: three and one fit into four, and one more does not
    model(max_batch_tokens=4).vectors(["a b c", "a", "a"])
    assert server.texts == [["a b c", "a"], ["a"]]


def test_batches_are_runs_of_neighbours_within_both_limits():
    # 5 alone is above 4 tokens, and goes alone; then 1 + 2, since 1 + 2 + 2 is above 4; then 2 + 1 + 1
    found = [(one.start, one.stop) for one in batches([5, 1, 2, 2, 1, 1, 1], most=3, most_tokens=4)]
    assert found == [(0, 1), (1, 3), (3, 6), (6, 7)]


def test_usage_counts_what_was_read_asked_and_paid(model):
    # 3 texts of 1, 3 and 5 characters in 2 requests; the server counts words: 1 + 2 + 3; 6 tokens at 1000 a million
    embedded = model(batch_size=2, price=1000.0).vectors(["a", "b c", "a b c"])
    assert embedded.usage == Usage(characters=9, texts=3, calls=2, tokens_in=6, cost=0.006)


def test_a_server_that_tells_no_usage_is_counted_in_o200k_tokens(model, server):
    server.always = without_usage
    assert model().vectors(["a b c", "a"]).usage.tokens_in == 4


def test_base64_is_asked_for_and_numbers_are_taken_as_well(model, server):
    assert np.array_equal(model().vectors(["abc"]).vectors, rows("abc"))
    server.base64 = False
    assert np.array_equal(model().vectors(["abc"]).vectors, rows("abc"))
    assert [request.body["encoding_format"] for request in server.requests] == ["base64", "base64"]


def test_a_server_that_refuses_base64_is_asked_for_numbers_from_then_on(model, server):
    server.script = [refusing("encoding_format", "encoding_format: extra inputs are not permitted", 422)]
    asked = model()
    assert np.array_equal(asked.vectors(["a"]).vectors, rows("a"))
    asked.vectors(["b"])
    assert [request.body["encoding_format"] for request in server.requests] == ["base64", "float", "float"]


def test_whole_numbers_are_vectors(model, server):
    server.always = numbers(3, -4)
    assert np.array_equal(model().vectors(["a"]).vectors, [[3, -4]])


def test_vectors_go_to_their_texts_by_index(model, server):
    server.always = out_of_order
    assert np.array_equal(model().vectors(["a", "b", "c"]).vectors, rows("a", "b", "c"))


def test_dimensions_are_asked_for(model, server):
    assert model(dimensions=2).vectors(["aab"]).vectors.tolist() == [[2, 1]]
    assert server.requests[0].body["dimensions"] == 2


@pytest.mark.parametrize(
    ("misbehaviour", "reason"),
    [
        (missing_item, "1 vectors for 2 texts"),
        (extra_item, "3 vectors for 2 texts"),
        (index_twice, "indices 0 to 1, each once"),
        (without_index, "indices 0 to 1, each once"),
        (unlike(lambda items: [{**items[0], "index": [0]}, items[1]]), "indices 0 to 1, each once"),
        (unlike(lambda items: [items[0], {**items[1], "index": 7}]), "indices 0 to 1, each once"),
        (unlike(lambda items: ["a vector", "another"]), "indices 0 to 1, each once"),
        (unlike(lambda items: [items[0], {"index": 1, "embedding": [1.0]}]), "different lengths"),
        (numbers(1.0, float("nan")), "not finite"),
        (numbers(1.0, float("inf")), "not finite"),
        (numbers(1.0, 1e300), "not finite"),
        (numbers(), "no list of numbers"),
        (numbers([1.0], [2.0]), "no list of numbers"),
        (numbers("a", None), "no list of numbers"),
        (unlike(lambda items: [{**item, "embedding": "?!"} for item in items]), "no list of numbers"),
        (unlike(lambda items: [{**item, "embedding": None} for item in items]), "no list of numbers"),
        (not_json, "no JSON"),
        (lambda request, reply: type(reply)([]), "no list of vectors"),
        (lambda request, reply: type(reply)({"data": None}), "no list of vectors"),
        (lambda request, reply: type(reply)(b""), "0 bytes that are no JSON"),
        (lambda request, reply: type(reply)(b"\xff\xfe"), "no JSON"),
        (truncated, "no connection"),
    ],
)
def test_anything_but_one_finite_vector_a_text_is_asked_for_again_and_then_refused(model, server, misbehaviour, reason):
    server.script = [misbehaviour]
    assert np.array_equal(model().vectors(["a", "b"]).vectors, rows("a", "b"))
    assert len(server.requests) == 2
    server.always = misbehaviour
    with pytest.raises(EngineUnavailable, match=reason) as problem:
        model(attempts=3).vectors(["a", "b"])
    assert len(server.requests) == 5
    assert "(3 attempts)" in str(problem.value)


def test_a_text_that_is_no_json_type_of_answer_is_refused_too(model, server):
    html = {"Content-Type": "text/html"}
    server.always = lambda request, reply: type(reply)(b"<html>sign in</html>", headers=html)
    with pytest.raises(EngineUnavailable, match="20 bytes that are no JSON"):
        model().vectors(["a"])


def test_answers_that_could_not_be_used_count_as_calls(model, server):
    server.script = [missing_item, busy(), missing_item]
    assert model(attempts=4).vectors(["a", "b"]).usage.calls == 3


def test_another_dimension_than_was_asked_for_names_the_setting(model, server):
    server.always = numbers(1.0, 2.0, 3.0)
    with pytest.raises(EngineUnavailable, match=r"3 dimensions instead of 2.*the setting dimensions"):
        model(dimensions=2).vectors(["a"])


def test_the_dimension_stays_the_same_from_request_to_request(model, server):
    server.script = [numbers(1.0, 2.0)]
    with pytest.raises(EngineUnavailable, match="5 dimensions after some of 2"):
        model(batch_size=1).vectors(["a", "b"])


def test_a_wrong_answer_is_no_measure_for_later_ones(model, server):
    asked = model(attempts=1, dimensions=5)
    server.script = [numbers(1.0, 2.0)]
    with pytest.raises(EngineUnavailable):
        asked.vectors(["a"])
    assert np.array_equal(asked.vectors(["a"]).vectors, rows("a"))


def test_no_more_requests_wait_at_once_than_allowed_whatever_threads_there_are(model, server):
    server.always = slow(0.02)
    asked = model(batch_size=1, concurrency=2)
    texts = [letter * times for letter in "abcd" for times in (1, 2, 3)]
    got = []
    threads = [threading.Thread(target=lambda: got.append(asked.vectors(texts).vectors)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 2 and all(np.array_equal(one, rows(*texts)) for one in got)
    assert server.most_at_once == 2
    assert len(server.requests) == 24


def test_the_first_failure_stops_what_has_not_begun(model, server):
    server.always = error(401, "no")
    with pytest.raises(EngineUnavailable, match="401"):
        model(batch_size=1, concurrency=2).vectors(["a"] * 100)
    assert len(server.requests) < 100


def test_a_server_that_is_slower_than_the_timeout_is_given_up_and_named(model, server):
    server.always = slow(0.5)
    with pytest.raises(EngineUnavailable, match=r"did not answer within 0\.1 seconds; raise timeout \(2 attempts\)"):
        model(timeout=0.1, attempts=2).vectors(["a"])


def test_a_text_above_the_models_length_is_read_in_windows_weighted_by_their_tokens(model, server):
    # "a b c" has 3 tokens and " a" has 1: (3 * [1, 1, 1, 0, 1] + 1 * [1, 0, 0, 0, 1]) / 4
    embedded = model(max_tokens=3).vectors(["a b c a", "d"])
    assert embedded.vectors.tolist() == [[1, 0.75, 0.75, 0, 1], vector("d")]
    assert server.texts == [["a b c", " a", "d"]]
    assert (embedded.usage.texts, embedded.usage.characters) == (2, 8)


@pytest.mark.parametrize(
    "text",
    [
        "word " * 900,
        "word" * 5000,
        "\n\n".join(["Ein Satz."] * 300),
        "👩‍👩‍👧‍👦" * 300,
        "ก็ไม่" * 900,
        "a" + "\u0301" * 3000,
        " \t" * 900 + "a",
    ],
    ids=["words", "one word", "lines", "emoji", "thai", "one cluster", "blanks"],
)
def test_windows_tile_the_visible_text_within_the_limit(text):
    found = windows(text, 100)
    assert "".join("".join(window.text for window in found).split()) == "".join(text.split())
    assert all(0 < TokenIndex(window.text).total == window.tokens <= 100 for window in found)
    assert not any(window.text.isspace() for window in found)


def test_windows_do_not_tear_a_grapheme_cluster_apart():
    family = "👩‍👩‍👧‍👦"
    assert all(set(window.text.split(family)) == {""} for window in windows(family * 50, 40))


def test_a_limit_below_one_character_still_moves_on():
    assert "".join(window.text for window in windows("𓀀𓀁", 1)) == "𓀀𓀁"


def test_one_window_alone_keeps_its_vector_to_the_last_bit():
    only = np.array([[0.1, 0.7]], np.float32)
    assert pooled(only, [3]) is not None and np.array_equal(pooled(only, [3]), only[0])


def test_a_server_that_finds_a_batch_too_large_gets_it_in_halves(model, server):
    server.always = at_most(texts=2)
    texts = ["a", "b", "c", "d", "aa"]
    assert np.array_equal(model().vectors(texts).vectors, rows(*texts))
    assert [len(sent) for sent in server.texts] == [5, 2, 3, 1, 2]


def test_a_server_that_finds_a_text_too_long_gets_it_in_windows(model, server):
    # 40 tokens for a server that reads 16 words: halves of 20 are too long as well, quarters of 10 are not;
    # two of the quarters hold ten a, two ten b, and all weigh the same: (10 + 10 + 0 + 0) / 4
    server.always = at_most(words=16)
    text = "a" + " a" * 19 + " b" * 20
    assert model().vectors(["c", text]).vectors.tolist() == [vector("c"), [5, 5, 0, 0, 1]]
    halves = [[text[:39]], [text[:19]], [text[19:39]], [text[39:]], [text[39:59]], [text[59:]]]
    assert server.texts == [["c", text], ["c"], [text], *halves]


def test_a_request_that_is_refused_for_its_length_whatever_it_holds_comes_to_an_end(model, server):
    server.always = error(400, "This model's maximum context length is 0 tokens")
    with pytest.raises(EngineUnavailable, match=r"does not take the request.*maximum context length"):
        model().vectors(["a b " * 100])
    assert len(server.requests) < 20


def test_a_refusal_for_any_other_reason_is_not_asked_again(model, server):
    server.always = error(400, "input must be English")
    with pytest.raises(EngineUnavailable, match=r"does not take the request \(400\): input must be English"):
        model().vectors(["a", "b"])
    assert len(server.requests) == 1


def test_control_characters_and_lone_surrogates_reach_the_server(model, server):
    model().vectors(["\0\x1b\u2028\x7f", "x\ud800y\udfff", "👍🏽 é漢"])
    assert server.texts == [["\0\x1b\u2028\x7f", "x\ufffdy\ufffd", "👍🏽 é漢"]]


def test_special_tokens_are_text(model, server):
    model().vectors(["x <|endoftext|> y"])
    assert server.texts == [["x <|endoftext|> y"]]


def made(line, **context):
    called = call(embedders, line)
    return called.part.make(EngineContext(**context), **called.settings)


def test_an_embedder_gives_vectors_of_spans_and_reads_each_text_once(server):
    embedder = made(f"openai[model=letters,base_url={server.url}]")
    vectors = embedder.embed(Document("d", "ab ab cc"))
    found = vectors(np.array([0, 3, 6]), np.array([2, 5, 8]))
    expected = rows("ab", "ab", "cc")
    assert np.allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert server.texts == [["ab", "cc"]]
    assert vectors.usage == Usage(characters=4, texts=2, calls=1, tokens_in=2)


def test_an_embedder_names_itself_by_all_that_changes_a_vector_and_nothing_else(server):
    line = f"openai[model=letters,base_url={server.url}/,dimensions=3,batch_size=7,concurrency=2,price=1,timeout=5]"
    assert made(line).id == f"openai[model=letters,base_url={server.url},dimensions=3,max_tokens=8000]"
    assert made("openai[model=m]").id == "openai[model=m,max_tokens=8000]"
    azure = "azure_openai[model=m,endpoint=https://x.openai.azure.com/]"
    assert made(azure).id == "azure_openai[model=m,endpoint=https://x.openai.azure.com,max_tokens=8000]"


def test_azure_is_asked_by_deployment_version_and_its_own_header(server):
    line = f"azure_openai[model=mine,endpoint={server.root},api_version=2024-10-21]"
    made(line, secret={"AZURE_OPENAI_API_KEY": "k-1234567"}.get).embed(Document("d", "ab"))(
        np.array([0]), np.array([2])
    )
    (request,) = server.requests
    assert request.path == "/openai/deployments/mine/embeddings?api-version=2024-10-21"
    assert request.headers["api-key"] == "k-1234567"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("openai", "name the model, for instance openai"),
        ("azure_openai[model=m]", "endpoint=https://NAME"),
        ("azure_openai[endpoint=https://x.openai.azure.com]", "name the model, for instance azure_openai"),
        ("openai[model=m,batch_size=0]", "batch_size must be at least 1, got 0"),
        ("openai[model=m,max_batch_tokens=0]", "max_batch_tokens must be at least 1"),
        ("openai[model=m,concurrency=0]", "concurrency must be at least 1"),
        ("openai[model=m,max_tokens=-1]", "max_tokens must be at least 1, got -1"),
        ("openai[model=m,dimensions=0]", "dimensions must be at least 1"),
        ("openai[model=m,price=-1]", "price must be at least 0"),
        ("openai[model=m,price=nan]", "price must be at least 0"),
        ("openai[model=m,timeout=0]", "timeout must be above 0"),
        ("openai[model=m,timeout=inf]", "timeout must be above 0"),
        ("openai[model=m,base_url=localhost:11434]", "begins with http"),
        ("openai[model=m,base_url=https://]", "begins with http"),
        ("openai[model=m,base_url=https://host:port/v1]", "begins with http"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_asked(line, reason):
    with pytest.raises(ValueError, match=reason):
        made(line)
