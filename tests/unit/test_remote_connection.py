"""What happens between here and a server: waiting, giving up, proxies, and words that tell what to do."""

import threading

import pytest
from fakes.openai_server import OpenAIServer, broken, busy, error, slow, truncated, unauthorized, unknown_model

from chunkfit.engines.remote.connection import Connection
from chunkfit.engines.remote.failures import Refused
from chunkfit.engines.remote.patience import Patience, asked_pause
from chunkfit.engines.remote.server import Server
from chunkfit.errors import EngineRefused, EngineUnavailable

pytestmark = pytest.mark.slow


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


class Asked:
    """One request after the other to a local server, with pauses written down instead of waited for."""

    def __init__(self, server, attempts=4, key=None, secrets=None, url=None, timeout=10.0):
        self.pauses = []
        patience = Patience(attempts, sleep=self.pauses.append, chance=lambda: 0.0)
        where = Server(url or server.url, key, timeout=timeout)
        self.connection = Connection(where, "letters", (secrets or {}).get, patience=patience)

    def __call__(self):
        return self.connection.ask(
            lambda client: client.embeddings.with_raw_response.create(model="letters", input=["a"]),
            lambda payload: len(payload["data"]),
        )


def reason(asked):
    with pytest.raises(EngineUnavailable) as problem:
        asked()
    return str(problem.value)


def test_a_busy_server_is_asked_again_after_twice_as_long_each_time(server):
    server.script = [busy(), broken, busy()]
    asked = Asked(server)
    assert asked().value == 1
    assert (len(server.requests), asked.pauses) == (4, [0.5, 1.0, 2.0])


def test_attempts_are_bounded(server):
    server.always = busy()
    asked = Asked(server, attempts=3)
    assert "takes no more requests at the moment (429): Rate limit reached (3 attempts)" in reason(asked)
    assert (len(server.requests), asked.pauses) == (3, [0.5, 1.0])


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_asked_again(server, status):
    server.script = [error(status, "later")]
    assert Asked(server)().calls == 1
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 413, 422])
def test_what_will_not_pass_is_not_asked_again(server, status):
    server.always = error(status, "never")
    assert f"({status})" in reason(Asked(server))
    assert len(server.requests) == 1


def test_the_pause_that_a_server_asks_for_is_kept(server):
    server.script = [busy("7"), busy("0"), error(503, "later", Retry_After="0.25")]
    asked = Asked(server)
    asked()
    assert asked.pauses == [7.0, 1.0, 2.0]  # and never less than our own


def test_a_server_that_asks_for_too_long_a_pause_is_given_up_at_once(server):
    server.always = busy("3600")
    asked = Asked(server)
    assert "asks to wait 3600 seconds" in reason(asked)
    assert (len(server.requests), asked.pauses) == (1, [])


def test_an_account_without_credit_is_given_up_at_once(server):
    server.always = error(429, "You exceeded your current quota", code="insufficient_quota")
    assert "no credit left" in reason(Asked(server))
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 40.0),  # now is second 60
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_the_asked_pause_is_read_in_all_its_spellings(headers, seconds):
    assert asked_pause(headers, now=60.0) == seconds


def test_a_pause_grows_to_a_bound_with_up_to_half_more_by_chance():
    patience = Patience(attempts=10, first=0.5, longest=20.0, chance=lambda: 1.0)
    assert [patience.pause(attempt) for attempt in (1, 2, 3, 7, 9)] == [0.75, 1.5, 3.0, 30.0, 30.0]
    assert patience.pause(10) is None
    assert patience.pause(1, asked=60.0) == 90.0
    assert patience.pause(1, asked=60.1) is None


def test_a_body_that_breaks_off_is_asked_for_again(server):
    server.script = [truncated]
    assert Asked(server)().value == 1
    assert len(server.requests) == 2


def test_no_server_at_all_is_told_with_its_address(server):
    with OpenAIServer() as gone:
        url = gone.url
    assert f"no connection to {url}" in reason(Asked(server, attempts=2, url=url))


def test_a_refused_key_names_the_variable_that_holds_it(server):
    server.always = unauthorized
    told = reason(Asked(server, key="MY_KEY", secrets={"MY_KEY": "sk-0123456789abcdef"}))
    assert "does not accept the key in MY_KEY (401)" in told


def test_a_server_that_wants_a_key_and_was_given_none_says_how_to_give_one(server):
    server.always = unauthorized
    assert "wants a key (401): name the environment variable that holds it, key=NAME" in reason(Asked(server))


def test_a_forbidden_model_names_model_and_variable(server):
    server.always = error(403, "Project has no access")
    told = reason(Asked(server, key="MY_KEY", secrets={"MY_KEY": "sk-0123456789abcdef"}))
    assert "does not allow the key in MY_KEY to use the model 'letters' (403): Project has no access" in told


def test_an_unknown_model_or_address_names_both(server):
    server.always = unknown_model
    told = reason(Asked(server))
    assert f"has no model 'letters', or its API is not at the address {server.url} (404)" in told


def test_a_request_that_is_not_taken_can_be_told_from_a_server_that_is_not_there(server):
    server.always = error(400, "input is too long")
    with pytest.raises(Refused) as problem:
        Asked(server)()
    assert problem.value.failure.is_too_large


def test_a_missing_key_is_told_before_anything_is_sent(server):
    assert "set the environment variable MY_KEY" in reason(Asked(server, key="MY_KEY"))
    assert "set the environment variable MY_KEY" in reason(Asked(server, key="MY_KEY", secrets={"MY_KEY": " \n"}))
    assert server.requests == []


def test_a_key_loses_the_line_end_that_files_add(server):
    Asked(server, key="MY_KEY", secrets={"MY_KEY": "sk-0123456789abcdef\r\n"})()
    assert server.requests[0].headers["authorization"] == "Bearer sk-0123456789abcdef"


def test_a_server_without_a_key_is_not_sent_one_of_the_environment(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    Asked(server)()
    assert "0123456789abcdef" not in str(server.requests[0].headers)


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(server, monkeypatch, name):
    with OpenAIServer() as proxy:
        monkeypatch.setenv(name, proxy.root)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        Asked(server)()
        assert (len(server.requests), len(proxy.requests)) == (1, 0)


def test_a_proxy_of_the_environment_is_asked_for_other_machines(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", server.root)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert Asked(server, url="http://models.example/v1")().value == 1
    assert [request.path for request in server.requests] == ["http://models.example/v1/embeddings"]


def test_threads_share_a_connection(server):
    server.always = slow(0.01)
    asked, got = Asked(server), []
    threads = [threading.Thread(target=lambda: got.append(asked().value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [1] * 8


@pytest.mark.parametrize(
    "misbehaviour", [unauthorized, unknown_model, error(403, "no"), error(429, "insufficient_quota")]
)
def test_what_somebody_has_to_change_first_is_not_worth_a_later_try(server, misbehaviour):
    server.always = misbehaviour
    with pytest.raises(EngineRefused):
        Asked(server, key="KEY", secrets={"KEY": "letters"})()
    assert len(server.requests) == 1


def test_a_server_that_stays_busy_may_answer_later(server):
    server.always = busy()
    with pytest.raises(EngineUnavailable) as problem:
        Asked(server, attempts=2)()
    assert not isinstance(problem.value, EngineRefused)
