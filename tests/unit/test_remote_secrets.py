"""A key is in the request's header and nowhere else, whatever a server says and whoever looks."""

import logging
import pickle
import traceback

import pytest
from fakes.openai_server import OpenAIServer, Reply, error, secret_key, truncated, unauthorized

from chunkfit.calls import call
from chunkfit.engines import EngineContext, Question
from chunkfit.engines.registry import chats, embedders
from chunkfit.engines.remote import write_transcript
from chunkfit.engines.remote.connection import Connection
from chunkfit.engines.remote.patience import Patience
from chunkfit.engines.remote.redaction import redacted
from chunkfit.engines.remote.server import Server
from chunkfit.errors import EngineUnavailable
from chunkfit.model import Document
from chunkfit.storage import Store

pytestmark = pytest.mark.slow

KEY = secret_key("a test")
SHOWN = 8  # characters of the key in a row that nothing may show


def shows(text: str) -> bool:
    secret = KEY.removeprefix("sk-proj-")
    return any(secret[i : i + SHOWN] in text for i in range(len(secret) - SHOWN + 1)) or "sk-proj-" in text


def everything_of(problem: BaseException) -> str:
    """All that a traceback, a logger or a debugger can reach from an exception."""
    seen, left, parts = set(), [problem], []
    while left:
        one = left.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        left += [one.__cause__, one.__context__]
        parts += [str(one), repr(one), repr(vars(one)), *traceback.format_exception(one)]
    return "\n".join(parts)


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def context(tmp_path):
    return EngineContext(Store(tmp_path / "store"), {"MY_KEY": KEY}.get)


def made(registry, name, server, context):
    where = f"endpoint={server.root}" if name == "azure_openai" else f"base_url={server.url}"
    called = call(registry, f"{name}[model=letters,{where},key=MY_KEY]")
    return called.part.make(context, **called.settings)


def parts_of(engine):
    """The engine and all that it is made of, as far as this package is concerned."""
    found = [engine]
    for one in found:
        for part in getattr(one, "__dict__", {}).values():
            if type(part).__module__.startswith("chunkfit.engines") and part not in found:
                found.append(part)
    return found


def without_pauses(engine):
    (connection,) = [part for part in parts_of(engine) if isinstance(part, Connection)]
    connection._patience = Patience(attempts=2, sleep=lambda seconds: None)
    return engine


def ask(engine):
    if hasattr(engine, "ask"):
        engine.ask(Question("", "abc"))
    else:
        import numpy as np

        engine.embed(Document("d", "abc"))(np.array([0]), np.array([3]))


def echoing(status):
    """Repeats the whole key."""

    def misbehave(request, reply):
        sent = request.headers.get("authorization", request.headers.get("api-key"))
        return error(status, f"I got {sent} from you, that is {sent[-20:]}")(request, reply)

    return misbehave


def in_the_answer(request, reply):
    return Reply({"error": {"message": f"your key {request.headers.get('authorization')}"}})


ENGINES = [(chats, "openai"), (chats, "azure_openai"), (embedders, "openai"), (embedders, "azure_openai")]


@pytest.mark.parametrize(("registry", "name"), ENGINES)
@pytest.mark.parametrize(
    "misbehaviour",
    [unauthorized, *map(echoing, [400, 401, 403, 404, 418, 422]), in_the_answer, truncated],
    ids=["401 masked", "400", "401", "403", "404", "418", "422", "answer", "truncated"],
)
def test_a_key_is_in_no_exception_and_no_log(registry, name, misbehaviour, server, context, caplog):
    server.always = misbehaviour
    engine = without_pauses(made(registry, name, server, context))
    for logger in ("", "openai", "httpx", "httpx2", "httpcore", "httpcore2"):
        caplog.set_level(logging.DEBUG, logger)
    with pytest.raises(EngineUnavailable) as problem:
        ask(engine)
    assert any(KEY in str(request.headers) for request in server.requests)
    assert not shows(everything_of(problem.value))
    assert caplog.records and not shows(caplog.text)


@pytest.mark.parametrize(("registry", "name"), ENGINES)
def test_a_key_is_in_no_id_repr_log_or_file(registry, name, server, context, caplog, tmp_path):
    caplog.set_level(logging.DEBUG)
    engine = made(registry, name, server, context)
    ask(engine)
    assert KEY in str(server.requests[0].headers)
    inside = parts_of(engine)
    assert any(isinstance(part, Connection) for part in inside)
    assert not shows(f"{engine.id} {inside} {[str(part) for part in inside]} {caplog.text}")
    write_transcript(engine, tmp_path / "transcript.jsonl")
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not any(shows(content.decode("utf-8", "replace")) for content in files)


def test_a_server_is_shown_and_pickled_with_the_name_of_its_key_alone():
    server = Server("https://api.example/v1", "MY_KEY")
    assert "MY_KEY" in repr(server) and not shows(f"{server!r} {pickle.dumps(server)!r}")


@pytest.mark.parametrize("held", [f"{KEY}\nX-Other: 1", f"Bearer {KEY}", f"{KEY}é"])
def test_what_no_header_can_carry_is_refused_without_being_shown(held, server):
    engine = made(chats, "openai", server, EngineContext(secret={"MY_KEY": held}.get))
    with pytest.raises(EngineUnavailable, match="what MY_KEY holds is no key") as problem:
        ask(engine)
    assert not shows(everything_of(problem.value)) and server.requests == []


@pytest.mark.parametrize("url", [f"https://me:{KEY}@api.example/v1", f"https://api.example/v1?api-key={KEY}"])
def test_an_address_that_holds_a_key_is_refused_without_being_shown(url):
    with pytest.raises(ValueError, match="name its key with key=VARIABLE") as problem:
        Server(url)
    assert not shows(everything_of(problem.value))


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("key abcdefgh12345678 is wrong", "key [key] is wrong"),
        ("it ends in 345678", "it ends in [key]"),
        ("it begins with abcdef...", "it begins with [key]..."),
        ("Incorrect key: ab***78.", "Incorrect key: [key]"),
        ("a line\n and\tanother", "a line and another"),
        ("45678 is too short to tell", "45678 is too short to tell"),
    ],
)
def test_parts_of_a_key_and_masked_words_are_taken_out_of_messages(message, shown):
    assert redacted(message, "abcdefgh12345678") == shown


def test_messages_of_servers_without_a_key_stay():
    assert redacted("model not loaded", None) == "model not loaded"


@pytest.mark.parametrize(
    "key",
    [
        secret_key("placed"),
        "sk-abc",
        "0123456789abcdef0123456789abcdef",
        "eyJhbGciOi.JIUzI1.NiIs",
        "two words",
        "a" * 65,
    ],
)
def test_a_key_in_place_of_its_name_is_refused_unseen(key):
    with pytest.raises(ValueError, match="name of the environment variable") as problem:
        Server("http://127.0.0.1:9/v1", key)
    assert key not in str(problem.value)


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "_k1", "openai-api-key", "KEY_2024", None])
def test_names_of_variables_and_of_prefect_secrets_are_names_of_keys(name):
    assert Server("http://127.0.0.1:9/v1", name).key == name
