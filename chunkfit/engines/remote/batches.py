"""Which texts go into one request."""

from collections.abc import Iterator, Sequence


def batches(tokens: Sequence[int], most: int, most_tokens: int) -> Iterator[slice]:
    """Runs of neighbours with at most `most` texts and `most_tokens` tokens together; one above that goes alone."""
    start = total = 0
    for number, size in enumerate(tokens):
        if number > start and (number - start == most or total + size > most_tokens):
            yield slice(start, number)
            start, total = number, 0
        total += size
    if start < len(tokens):
        yield slice(start, len(tokens))
