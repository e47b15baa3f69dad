"""A server on this machine that speaks OpenAI's API, with models as plain as can be, and misbehaves on demand.

Each request is answered by the next misbehaviour of the script, and as usual once the script is at its end:

    with OpenAIServer() as server:
        server.script = [busy(), truncated]
        ...
        assert len(server.requests) == 3
"""

import base64
import hashlib
import json
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LETTERS = "abcd"


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]  # names in lower case
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    body: Any  # JSON, or bytes as they are
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0  # before anything is sent
    cut: bool = False  # the connection closes in the middle of the body


Misbehaviour = Callable[[Request, Reply], Reply]


class OpenAIServer:
    """Embeddings: how often a text holds each of a, b, c, d, and then 1. Chat: what `answer` makes of the request."""

    def __init__(self, answer: Callable[[Request], str] = lambda request: "yes", base64: bool = True) -> None:
        self.answer = answer
        self.base64 = base64  # whether vectors are sent as base64 to those who ask for it
        self.script: list[Misbehaviour] = []
        self.always: Misbehaviour = lambda request, reply: reply
        self.requests: list[Request] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.root}/v1"

    def __enter__(self) -> "OpenAIServer":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def texts(self) -> list[list[str]]:
        """What each request for embeddings held."""
        return [list(request.body["input"]) for request in self.requests if "input" in request.body]

    def reply(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            misbehave = self.script.pop(0) if self.script else self.always
        path = request.path.partition("?")[0]
        if path.endswith("/embeddings"):
            usual = self._embeddings(request.body)
        elif path.endswith("/chat/completions"):
            usual = self._chat(request)
        else:
            usual = unknown_model(request, Reply({}))
        return misbehave(request, usual)

    def _embeddings(self, body: Mapping[str, Any]) -> Reply:
        as_base64 = self.base64 and body.get("encoding_format") == "base64"
        vectors = [vector(text)[: body.get("dimensions")] for text in body["input"]]
        data = [
            {"object": "embedding", "index": index, "embedding": _base64(numbers) if as_base64 else numbers}
            for index, numbers in enumerate(vectors)
        ]
        tokens = sum(len(text.split()) for text in body["input"])
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return Reply({"object": "list", "model": body["model"], "data": data, "usage": usage})

    def _chat(self, request: Request) -> Reply:
        text = self.answer(request)
        read = sum(len(message["content"].split()) for message in request.body["messages"])
        written = len(text.split())
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        return Reply({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with server._lock:
                    server._at_once += 1
                    server.most_at_once = max(server.most_at_once, server._at_once)
                reply = server.reply(Request(self.path, headers, body))
                time.sleep(reply.seconds)
                with server._lock:  # before it is sent: the client may be back sooner than this thread goes on
                    server._at_once -= 1
                try:
                    self._send(reply)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # the client did not wait

            def _send(self, reply: Reply) -> None:
                content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if reply.cut else content)
                self.close_connection = reply.cut

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        return Handler


def vector(text: str) -> list[float]:
    """How often a text holds each of the letters a, b, c, d, and then 1."""
    return [float(text.count(letter)) for letter in LETTERS] + [1.0]


def error(status: int, message: str, code: str | None = None, **headers: str) -> Misbehaviour:
    """An error as OpenAI words them."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return lambda request, reply: Reply(
        body, status, {name.replace("_", "-"): value for name, value in headers.items()}
    )


def busy(retry_after: str | None = None) -> Misbehaviour:
    return error(429, "Rate limit reached", **({"Retry_After": retry_after} if retry_after else {}))


def broken(request: Request, reply: Reply) -> Reply:
    return Reply(b"<html>Internal Server Error</html>", 500, {"Content-Type": "text/html"})


def unauthorized(request: Request, reply: Reply) -> Reply:
    """Repeats both ends of the key, as OpenAI does."""
    key = request.headers.get("authorization", "").removeprefix("Bearer ") or request.headers.get("api-key", "")
    shown = f"{key[:8]}{'*' * 12}{key[-4:]}"
    return error(401, f"Incorrect API key provided: {shown}. You can find your key in your account.")(request, reply)


def unknown_model(request: Request, reply: Reply) -> Reply:
    model = request.body.get("model")
    return error(404, f"The model `{model}` does not exist", code="model_not_found")(request, reply)


def slow(seconds: float) -> Misbehaviour:
    return lambda request, reply: replace(reply, seconds=seconds)


def truncated(request: Request, reply: Reply) -> Reply:
    return replace(reply, cut=True)


def not_json(request: Request, reply: Reply) -> Reply:
    return replace(reply, body=json.dumps(reply.body).encode()[:-7])


def unlike(change: Callable[[list[dict[str, Any]]], Iterable[Any]]) -> Misbehaviour:
    """Embeddings with other items than usual."""
    return lambda request, reply: replace(reply, body={**reply.body, "data": list(change(reply.body["data"]))})


missing_item = unlike(lambda items: items[:-1])
extra_item = unlike(lambda items: [*items, {**items[0], "index": len(items)}])
out_of_order = unlike(reversed)
index_twice = unlike(lambda items: [{**item, "index": 0} for item in items])
without_index = unlike(lambda items: [{"embedding": item["embedding"]} for item in items])


def numbers(*values: Any) -> Misbehaviour:
    """Every vector is these."""
    return unlike(lambda items: [{**item, "embedding": list(values)} for item in items])


def without_usage(request: Request, reply: Reply) -> Reply:
    return replace(reply, body={name: value for name, value in reply.body.items() if name != "usage"})


def message(content: Any, finish: str = "stop", **more: Any) -> Misbehaviour:
    """A chat answer of that content."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **more}}
    return lambda request, reply: replace(reply, body={**reply.body, "choices": [choice]})


def refusing(name: str, words: str, status: int = 400) -> Misbehaviour:
    """Does not take requests with that parameter."""
    refuse = error(status, words)
    return lambda request, reply: refuse(request, reply) if name in request.body else reply


def at_most(texts: int | None = None, words: int | None = None) -> Misbehaviour:
    """Takes no request of more texts, and no text of more words, than that."""

    def limited(request: Request, reply: Reply) -> Reply:
        sent = request.body["input"]
        if texts is not None and len(sent) > texts:
            return error(422, f"batch size {len(sent)} > maximum allowed batch size {texts}")(request, reply)
        longest = max(len(text.split()) for text in sent)
        if words is not None and longest > words:
            told = f"This model's maximum context length is {words} tokens, you requested {longest}"
            return error(400, told, code="context_length_exceeded")(request, reply)
        return reply

    return limited


def _base64(numbers: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()


def secret_key(name: str) -> str:
    """A key that looks like one, and is none."""
    return f"sk-proj-{hashlib.sha256(name.encode()).hexdigest()}"
