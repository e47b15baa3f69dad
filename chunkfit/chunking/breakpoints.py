"""Which of the distances between neighbours are large enough to cut at."""

import math
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

Breakpoint = Literal["percentile", "standard_deviation", "interquartile", "gradient"]

AMOUNTS: dict[Breakpoint, float] = {
    "percentile": 95.0,
    "standard_deviation": 3.0,
    "interquartile": 1.5,
    "gradient": 95.0,
}
"""What LangChain's SemanticChunker takes where no amount is given."""


def amount_of(kind: Breakpoint, amount: float | None) -> float:
    """The amount to use: the kind's own where none is given. Raises ValueError for a kind or amount that is none."""
    if kind not in AMOUNTS:
        raise ValueError(f"breakpoint must be one of {', '.join(AMOUNTS)}, got {kind!r}")
    if amount is None:
        return AMOUNTS[kind]
    if kind in ("percentile", "gradient") and not 0 <= amount <= 100:
        raise ValueError(f"amount is a percentile for breakpoint={kind} and must lie in [0, 100], got {amount}")
    if not math.isfinite(amount):
        raise ValueError(f"amount must be a finite number, got {amount}")
    return amount


def signal(distances: NDArray[np.float64], kind: Breakpoint) -> NDArray[np.float64]:
    """What is compared: the distances, or for "gradient" their central differences, which one distance has none of."""
    if kind != "gradient" or len(distances) < 2:
        return distances
    return cast("NDArray[np.float64]", np.gradient(distances))


def above(values: NDArray[np.float64], kind: Breakpoint, amount: float) -> NDArray[np.int64]:
    """The indices of the values above the threshold, as LangChain's SemanticChunker defines it:

    - percentile, gradient: the values' percentile `amount`
    - standard_deviation: mean + amount · standard deviation (of the population)
    - interquartile: mean + amount · (third quartile - first quartile)

    A single value is never above its own threshold.
    """
    if len(values) < 2:
        return np.empty(0, np.int64)
    if kind == "standard_deviation":
        threshold = np.mean(values) + amount * np.std(values)
    elif kind == "interquartile":
        first, third = np.percentile(values, [25, 75])
        threshold = np.mean(values) + amount * (third - first)
    else:
        threshold = np.percentile(values, amount)
    return np.flatnonzero(values > threshold)


def largest(values: NDArray[np.float64], number: int) -> NDArray[np.int64]:
    """The indices of the `number` largest values, in order; of equal ones the earlier. All where there are fewer."""
    return np.sort(np.argsort(-values, kind="stable")[:number])
