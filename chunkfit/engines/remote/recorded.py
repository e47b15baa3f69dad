"""Chat models whose every answer is kept, given again, and written down."""

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakValueDictionary

from chunkfit.engines.protocols import Answer, ChatModel, Question
from chunkfit.engines.remote.budget import Budgeted
from chunkfit.engines.remote.exchanges import Exchange, Exchanges, key_of, write
from chunkfit.engines.remote.resting import Resting
from chunkfit.errors import EngineRefused
from chunkfit.settings import Budget

logger = logging.getLogger(__name__)


class Recorded:
    """A chat model that is asked each question once, ever: the answer is kept by the hash of model and question.

    An answer from there costs nothing, so its usage is empty. Threads may share it; of several that ask the same at the
    same time one asks the model. It remembers what was asked through it, for the transcript of a run.
    """

    def __init__(self, model: ChatModel, exchanges: Exchanges) -> None:
        self.model = model
        self.exchanges = exchanges
        self._asked: dict[str, None] = {}  # keys, in order
        self._asking: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        return self.model.id

    def ask(self, question: Question) -> Answer:
        key = key_of(self.id, question)
        with self._lock:
            asking = self._asking.setdefault(key, threading.Lock())
        with asking:
            known = self.exchanges.get(key)
            answer = Answer(known.answer) if known else self.model.ask(question)
            if not known:
                self.exchanges.put(Exchange.of(self.id, question, answer))
        with self._lock:
            self._asked[key] = None
        return answer

    def transcript(self) -> Iterator[Exchange]:
        """What was asked through this object, each once, in the order of the first answers."""
        with self._lock:
            keys = tuple(self._asked)
        for key in keys:
            found = self.exchanges.get(key)
            if found is None:
                logger.warning("The exchange %s is no longer in the store; the transcript goes without it.", key)
            else:
                yield found


class NeverAsked:
    """Stands where a model was when its answers were recorded."""

    def __init__(self, id: str, source: str) -> None:
        self.id = id
        self._source = source

    def ask(self, question: Question) -> Answer:
        raise EngineRefused(
            f"{self._source} holds no exchange {key_of(self.id, question)}: this run asks what the recorded one "
            "did not. Replay it with the settings and documents that it was recorded with, or record it again"
        )


def for_run(chat: ChatModel | None, budget: Budget) -> ChatModel | None:
    """The same chat model for one run: with its whole budget before it and nothing in its transcript.

    A server that gave up is left alone for a while.

    Connections, and what was learnt about the server, are shared.
    """
    if isinstance(chat, Recorded):
        return Recorded(Resting(_afresh(chat.model, budget)), chat.exchanges)
    return None if chat is None else _afresh(chat, budget)


def write_transcript(chat: ChatModel | None, path: Path) -> int:
    """Write what was asked in a run, one JSON object a line, and tell how many; no file where nothing was.

    A line holds hash, model, prompt, answer and usage; `replay[transcript=...]` answers from it.
    """
    exchanges = tuple(chat.transcript()) if isinstance(chat, Recorded) else ()
    return write(exchanges, path) if exchanges else 0


def _afresh(model: ChatModel, budget: Budget) -> ChatModel:
    return Budgeted(model.model, budget) if isinstance(model, Budgeted) else model
