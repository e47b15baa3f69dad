"""Questions to a chat model with their answers, by the hash of all that was asked."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from chunkfit.engines.protocols import Answer, Question
from chunkfit.engines.remote.text import LONE_SURROGATE
from chunkfit.storage import Kind, Store
from chunkfit.usage import Usage


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was asked of which model, what it answered, and what that took."""

    model: str  # the id of the chat model
    system: str
    user: str
    schema: str | None  # as JSON
    attempt: int
    answer: str
    usage: Usage

    @classmethod
    def of(cls, model: str, question: Question, answer: Answer) -> "Exchange":
        schema = _schema(question.schema)
        return cls(model, question.system, question.user, schema, question.attempt, answer.text, answer.usage)

    @property
    def key(self) -> str:
        return _hash(self.model, self.system, self.user, self.schema, self.attempt)


def key_of(model: str, question: Question) -> str:
    """The SHA-256 of the model's id and the whole question. It says nothing of the server's key."""
    return _hash(model, question.system, question.user, _schema(question.schema), question.attempt)


class Exchanges(Protocol):
    """Where exchanges are kept. Threads may share it."""

    def get(self, key: str) -> Exchange | None: ...

    def put(self, exchange: Exchange) -> None: ...


class InMemory:
    def __init__(self, exchanges: Iterable[Exchange] = ()) -> None:
        self._kept = {exchange.key: exchange for exchange in exchanges}

    def get(self, key: str) -> Exchange | None:
        return self._kept.get(key)

    def put(self, exchange: Exchange) -> None:
        self._kept[exchange.key] = exchange


class InStore:
    KIND = Kind("exchanges", Exchange)

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> Exchange | None:
        return self._store.get(self.KIND, key)

    def put(self, exchange: Exchange) -> None:
        self._store.put(self.KIND, exchange.key, exchange)


def write(exchanges: Iterable[Exchange], path: Path) -> int:
    """Write a transcript, one JSON object a line, in UTF-8, and tell how many."""
    lines = [_line(exchange) for exchange in exchanges]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return len(lines)


def read(path: Path) -> tuple[Exchange, ...]:
    """The exchanges of a transcript.

    Raises ValueError that names the line where the file is damaged or was changed, or cannot be read.
    """
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as problem:
        raise ValueError(f"cannot read the transcript {path}: {problem}") from problem
    return tuple(_exchange(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip())


def _line(exchange: Exchange) -> str:
    schema = None if exchange.schema is None else json.loads(exchange.schema)
    facts = {"hash": exchange.key, **asdict(exchange), "schema": schema}
    readable = json.dumps(facts, ensure_ascii=False)
    # UTF-8 has no lone surrogates, JSON's escapes do.
    return LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", readable) + "\n"


def _exchange(line: str, where: str) -> Exchange:
    try:
        facts = json.loads(line)
        told = facts.pop("hash")
        usage = Usage(**facts.pop("usage"))
        found = Exchange(**{**facts, "schema": _schema(facts["schema"]), "usage": usage})
        texts = (found.model, found.system, found.user, found.answer)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("texts are no texts")
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        raise ValueError(f"{where}: this is no exchange as transcripts hold them; record it again") from problem
    if found.key != told:
        raise ValueError(f"{where}: the question is not the one that was recorded; record it again")
    return found


def _schema(schema: Mapping[str, Any] | None) -> str | None:
    return None if schema is None else json.dumps(schema, sort_keys=True)


def _hash(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
