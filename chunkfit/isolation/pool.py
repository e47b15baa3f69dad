"""A few warm children, shared by any number of threads."""

import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from chunkfit.isolation.child import Child


class Pool:
    """At most `size` children for `functions`, started when needed and kept for the next call.

    A child is replaced when it died, after `calls_per_child` calls, and when it grew above `resident_bytes`. Callers
    beyond `size` wait; the wait does not count towards their time limit. Thread-safe; a forked process starts its own.
    """

    def __init__(
        self,
        functions: Sequence[str],
        *,
        size: int,
        calls_per_child: int = 200,
        resident_bytes: int = 2_000_000_000,
    ) -> None:
        if size < 1:
            raise ValueError(f"a pool needs a size of at least 1, got {size}")
        self.functions = tuple(functions)
        self.size = size
        self.calls_per_child = calls_per_child
        self.resident_bytes = resident_bytes
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._places = threading.BoundedSemaphore(self.size)
        self._lock = threading.Lock()
        self._idle: list[Child] = []

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
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def _take(self) -> Child:
        while True:
            with self._lock:
                child = self._idle.pop() if self._idle else None
            if child is None:
                return Child(self.functions)
            if child.alive:
                return child
            child.close()  # it ended while idle: somebody else's doing, and no reason to fail this call

    def _give_back(self, child: Child) -> None:
        worn_out = child.calls >= self.calls_per_child or child.resident_bytes > self.resident_bytes
        if child.alive and not worn_out:
            with self._lock:
                self._idle.append(child)
        else:
            child.close()
