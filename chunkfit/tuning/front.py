"""What cannot be had better in one respect without being worse in another."""

from collections.abc import Iterable

from chunkfit.chunking import trait
from chunkfit.tuning.search import Tried


def cost(tried: Tried) -> tuple[int, int]:
    """The method's rank of expense (3 embeds every sentence, say), then the tokens that an index has to embed."""
    return int(str(trait(tried.candidate.method, "cost") or 0)), tried.tokens


def pareto_front(tried: Iterable[Tried]) -> tuple[Tried, ...]:
    """The candidates of which none other has at least their quality with no more chunks and no more cost, best first.

    Of several that are equal in all three, the first by name. Each must have been tried on the same documents.
    """
    ordered = sorted(tried, key=lambda one: (-one.quality, one.chunks, cost(one), one.candidate))
    front: list[Tried] = []
    for one in ordered:
        if not any(other.chunks <= one.chunks and cost(other) <= cost(one) for other in front):
            front.append(one)
    return tuple(front)
