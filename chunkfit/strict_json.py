"""JSON that others wrote: nothing in it is trusted, and nothing is read in a way that its writer may not have meant."""

import json
from collections.abc import Sequence
from typing import Any

from chunkfit.model import Span

LONGEST_TEXT = 2**31
"""No text has so many characters, and larger numbers are for no array."""


def loads(text: str) -> Any:
    """The value. Raises ValueError also for a name twice in one object, NaN and Infinity, and too deep nesting."""
    try:
        return json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def shown(value: object) -> str:
    """A value that was read, short enough for a message."""
    text = f"{type(value).__name__} of {len(value)}" if isinstance(value, (list, dict)) else repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def stated_span(start: object, end: object, where: str) -> Span:
    """A span that a file states, in code points. Raises ValueError, which names `where`, for anything but one."""
    for name, value in (("start", start), ("end", end)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{where} needs a whole number of code points as {name}, got {shown(value)}")
    assert isinstance(start, int)
    assert isinstance(end, int)
    if not 0 <= start < end < LONGEST_TEXT:
        raise ValueError(f"{where} needs 0 <= start < end < 2**31, got [{shown(start)}, {shown(end)}]")
    return Span(start, end)


def _distinct(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name {shown(name)} is there twice in one object")
        found[name] = value
    return found


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is no number of JSON")
