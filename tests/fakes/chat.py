"""Chat models: one that answers from a script, and one that really answers, by rules as plain as can be."""

import json
import re
from collections.abc import Sequence

from chunkfit.engines import Answer, Question
from chunkfit.usage import Usage


class ScriptedChat:
    """Gives its answers in order, the last one again and again, and keeps the questions. An exception is raised."""

    id = "scripted"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = answers
        self.questions: list[Question] = []

    def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        answer = self.answers[min(len(self.questions), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer, Usage(calls=1))


class RuleChat:
    """Answers what the methods ask, from nothing but the question: the same each time, whatever was asked before.

    For a pattern it gives headings where the text has some, else paragraphs, else lines, else ends of sentences; for a
    plan, the same one always; for groups, every fourth of the new sentences.
    """

    id = "rules/1"

    def ask(self, question: Question) -> Answer:
        (kind,) = {"pattern", "units", "starts"} & set((question.schema or {})["properties"])
        given = {"pattern": _pattern, "units": _plan, "starts": _starts}[kind](materials(question.user))
        return Answer(json.dumps(given), Usage(calls=1, tokens_in=len(question.user.split()), tokens_out=1))


def materials(prompt: str) -> list[str]:
    """What a prompt holds as data."""
    return [match[2] for match in re.finditer(r"^<<<(DOCUMENT-\d+)\n(.*?)\n\1>>>$", prompt, re.DOTALL | re.MULTILINE)]


def _pattern(shown: Sequence[str]) -> dict[str, object]:
    patterns = [r"^#{1,6} ", r"\n\n(?=\S)", r"^(?=\S)", r"(?<=[.!?]) (?=\w)"]
    repeated = [pattern for pattern in patterns if len(re.findall(pattern, shown[-1], re.MULTILINE)) > 1]
    return {"pattern": [*repeated, patterns[-1]][0]}


def _plan(shown: Sequence[str]) -> dict[str, object]:
    return {"kind": "text", "units": "four sentences", "target_tokens": 80}


def _starts(shown: Sequence[str]) -> dict[str, object]:
    numbers = [int(number) for number in re.findall(r"^\[(\d+)\] ", shown[-1], re.MULTILINE)]
    return {"starts": [number for number in numbers if number % 4 == 1]}
