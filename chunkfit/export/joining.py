"""A text from its chunks."""

from collections.abc import Iterable

from chunkfit.model import Chunk


def joined(chunks: Iterable[Chunk]) -> str:
    """The text that chunks were cut from, up to the last of them. They may overlap.

    Raises ValueError where some of it is in none: chunks are handed over after post-processing, which covers the text.
    """
    parts, edge = [], 0
    for chunk in chunks:
        if chunk.start > edge:
            raise ValueError(
                f"{chunk.document!r}: none holds [{edge}, {chunk.start}) of the text; give chunks of the final stage"
            )
        if chunk.end > edge:
            parts.append(chunk.text[edge - chunk.start :])
            edge = chunk.end
    return "".join(parts)
