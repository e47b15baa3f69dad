"""Who is about to make what, so that two threads do not make the same thing at once."""

import threading
from collections.abc import Iterable, Sequence


class Claims:
    """Keys that some thread is working on. Make all that was claimed and release it before waiting for others."""

    def __init__(self) -> None:
        self._working: dict[bytes, threading.Event] = {}
        self._lock = threading.Lock()

    def claim(self, keys: Iterable[bytes]) -> tuple[list[bytes], set[threading.Event]]:
        """Which of the keys, each given once, are the caller's now, and what to wait for until the others are done."""
        done = threading.Event()
        mine: list[bytes] = []
        others: set[threading.Event] = set()
        with self._lock:
            for key in keys:
                holder = self._working.setdefault(key, done)
                if holder is done:
                    mine.append(key)
                else:
                    others.add(holder)
        return mine, others

    def release(self, keys: Sequence[bytes]) -> None:
        """Let go of what the caller claimed, made or not."""
        with self._lock:
            for event in {self._working.pop(key) for key in keys}:
                event.set()
