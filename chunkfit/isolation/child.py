"""One killable process, from the parent's side."""

import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from chunkfit import errors
from chunkfit.isolation import frames
from chunkfit.isolation.environment import child_command, child_environment
from chunkfit.isolation.failures import CallFailed, CallRaised, Crashed, Garbled, OutOfMemory, TimedOut

_STDERR_TAIL = 4000  # characters of what the child printed that are worth keeping
_READ_BYTES = 1 << 18
_OUT_OF_MEMORY = re.compile(r"bad_alloc|MemoryError|memory alloc|Cannot allocate memory", re.IGNORECASE)


class Child:
    """A Python process that answers calls to the functions it was started for, one call at a time.

    `functions` are dotted names, imported by the child at its start; no other can be called. Arguments and results are
    JSON. Raises EngineUnavailable where the child cannot start. Once a call failed in a way that leaves the process in
    doubt, `alive` is False and a new Child is needed. Not thread-safe: see Pool.
    """

    def __init__(self, functions: Sequence[str], *, startup_seconds: float = 120.0) -> None:
        self.functions = tuple(functions)
        self.calls = 0
        self.resident_bytes = 0  # after the last call
        self._closed = False
        self._stderr = b""
        self._process = subprocess.Popen(
            child_command(self.functions),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=child_environment(),
            cwd="/",
            bufsize=0,
            start_new_session=True,  # a process group of its own: what it starts dies with it, Ctrl-C is ours to handle
        )
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        self._start(startup_seconds)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return not self._closed and self._process.poll() is None

    def call(
        self, function: str, arguments: Mapping[str, object], *, seconds: float, memory_bytes: int | None = None
    ) -> Any:
        """What `function(**arguments)` returns in the child.

        Raises one of `chunkfit.errors` where the function did, CallRaised where it raised anything else, TimedOut after
        `seconds`, OutOfMemory above `memory_bytes` (of private memory, libraries included), Crashed, or Garbled.
        """
        if function not in self.functions:
            raise ValueError(f"{function} is not a function of this child; it has {', '.join(self.functions)}")
        self.calls += 1
        request = {"function": function, "arguments": arguments, "seconds": seconds, "memory_bytes": memory_bytes}
        try:
            reply = self._exchange(frames.encode(request), seconds)
        except Crashed as crash:
            if memory_bytes is not None and _OUT_OF_MEMORY.search(crash.stderr):
                raise OutOfMemory(_memory_message(memory_bytes), crash.stderr) from crash
            raise
        return self._value_of(reply, memory_bytes)

    def close(self) -> None:
        """End the process and everything that it started. Harmless where it is closed already."""
        if self._closed:
            return
        self._closed = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _start(self, seconds: float) -> None:
        try:
            reply = self._exchange(b"", seconds)
        except CallFailed as failure:
            raise errors.EngineUnavailable(f"a helper process could not start: it {failure}") from failure
        if "ready" not in reply:
            self.close()
            raise errors.EngineUnavailable(f"a helper process could not start: {reply.get('unavailable', reply)}")

    def _value_of(self, reply: Mapping[str, Any], memory_bytes: int | None) -> Any:
        self.resident_bytes = int(reply.get("resident_bytes", 0))
        if "value" in reply:
            return reply["value"]
        message = str(reply.get("message", ""))
        if "own" in reply:
            raise getattr(errors, str(reply["own"]))(message)
        if reply.get("raised") == "MemoryError":
            self.close()  # whatever could not be allocated may have left libraries half-way through something
            raise OutOfMemory(_memory_message(memory_bytes), self._stderr_tail())
        raise CallRaised(str(reply.get("raised")), message, self._stderr_tail())

    def _exchange(self, request: bytes, seconds: float) -> dict[str, Any]:
        """Send the request and wait for one frame, both within the time; any failure ends the process."""
        self._stderr = b""
        try:
            return self._converse(memoryview(request), time.monotonic() + seconds, seconds)
        except frames.BadFrame as error:
            self.close()
            raise Garbled(f"sent back what is no reply: {error}", self._stderr_tail()) from error
        except BaseException:  # KeyboardInterrupt too: a reply that nobody waits for must not meet the next call
            self.close()
            raise

    def _converse(self, outgoing: memoryview, deadline: float, seconds: float) -> dict[str, Any]:
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        incoming = bytearray()
        expected = frames.HEADER.size
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stderr, selectors.EVENT_READ)
            if outgoing:
                selector.register(stdin, selectors.EVENT_WRITE)
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimedOut(f"took longer than {seconds:g} s", self._stderr_tail())
                for key, _ in selector.select(left):
                    if key.fileobj is stdin:
                        try:
                            outgoing = outgoing[os.write(key.fd, outgoing[:_READ_BYTES]) :]
                        except BrokenPipeError:
                            outgoing = outgoing[:0]  # it has ended; the other pipes tell how
                        if not outgoing:
                            selector.unregister(stdin)
                        continue
                    part = os.read(key.fd, _READ_BYTES)
                    if key.fileobj is stderr:
                        self._stderr = (self._stderr + part)[-4 * _STDERR_TAIL :]
                        if not part:
                            selector.unregister(stderr)
                        continue
                    if not part:
                        raise self._crash()
                    incoming += part
                    if expected == frames.HEADER.size and len(incoming) >= expected:
                        expected += frames.body_length(incoming[: frames.HEADER.size])
                    if len(incoming) > expected > frames.HEADER.size:
                        raise frames.BadFrame("more bytes than the reply has")
                    if len(incoming) == expected > frames.HEADER.size:
                        return frames.decode(incoming[frames.HEADER.size :])

    def _crash(self) -> Crashed:
        assert self._process.stderr is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)  # its pipe is closed: it is ending
        with suppress(BlockingIOError):
            self._stderr += self._process.stderr.read() or b""
        code = self._process.returncode
        how = "stopped answering" if code is None else f"exited with {code}" if code >= 0 else _signal_name(-code)
        tail = self._stderr_tail()
        last_line = tail.strip().rpartition("\n")[2][:200]
        return Crashed(f"crashed ({how}{': ' + last_line if last_line else ''})", tail)

    def _stderr_tail(self) -> str:
        return self._stderr.decode("utf-8", "replace")[-_STDERR_TAIL:]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _memory_message(memory_bytes: int | None) -> str:
    return "needed more memory than there is" if memory_bytes is None else f"needed more than {memory_bytes:,} bytes"
