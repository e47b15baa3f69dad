"""What a run may ask of its chat model."""

import threading

from chunkfit.engines.protocols import Answer, ChatModel, Question
from chunkfit.engines.remote.chat import prompt_tokens
from chunkfit.errors import BudgetSpent
from chunkfit.settings import Budget
from chunkfit.usage import Usage


class Budgeted:
    """A chat model that stops before it asks more than a budget allows. Threads may share it.

    The budget lives as long as this object: `for_run` gives a run a fresh one. A question counts as one call, also
    where the server fails, and as more where answers could not be used and were asked for again. Its prompt is set
    aside before it is sent, counted in o200k_base tokens; what the server counted replaces that afterwards. The length
    of an answer cannot be known before, so the last one may go beyond the tokens.
    """

    def __init__(self, model: ChatModel, budget: Budget) -> None:
        self.model = model
        self.budget = budget
        self._calls = 0
        self._tokens = 0
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        return self.model.id

    def ask(self, question: Question) -> Answer:
        """Raises BudgetSpent before a call that is one too many, or whose prompt alone is beyond the tokens left."""
        prompt = prompt_tokens(question)
        self._set_aside(prompt)
        used = Usage(calls=1)  # where it fails
        try:
            answer = self.model.ask(question)
            used = answer.usage
            return answer
        finally:
            with self._lock:
                self._calls += max(used.calls, 1) - 1
                self._tokens += used.tokens_in + used.tokens_out - prompt

    def _set_aside(self, prompt: int) -> None:
        with self._lock:
            spent = f"this run has asked its chat model {self._calls} times and used {self._tokens} tokens"
            if self._calls >= self.budget.calls:
                raise BudgetSpent(f"{spent}; its budget allows {self.budget.calls} calls: raise budget.calls")
            if self._tokens + prompt > self.budget.tokens:
                raise BudgetSpent(
                    f"{spent}; its budget of {self.budget.tokens} tokens has no room for a prompt of {prompt}: "
                    "raise budget.tokens"
                )
            self._calls += 1
            self._tokens += prompt
