"""Chunks as documents of Haystack."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.export.extras import extra
from chunkfit.export.ids import ids
from chunkfit.export.metadata import metadata, text_of, vectors_of

if TYPE_CHECKING:
    from haystack import Document


def haystack_documents(documents: Iterable[DocumentChunks]) -> "Iterator[Document]":
    """A `haystack.Document` a chunk, with its id, metadata, and the vector where there is one.

    Importing Haystack sets up its telemetry unless the environment says HAYSTACK_TELEMETRY_ENABLED=False. Raises
    ModuleNotFoundError where haystack-ai is not installed.
    """
    make = extra("haystack", "haystack").Document
    for found in documents:
        for chunk, name, vector in zip(found.chunks, ids(found.chunks), vectors_of(found), strict=True):
            yield make(id=name, content=text_of(chunk), meta=metadata(found, chunk), embedding=vector)
