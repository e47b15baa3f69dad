"""Regular expressions that somebody else wrote: compiled and run where they can be killed.

Python's `re` backtracks: `(x+x+)+y` needs 2^n steps on n times x, holds the interpreter lock all the while, and no
thread or signal handler of the same process gets it back. Compiling can fail as badly, so that happens there as well.
"""

import atexit
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from chunkfit.isolation.failures import CallFailed
from chunkfit.isolation.pool import Pool

LONGEST_PATTERN = 1000  # code points of a pattern; one that a reader can check has fewer than a hundred
FLAGS = re.MULTILINE

_FIND = f"{__name__}.find"
_MOST_CHILDREN = 2  # of 15 MB each; a sound pattern takes milliseconds
_MEMORY_BYTES = 256_000_000  # beyond what holding the text takes
_BYTES_PER_CODE_POINT = 24  # the request in JSON, where an escape takes 12, and the text itself


class BadPattern(ValueError):  # noqa: N818
    """The pattern cannot be used. The message continues "it ..." in a few words."""


def match_starts(pattern: str, text: str, *, most: int, seconds: float) -> tuple[int, ...]:
    """Where the matches of a pattern start, in order, each once; the two ends of the text are left out.

    The pattern is Python's, with ^ and $ at every line (re.MULTILINE); other flags it has to set itself. Matches do not
    overlap, as `re.finditer` finds them. Raises BadPattern where the pattern is empty, too long or no pattern, where it
    does not come to an end within `seconds` or in bounded memory, and where there would be more than `most` starts;
    EngineUnavailable where no child process can be started.
    """
    if not pattern:
        raise BadPattern("is empty")
    if len(pattern) > LONGEST_PATTERN:
        raise BadPattern(f"has {len(pattern):,} characters, more than {LONGEST_PATTERN:,}")
    memory = _MEMORY_BYTES + _BYTES_PER_CODE_POINT * len(text)
    try:
        found = _pool().call(
            _FIND, {"pattern": pattern, "text": text, "most": most}, seconds=seconds, memory_bytes=memory
        )
    except CallFailed as failure:
        raise BadPattern(" ".join(str(failure).split())) from failure
    if isinstance(found, str):
        raise BadPattern(found)
    return tuple(found)


def find(pattern: str, text: str, most: int) -> list[int] | str:
    """The child's side: the starts, or what is wrong with the pattern."""
    try:
        compiled = re.compile(pattern, FLAGS)
    except re.error as problem:
        return f"is no regular expression of Python's re: {problem}"
    except (OverflowError, RecursionError) as problem:
        return f"cannot be compiled: {problem}"
    starts = list(islice(_inner_starts(compiled, text), most + 1))
    if len(starts) > most:
        return f"matches at more than {most:,} places in {len(text):,} characters"
    return starts


def _inner_starts(compiled: re.Pattern[str], text: str) -> Iterator[int]:
    last = 0
    for match in compiled.finditer(text):
        if last < (start := match.start()) < len(text):  # an empty match may start where a longer one does
            yield start
            last = start


@cache
def _pool() -> Pool:
    pool = Pool([_FIND], size=_MOST_CHILDREN)
    atexit.register(pool.close)
    return pool
