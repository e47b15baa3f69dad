"""The texts that a search brings back within a budget."""

from collections.abc import Iterable, Sequence

from chunkfit.model import Document
from chunkfit.retrieval import Chunks


def retrieved_texts(
    ranking: Iterable[int], chunks: Chunks, documents: Sequence[Document], budget: int
) -> tuple[str, ...]:
    """The texts of one question's ranking within `budget` o200k_base tokens, best first.

    The same characters that `within_budgets` measures: the first chunk that does not fit is cut, and of its n code
    points and t tokens gives the first floor(n * tokens left / t). `documents` are in the order of the index. Raises
    ValueError for a budget below 1.
    """
    if budget < 1:
        raise ValueError(f"a budget must be at least 1 token, got {budget}")
    found = []
    left = budget
    for number in ranking:
        if number < 0 or left <= 0:
            break
        start, end, tokens = int(chunks.starts[number]), int(chunks.ends[number]), int(chunks.tokens[number])
        if tokens > left:
            end = start + (end - start) * left // tokens
        found.append(documents[int(chunks.documents[number])].text[start:end])
        left -= tokens
    return tuple(text for text in found if text.strip())
