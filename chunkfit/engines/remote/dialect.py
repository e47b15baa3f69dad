"""Which parts of a chat request a server takes, learnt from its refusals."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from chunkfit.engines.protocols import Question
from chunkfit.engines.remote.text import sendable

_FENCED = re.compile(r"\s*```\w*[ \t]*\n(.*)\n[ \t]*```\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is to answer."""

    temperature: float
    seed: int | None
    max_tokens: int | None  # of an answer


@dataclass(frozen=True, slots=True)
class Dialect:
    """Begins as OpenAI's API; each refusal takes one thing from it, so it comes to an end."""

    structure: Literal["json_schema", "json_object", "told"] = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    seed: bool = True

    def request(self, question: Question, sampling: Sampling) -> dict[str, Any]:
        """The body of the request, without the model."""
        system = sendable(question.system)
        body: dict[str, Any] = {}
        if question.schema is not None:
            if self.structure != "json_schema":
                written = json.dumps(question.schema, ensure_ascii=False)
                system = (
                    f"{system}\n\nAnswer with JSON alone that follows this JSON schema:\n{sendable(written)}".strip()
                )
            if self.structure == "json_schema":
                form = {"name": "answer", "schema": dict(question.schema), "strict": is_closed(question.schema)}
                body["response_format"] = {"type": "json_schema", "json_schema": form}
            elif self.structure == "json_object":
                body["response_format"] = {"type": "json_object"}
        messages = [("system", system)] if system else []
        messages.append(("user", sendable(question.user)))
        body["messages"] = [{"role": role, "content": content} for role, content in messages]
        if self.temperature:
            body["temperature"] = sampling.temperature
        if self.seed and sampling.seed is not None:
            body["seed"] = sampling.seed + question.attempt  # the same seed would give the same useless answer
        if sampling.max_tokens is not None:
            body[self.limit] = sampling.max_tokens
        return body

    def after(self, refused: Mapping[str, Any], words: str) -> "Dialect | None":
        """The dialect to try after the server refused a request of this one with these words; None: there is none."""
        if "max_tokens" in refused and "max_completion_tokens" in words:
            return replace(self, limit="max_completion_tokens")
        if "temperature" in refused and "temperature" in words:
            return replace(self, temperature=False)
        if "seed" in refused and re.search(r"\bseed\b", words):
            return replace(self, seed=False)
        if "response_format" in refused:  # servers complain of a schema in too many ways to know them all
            return replace(self, structure="json_object" if self.structure == "json_schema" else "told")
        return None


def is_closed(schema: Any) -> bool:
    """Whether each object of a JSON schema requires all its properties and allows no others: what strict mode takes."""
    if isinstance(schema, list | tuple):
        return all(map(is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    if "properties" in schema:
        names = set(schema["properties"])
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != names:
            return False
    return all(map(is_closed, schema.values()))


def unfenced(text: str) -> str:
    """What a code fence around the whole text holds; the text where there is none."""
    match = _FENCED.fullmatch(text)
    return match[1] if match else text
