"""A chat model that is left alone for a while after it gave up: a dead server must not cost every document its wait."""

import threading
import time
from collections.abc import Callable

from chunkfit.engines.protocols import Answer, ChatModel, Question
from chunkfit.errors import EngineRefused, EngineUnavailable

REST = 300.0
"""Seconds: long beside what all attempts at one question take, short beside a run of thousands."""


class Resting:
    """After a question that the model gave up on, further ones are refused at once, until it has rested.

    Threads may share it. What is refused for want of a budget or a key is no reason to rest.
    """

    def __init__(self, model: ChatModel, rest: float = REST, clock: Callable[[], float] = time.monotonic) -> None:
        self.model = model
        self._rest = rest
        self._clock = clock
        self._gave_up: tuple[float, str] | None = None
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        return self.model.id

    def ask(self, question: Question) -> Answer:
        with self._lock:
            gave_up = self._gave_up
        if gave_up is not None and self._clock() < gave_up[0] + self._rest:
            raise EngineRefused(f"{gave_up[1]}; it is not asked again for {self._rest:.0f} s")
        try:
            return self.model.ask(question)
        except EngineRefused:
            raise
        except EngineUnavailable as problem:
            with self._lock:
                self._gave_up = (self._clock(), str(problem))
            raise
