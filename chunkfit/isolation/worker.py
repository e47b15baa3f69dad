"""The child's side: `python -m chunkfit.isolation.worker FUNCTION...` answers calls to these functions alone."""

import fcntl
import importlib
import math
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from chunkfit import errors
from chunkfit.isolation import frames

_GRACE_SECONDS = 30  # the parent kills at the limit; this is for a parent that no longer can
_OWN_ERRORS = (errors.BadDocument, errors.EngineUnavailable, errors.MethodFailed)
_OUT_OF_MEMORY = ("bad_alloc", "Cannot allocate memory", "can't start new thread", "Unable to allocate")


def main() -> None:
    """Load the functions, say so, and answer one call after the other until the parent closes the pipe."""
    requests, replies = _take_the_pipes()
    try:
        functions = {name: _load(name) for name in sys.argv[1:]}
    except Exception as error:
        _write(replies, frames.encode({"unavailable": f"{type(error).__name__}: {error}"}))
        return
    _write(replies, frames.encode({"ready": True}))
    while (request := _receive(requests)) is not None:
        with _dying_with_the_parent(requests, request["seconds"]), _memory_limit(request["memory_bytes"]):
            reply = _answer(functions, request)
        _write(replies, reply)


def _take_the_pipes() -> tuple[int, int]:
    # Libraries print to standard output, some of them from C: from here on that is standard error, and the pipes that
    # carry calls and replies are two descriptors that nobody else knows.
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return requests, replies


def _load(name: str) -> Callable[..., object]:
    module, _, function = name.rpartition(".")
    loaded: Callable[..., object] = getattr(importlib.import_module(module), function)
    return loaded


def _answer(functions: Mapping[str, Callable[..., object]], request: Mapping[str, Any]) -> bytes:
    try:
        function = functions[request["function"]]
        value = function(**request["arguments"])
        return frames.encode({"value": value, "resident_bytes": _resident_bytes()})
    except _OWN_ERRORS as error:
        reply = {"own": type(error).__name__, "message": str(error)}
    except BaseException as error:  # also SystemExit: a library that wants to leave fails this call, no more
        out_of_memory = _is_out_of_memory(error)
        reply = {"raised": "MemoryError" if out_of_memory else type(error).__name__, "message": str(error)}
    return frames.encode({**reply, "resident_bytes": _resident_bytes()})


def _is_out_of_memory(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, MemoryError) or any(phrase in str(error) for phrase in _OUT_OF_MEMORY):
            return True
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def _dying_with_the_parent(requests: int, seconds: float) -> Iterator[None]:
    # Nothing arrives on this pipe during a call, so a signal from it means that the other end is closed: the parent is
    # gone. The kernel then ends this process and its children by SIGIO, however deep in native code they are. A thread
    # that waits for the end of the pipe could not: code that holds the interpreter lock would never let it run.
    flags = fcntl.fcntl(requests, fcntl.F_GETFL)
    fcntl.fcntl(requests, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(requests, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([requests], [], [], 0)[0]:  # it closed just before
        os._exit(1)
    signal.alarm(math.ceil(seconds) + _GRACE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        fcntl.fcntl(requests, fcntl.F_SETFL, flags)


@contextmanager
def _memory_limit(memory_bytes: int | None) -> Iterator[None]:
    if memory_bytes is None or sys.platform != "linux":
        yield
        return
    import resource

    # Private writable memory: libraries reserve far more addresses than they ever touch, so RLIMIT_AS would be unfair.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _resident_bytes() -> int:
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123 - a pseudo-file
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _receive(pipe: int) -> dict[str, Any] | None:
    header = _read_exactly(pipe, frames.HEADER.size)
    if header is None:
        return None
    body = _read_exactly(pipe, frames.body_length(header))
    return None if body is None else frames.decode(body)


def _read_exactly(pipe: int, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = os.read(pipe, size - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _write(pipe: int, frame: bytes) -> None:
    view = memoryview(frame)
    while view:
        view = view[os.write(pipe, view) :]


if __name__ == "__main__":
    main()
    os._exit(0)  # nothing here needs tidying, and some libraries wait for their threads
