"""How well questions are answered from what was retrieved for them: retrieval completeness and answer correctness."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from chunkfit.chunking.asking import UselessAnswer, require_tries
from chunkfit.engines import Answer, ChatModel, Question
from chunkfit.errors import MethodFailed
from chunkfit.questions.answering import answered
from chunkfit.questions.judging import Judgement, RightAnswer, completeness, correctness
from chunkfit.usage import Usage

T = TypeVar("T")

Outcome = Literal["answered", "not answered", "no usable answer"]
"""The generator gave an answer; it said that the texts hold none, or nothing was retrieved; it gave neither."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A question, what was retrieved for it, and what its right answer is."""

    question: str
    texts: tuple[str, ...]  # best first
    right: RightAnswer
    id: str = ""


@dataclass(frozen=True, slots=True)
class EvaluatedAnswer:
    """What came of one question. A judgement is None where there is none, with the reason in `missing`."""

    id: str
    question: str
    outcome: Outcome
    answer: str  # the generator's; "" where it gave none
    completeness: Judgement | None
    correctness: Judgement | None  # None for all that are not answered
    missing: tuple[str, ...] = ()  # why the generator or the judge was of no use, a sentence each


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over those that have a value; None where none has."""

    value: float | None
    count: int


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """All questions of one chunking with who answered, who judged, and what that took."""

    generator: str  # the ids of the chat models
    judge: str
    answers: tuple[EvaluatedAnswer, ...]  # in the order of the questions
    usage: Usage

    def count(self, outcome: Outcome) -> int:
        return sum(one.outcome == outcome for one in self.answers)

    @property
    def completeness(self) -> Mean:
        """Over all judged questions, answered or not: what the chunks held."""
        return _mean(one.completeness.value for one in self.answers if one.completeness)

    @property
    def correctness(self) -> Mean:
        """Over the answered questions that were judged, as the paper has it. Whoever answers less looks better here."""
        return _mean(one.correctness.value for one in self.answers if one.correctness)

    @property
    def correctness_of_all(self) -> Mean:
        """The same with 0 for each question that was not answered: fair between chunkings that leave out others."""
        values = (
            one.correctness.value if one.correctness else 0.0
            for one in self.answers
            if one.correctness or one.outcome == "not answered"
        )
        return _mean(values)

    @property
    def unjudged(self) -> int:
        """Questions with a judgement missing that they should have: they are in no mean of that judgement."""
        return sum(bool(one.missing) for one in self.answers)


def evaluate_answers(
    retrieved: Iterable[Retrieved], generator: ChatModel, judge: ChatModel, *, retries: int = 2
) -> AnswerEvaluation:
    """The generator answers each question from its texts alone, and the judge, which may be another model, looks at
    the texts and at the answer.

        completeness = 1, 0.5, 0  where all, some, none of what the right answer needs is in the texts
        correctness  = 1, 0.5, 0  where the answer is right, partly right, wrong; for answered questions only

    Source: "Adaptive Chunking" (arXiv 2603.25333), which counts a judge that fails as 0; here such a question has no
    judgement, with a reason, and is in no mean. Where nothing was retrieved, completeness is 0 and no model is asked.

    Calls: up to three per question (answer, completeness, correctness), each up to `retries` times more where what
    comes back is of no use. Raises ValueError for retries < 0, and EngineUnavailable and BudgetSpent as the models do.
    """
    require_tries(retries)
    asking, judging = _Metered(generator), _Metered(judge)
    answers = tuple(_evaluated(one, asking, judging, retries) for one in retrieved)
    return AnswerEvaluation(generator.id, judge.id, answers, asking.usage + judging.usage)


class _Metered:
    """A chat model whose usage is added up."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.usage = Usage()

    def ask(self, question: Question) -> Answer:
        answer = self.model.ask(question)
        self.usage += answer.usage
        return answer


def _evaluated(one: Retrieved, generator: _Metered, judge: _Metered, retries: int) -> EvaluatedAnswer:
    texts = tuple(text for text in one.texts if text.strip())
    if not texts:
        nothing = Judgement("no", "nothing was retrieved")
        return EvaluatedAnswer(one.id, one.question, "not answered", "", nothing, None)
    missing: list[str] = []
    given = _said(lambda: answered(generator, one.question, texts, retries=retries), "no answer", missing)
    complete = _said(
        lambda: completeness(judge, one.question, one.right, texts, retries=retries), "no completeness", missing
    )
    correct = (
        _said(lambda: correctness(judge, one.question, one.right, given, retries=retries), "no correctness", missing)
        if given
        else None
    )
    outcome: Outcome = "answered" if given else "no usable answer" if given is None else "not answered"
    return EvaluatedAnswer(one.id, one.question, outcome, given or "", complete, correct, tuple(missing))


def _said(ask: Callable[[], T], what: str, missing: list[str]) -> T | None:
    """What a model says, or None and then why in `missing`."""
    try:
        return ask()
    except (UselessAnswer, MethodFailed) as error:
        missing.append(f"{what}: {error}")
        return None


def _mean(values: Iterable[float]) -> Mean:
    found = list(values)
    return Mean(sum(found) / len(found) if found else None, len(found))
