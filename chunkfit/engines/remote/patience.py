"""How long to wait before asking a server again, and when to stop."""

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime


@dataclass(frozen=True)
class Patience:
    """Exponential backoff with jitter. Six attempts wait 16 to 23 seconds in all, which outlasts most short jams."""

    attempts: int = 6
    first: float = 0.5  # seconds
    longest: float = 20.0
    most_asked: float = 60.0  # a server that asks for a longer pause is given up at once: earlier would be impolite
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random

    def pause(self, attempt: int, asked: float | None = None) -> float | None:
        """Seconds to wait behind the `attempt`-th failure, counted from 1; None: do not ask again.

        min(longest, first * 2^(attempt - 1)) or the time that the server asked for, whichever is longer, and up to
        half of that more by chance, so that those who failed together do not come back together.
        """
        asked = asked or 0.0
        if attempt >= self.attempts or asked > self.most_asked:
            return None
        return max(asked, min(self.longest, self.first * 2.0 ** (attempt - 1))) * (1 + self.chance() / 2)


def asked_pause(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that a server asks to wait by Retry-After (seconds or a date) or retry-after-ms; None: it does not say.

    `now` is the time in seconds since 1970.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
