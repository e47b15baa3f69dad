"""A chat model judges what was retrieved for a question, and what was answered.

Both verdicts are in three steps, as in "Adaptive Chunking" (arXiv 2603.25333), which gives 0, 0.5 and 1 for retrieval
completeness; its answer correctness is a grade of an evaluation library's own. The prompts are ours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from chunkfit.chunking.asking import Asked, UselessAnswer, as_data, in_short, last_with, useful_answer
from chunkfit.engines import Question
from chunkfit.questions.answering import MATERIAL, listed

Verdict = Literal["yes", "partly", "no"]

VALUES: Mapping[Verdict, float] = {"yes": 1.0, "partly": 0.5, "no": 0.0}

LONGEST_REASON = 300  # code points of a judge's reason that are kept

SCHEMA = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "description": "why, in one sentence"},
        "verdict": {"type": "string", "enum": list(VALUES)},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}

_FORM = """Answer with JSON and nothing else, the reason in one sentence before the verdict:
{"reason": "...", "verdict": "yes" | "partly" | "no"}"""

COMPLETENESS = f"""You judge a search. You see a question, what its right answer rests on, and the texts that the search
found. Is all that the right answer needs in the texts?

- yes: the texts state every fact that the right answer needs, in whatever words and in whichever text.
- partly: they state some of these facts, not all; or a fact is cut off in its middle.
- no: they state none of them.

Only what the texts say counts, not what you know, nor what could be guessed. What else they hold does not matter.

{MATERIAL}

{_FORM}"""

CORRECTNESS = f"""You judge an answer. You see a question, what the right answer is or rests on, and somebody's answer.
Is that answer right?

- yes: it says what the right answer says. Other words, more detail and another order do not matter, as long as nothing
  in it contradicts the right answer.
- partly: it says some of what the question asks for and leaves out the rest, or has a mistake beside the point.
- no: it contradicts the right answer in what the question asks for, or does not answer it.

How it is written does not matter, nor how long it is, nor how sure it sounds.

{MATERIAL}

{_FORM}"""


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    reason: str  # in the judge's words

    @property
    def value(self) -> float:
        """1 for yes, 0.5 for partly, 0 for no."""
        return VALUES[self.verdict]


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """What a question's answer is, or rests on: a reference answer, excerpts of the document, or both."""

    answer: str = ""
    excerpts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.answer.strip() and not any(excerpt.strip() for excerpt in self.excerpts):
            raise ValueError("a judge needs a reference answer or reference excerpts; give one of them")


def completeness(judge: Asked, question: str, right: RightAnswer, texts: Sequence[str], *, retries: int) -> Judgement:
    """Whether the texts hold all that the right answer needs.

    Raises UselessAnswer where none of retries + 1 answers is a verdict, and what the judge raises.
    """
    parts = [_asked(question, right), f"What the search found:\n\n{listed(texts)}"]
    return _judged(judge, COMPLETENESS, [*parts, "Is all that the right answer needs in these texts?"], retries)


def correctness(judge: Asked, question: str, right: RightAnswer, answer: str, *, retries: int) -> Judgement:
    """Whether the answer is right; the judge does not see what it was made from. Raises as `completeness` does."""
    parts = [_asked(question, right), f"The answer to judge:\n{as_data(answer)}", "Is this answer right?"]
    return _judged(judge, CORRECTNESS, parts, retries)


def _asked(question: str, right: RightAnswer) -> str:
    parts = [f"The question:\n{as_data(question)}"]
    if right.answer.strip():
        parts.append(f"The right answer:\n{as_data(right.answer)}")
    if right.excerpts:
        parts.append("The right answer rests on these excerpts:\n" + "\n".join(map(as_data, right.excerpts)))
    return "\n\n".join(parts)


def _judged(judge: Asked, system: str, parts: Sequence[str], retries: int) -> Judgement:
    return useful_answer(judge, Question(system, "\n\n".join(parts), SCHEMA), _judgement_in, retries=retries)


def _judgement_in(answer: str) -> Judgement:
    found = last_with(answer, "verdict")
    verdict = found["verdict"].strip().lower() if isinstance(found["verdict"], str) else found["verdict"]
    if not isinstance(verdict, str) or verdict not in VALUES:
        raise UselessAnswer(f'its "verdict" is {in_short(str(verdict))} and not one of {", ".join(VALUES)}')
    reason = found.get("reason")
    return Judgement(cast("Verdict", verdict), reason.strip()[:LONGEST_REASON] if isinstance(reason, str) else "")
