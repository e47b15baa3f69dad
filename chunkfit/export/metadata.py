"""What is told of a chunk beside its text."""

from collections.abc import Iterable
from typing import Any

from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.model import Chunk

Metadata = dict[str, Any]


def metadata(found: DocumentChunks, chunk: Chunk) -> Metadata:
    """All of a chunk but its text, and the scores of its method as `score_<metric>`. What was not measured is absent.

    `document` is the name, `index` the place among the document's chunks, `start` and `end` are code points of the
    document's text, `tokens` are o200k_base. `pages`, `titles` and `flags` are lists.
    """
    return {
        "document": without_lone_surrogates(chunk.document),
        "method": chunk.method,
        "index": chunk.index,
        "start": chunk.start,
        "end": chunk.end,
        "pages": list(chunk.pages),
        "titles": [without_lone_surrogates(title) for title in chunk.titles],
        "tokens": chunk.tokens,
        "flags": list(chunk.flags),
        **{f"score_{metric}": score for metric, score in found.scores.items() if score is not None},
    }


def flat(told: Metadata) -> Metadata:
    """The same without lists, which many vector stores refuse: pages as "3, 4", titles as "Roof > Costs"."""
    joints = {"pages": ", ", "titles": " > ", "flags": "; "}
    return told | {name: joint.join(map(str, told[name])) for name, joint in joints.items()}


def text_of(chunk: Chunk) -> str:
    """Its text, as libraries that hold strings in UTF-8 can take it."""
    return without_lone_surrogates(chunk.text)


def vectors_of(found: DocumentChunks) -> Iterable[list[float] | None]:
    """The vector of each chunk, None where there is none."""
    return found.vectors.known() if found.vectors else [None] * len(found.chunks)
