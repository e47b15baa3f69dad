"""Chat models about questions: one that quotes what it is shown, answers by looking it up, and judges by looking it up.

It works from the prompt alone, by rules as plain as can be, so that its every number can be worked out by hand.
"""

import json
import re

from chunkfit.engines import Answer, Question
from chunkfit.usage import Usage
from fakes.chat import materials


class QuotingChat:
    """Asks about sentences by quoting them; answers with the words of a text that a question shares; judges by search.

    Asked for questions it takes the first sentences of the material, one a question: "What of <its first four words>?".
    Asked to answer, it gives the first text that has the question's last word, else says that it cannot. As a judge it
    says yes where every reference is in what it is shown, partly where some are, else no.
    """

    def __init__(self, id: str = "quoting/1") -> None:
        self.id = id
        self.questions: list[Question] = []

    def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        (kind,) = {"questions", "answerable", "verdict"} & set((question.schema or {})["properties"])
        given = {"questions": _questions, "answerable": _answer, "verdict": _verdict}[kind](question.user)
        return Answer(json.dumps(given), Usage(calls=1, tokens_in=len(question.user.split()), tokens_out=1))


def _questions(prompt: str) -> dict[str, object]:
    wanted = int(re.findall(r"Give (\d+) ", prompt)[-1])
    sentences = [found.strip() for found in re.findall(r"[^.]+\.", materials(prompt)[0])]
    return {"questions": [asked(sentence) for sentence in sentences if len(sentence.split()) > 4][:wanted]}


def asked(*excerpts: str, question: str = "", answer: str = "So it is.") -> dict[str, object]:
    """A question as a model gives it."""
    words = " ".join(excerpts[0].split()[:4]) if excerpts else ""
    return {"question": question or f"What of {words}?", "answer": answer, "excerpts": list(excerpts)}


def _answer(prompt: str) -> dict[str, object]:
    question, *texts = materials(prompt)
    key = question.split()[-1].strip("?")
    found = [text for text in texts if key in text]
    return {"answerable": bool(found), "answer": found[0] if found else ""}


def _verdict(prompt: str) -> dict[str, object]:
    what, shown = re.split(r"\n\n(?=What the search found:|The answer to judge:)", prompt)
    _, *right = materials(what)
    found = sum(any(one in text for text in materials(shown)) for one in right)
    return {"reason": f"{found} of {len(right)}", "verdict": {0: "no", len(right): "yes"}.get(found, "partly")}
