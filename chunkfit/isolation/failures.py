"""How one call into a child process can fail."""


class CallFailed(Exception):  # noqa: N818 - the family of failures below
    """One call failed. The message continues "the call ..." in a few words; `stderr` is the end of what was printed."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


class Crashed(CallFailed):
    """The process ended in the middle of the call: a segmentation fault, an abort, an exit, a kill from outside."""


class TimedOut(CallFailed):
    """The call was not done in time, and the process was killed."""


class OutOfMemory(CallFailed):
    """The call asked for more memory than it may have."""


class Garbled(CallFailed):
    """What came back was not a reply."""


class CallRaised(CallFailed):
    """The function raised something that is not one of `chunkfit.errors`; those are raised here as themselves."""

    def __init__(self, error: str, message: str, stderr: str = "") -> None:
        super().__init__(f"{error}: {message}" if message else error, stderr)
        self.error = error  # the name of its type
