"""What a server says it has read and written."""

from collections.abc import Mapping
from typing import Any


def count_in(payload: Mapping[str, Any], name: str) -> int | None:
    """A number of tokens from the usage in an answer; None where the server does not say."""
    usage = payload.get("usage")
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if isinstance(found, int) and found >= 0 else None
