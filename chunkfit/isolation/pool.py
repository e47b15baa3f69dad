"""A few warm children, shared by any number of threads."""

import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from chunkfit.isolation.child import Child


class Pool:
    """At most `size` children for `functions`, started when needed and kept for the next call.

    A child is replaced when it died, after `calls_per_child` calls, and when it grew above `resident_bytes`; it is
    ended after `idle_seconds` without a call. Callers beyond `size` wait, and the wait does not count towards their
    time limit. Thread-safe; a forked process starts children of its own.
    """

    def __init__(
        self,
        functions: Sequence[str],
        *,
        size: int,
        calls_per_child: int = 200,
        resident_bytes: int = 2_000_000_000,
        idle_seconds: float = 30.0,
    ) -> None:
        if size < 1:
            raise ValueError(f"a pool needs a size of at least 1, got {size}")
        self.functions = tuple(functions)
        self.size = size
        self.calls_per_child = calls_per_child
        self.resident_bytes = resident_bytes
        self.idle_seconds = idle_seconds
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._places = threading.BoundedSemaphore(self.size)
        self._lock = threading.Lock()
        self._idle: list[tuple[float, Child]] = []  # since when, the longest first

    def call(
        self, function: str, arguments: Mapping[str, object], *, seconds: float, memory_bytes: int | None = None
    ) -> Any:
        """As Child.call, in whichever child is free."""
        if os.getpid() != self._process:
            self._begin()  # forked: the children and their pipes belong to the other process
        with self._places:
            child = self._take()
            try:
                return child.call(function, arguments, seconds=seconds, memory_bytes=memory_bytes)
            finally:
                self._give_back(child)

    def close(self) -> None:
        """End all idle children."""
        self._end_idle_since(float("inf"))

    def _take(self) -> Child:
        while True:
            with self._lock:
                child = self._idle.pop()[1] if self._idle else None
            if child is None:
                return Child(self.functions)
            if child.alive:
                return child
            child.close()  # it ended while idle: somebody else's doing, and no reason to fail this call

    def _give_back(self, child: Child) -> None:
        worn_out = child.calls >= self.calls_per_child or child.resident_bytes > self.resident_bytes
        if worn_out or not child.alive:
            child.close()
            return
        since = time.monotonic()
        with self._lock:
            self._idle.append((since, child))
        timer = threading.Timer(self.idle_seconds, self._end_idle_since, [since])
        timer.daemon = True
        timer.start()

    def _end_idle_since(self, latest: float) -> None:
        """End the children that were given back at that time or before, and not taken since."""
        while True:
            with self._lock:
                if not self._idle or self._idle[0][0] > latest:
                    return
                child = self._idle.pop(0)[1]
            child.close()
