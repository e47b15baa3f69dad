"""A language model by rule, and a server that scores prompts with it as vLLM does."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from threading import Thread

import numpy as np

from chunkfit.engines.causal.windows import windows
from chunkfit.engines.language_models import Reading, Window
from chunkfit.usage import Usage

TOKEN = re.compile(r"(\s*)(\S{1,8})|(\s+)")
HEADING = re.compile(r"#{1,6}")
DECAY = 0.01  # nats a token


class LayoutLanguageModel:
    """Expects sections before headings, smaller parts behind blank lines, and both less and less along a window."""

    id = "layout"

    def __init__(self, window: int = 256, overlap: int = 32) -> None:
        self.window, self.overlap = window, overlap

    def single_tokens(self, preferred):
        return iter(preferred)

    def read(self, prompt, text, separators):
        tokens = list(TOKEN.finditer(text))
        starts = np.array([token.start() for token in tokens], np.int64)
        expected = np.array([levels(text, token) for token in tokens])
        read, found = len(TOKEN.findall("".join(prompt))), []
        for first, last in windows(len(starts) - 1, self.window, self.overlap):
            context = np.arange(1, last - first + 1)
            places = slice(first + 1, last + 1)
            found.append(Window(starts[places], context, expected[places] - DECAY * context[:, None]))
            read += last - first
        return Reading(tuple(found), Usage(tokens_in=read))


def levels(text, token):
    """The log-probabilities of a section and of a smaller part before a token, less their decay."""
    blank, word = token[1] or "", token[2] or ""
    heading = "\n" in blank and HEADING.fullmatch(word) is not None
    paragraph = blank.count("\n") > 1
    sentence = blank != "" and text[token.start() - 1] in ".!?"
    noise = token.start() * 61 % 97 / 97
    return -14 + noise + 9 * heading + 2 * paragraph + sentence, -12 + noise + 7 * (paragraph or heading) + sentence


SERVED = re.compile(r"[段§¶※]|[ \t]?[^\s段§¶※]{1,8}|\s")


class Completions:
    """What a completions server does: its answers, what it was asked, and how it is to misbehave next."""

    def __init__(self, url):
        self.url = url
        self.asked = []
        self.failures = []  # (status, body) of the next answers
        self.deaf = False  # writes a token instead of giving back the prompt
        self.top = 5
        self.opening = ["<s>"]

    def answer(self, body):
        prompts = [body["prompt"]] if isinstance(body["prompt"], str) else body["prompt"]
        choices = [
            {"index": i, "text": prompt, "finish_reason": "length", "logprobs": self.scored(prompt)}
            for i, prompt in enumerate(prompts)
        ]
        read = sum(len(choice["logprobs"]["tokens"]) - 1 for choice in choices)
        usage = {"prompt_tokens": read, "completion_tokens": len(choices), "total_tokens": read + len(choices)}
        return {
            "id": "c",
            "object": "text_completion",
            "created": 0,
            "model": body["model"],
            "choices": choices[::-1],
        } | {"usage": usage}

    def scored(self, prompt):
        """Tokens of up to eight characters; 段 and § are likely where a blank line ends, and untold elsewhere."""
        pieces = [] if self.deaf else [part for match in SERVED.findall(prompt) for part in fragments(match)]
        tokens = [*self.opening, *pieces, "written"]
        told = [None]
        for before, token in pairwise(tokens):
            told.append({token: -9.5} | {f"t{i}": -1.0 - i for i in range(self.top)})
            if before.endswith("\n"):
                told[-1] |= {"段": -0.5, "§": -0.75}
                told[-1] = dict(sorted(told[-1].items(), key=lambda item: -item[1])[: self.top]) | {token: -9.5}
        return {"tokens": tokens, "top_logprobs": told, "token_logprobs": [None] * len(tokens), "text_offset": []}


def fragments(piece):
    """An emoji is several tokens that hold bytes of it."""
    return ["bytes:\\xf0\\x9f", "bytes:\\x98\\x80"] if "😀" in piece else [piece]


@contextmanager
def completions_server() -> Iterator[Completions]:
    """A server on 127.0.0.1 for as long as the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.asked.append(body | {"path": self.path, "key": self.headers["Authorization"]})
            status, content = served.failures.pop(0) if served.failures else (200, served.answer(body))
            sent = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.send_header("retry-after-ms", "1")
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served = Completions(f"http://127.0.0.1:{server.server_port}/v1")
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
