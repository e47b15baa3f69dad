"""What methods share that ask a chat model: text as data in a prompt, bounded tries, and what stands in after them.

A useless answer and a missing engine are two things. The first is a fact about the model and this document: it ends in
a fallback, which the chunking tells. EngineUnavailable and BudgetSpent go through, so that no stored result rests on a
server that was down.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, Protocol, TypeVar

from chunkfit.chunking.recursive import recursive
from chunkfit.engines import Answer, Question
from chunkfit.evidence import Evidence
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.model import Chunking

T = TypeVar("T")

LONGEST_ANSWER = 40_000  # code points, the last of an answer, that are read: thoughts come first
STAND_IN_SIZE = 1100  # tokens: what stands in is recursive_1100


class UselessAnswer(ValueError):  # noqa: N818
    """An answer, or the last of several, that nothing can be made of. The message says why in a clause."""


class Asked(Protocol):
    """What can be asked: the evidence of a document, a chat model."""

    def ask(self, question: Question) -> Answer: ...


def require_tries(retries: int) -> None:
    """Raise ValueError unless retries >= 0."""
    if retries < 0:
        raise ValueError(f"retries must be at least 0, got {retries}; 0 asks once")


def useful_answer(asked: Asked, question: Question, read: Callable[[str], T], *, retries: int) -> T:
    """What `read` makes of the chat model's answer; asked again up to `retries` times, told each time what was wrong.

    `read` raises UselessAnswer; the last one is raised where no answer was of use. Raises EngineUnavailable and
    BudgetSpent as the engine does.
    """
    wrong: list[str] = []
    for attempt in range(retries + 1):
        told = (f"Your answer {number} was of no use: {why}." for number, why in enumerate(wrong, start=1))
        user = without_lone_surrogates("\n\n".join([question.user, *told]))
        answer = asked.ask(replace(question, user=user, attempt=attempt))
        try:
            return read(answer.text.rstrip()[-LONGEST_ANSWER:])
        except UselessAnswer as problem:
            wrong.append(str(problem))
    raise UselessAnswer(wrong[-1])


def stand_in(evidence: Evidence, method: str, what: str, retries: int, problem: UselessAnswer) -> Chunking:
    """The chunks of recursive_1100 under the method's name, with the reason why they are not its own."""
    answers = "the chat model's only answer gave" if not retries else f"{retries + 1} answers of the chat model gave"
    why = f"{answers} no {what}, so recursive_{STAND_IN_SIZE} cut here; the last one: {problem}"
    return replace(recursive(evidence, size=STAND_IN_SIZE), method=method, fallback=why)


def as_data(text: str) -> str:
    """A document's text between two lines that do not occur in it, so that nothing inside can end it early."""
    mark = next(mark for n in count(1) if (mark := f"DOCUMENT-{n}") not in text)
    return f"<<<{mark}\n{text}\n{mark}>>>"


def in_short(text: str, longest: int = 80) -> str:
    """A model's words in quotes and on one line, to show to a reader or to the model itself."""
    cut = text if len(text) <= longest else f"{text[: longest - 4]} ..."
    return "'" + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut) + "'"


def json_objects(answer: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of an answer in order, whatever stands around them: fences, a greeting, thoughts."""
    decoder = json.JSONDecoder()
    at = answer.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = answer.find("{", end)


def last_with(answer: str, name: str) -> Mapping[str, Any]:
    """The last JSON object of an answer that has that name; thoughts and examples come before it.

    Raises UselessAnswer where there is none.
    """
    named = [found for found in json_objects(answer) if name in found]
    if not named:
        raise UselessAnswer(f'there is no JSON with "{name}" in it; it begins with {in_short(answer.strip())}')
    return named[-1]
