"""Questions with the places of their answers, from files or a chat model, and how well they are answered.

placed = place_questions(read_questions("questions.csv"), documents)
generated = generate_questions(evidence)
evaluation = evaluate_answers([Retrieved(question, texts, RightAnswer(excerpts=...)), ...], generator, judge)
"""

from chunkfit.questions.answer_evaluation import (
    AnswerEvaluation,
    EvaluatedAnswer,
    Mean,
    Retrieved,
    evaluate_answers,
)
from chunkfit.questions.excerpts import Flaw
from chunkfit.questions.files import read_questions, write_questions
from chunkfit.questions.generating import Dropped, Generated, generate_questions
from chunkfit.questions.judging import Judgement, RightAnswer, Verdict
from chunkfit.questions.model import Placed, StatedQuestion, StatedReference, Unplaced
from chunkfit.questions.placing import place_questions
from chunkfit.questions.repeats import Repeat, repeats
from chunkfit.questions.retrieved import retrieved_texts

__all__ = [
    "AnswerEvaluation",
    "Dropped",
    "EvaluatedAnswer",
    "Flaw",
    "Generated",
    "Judgement",
    "Mean",
    "Placed",
    "Repeat",
    "Retrieved",
    "RightAnswer",
    "StatedQuestion",
    "StatedReference",
    "Unplaced",
    "Verdict",
    "evaluate_answers",
    "generate_questions",
    "place_questions",
    "read_questions",
    "repeats",
    "retrieved_texts",
    "write_questions",
]
