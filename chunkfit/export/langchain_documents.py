"""Chunks as documents of LangChain."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.export.extras import extra
from chunkfit.export.ids import ids
from chunkfit.export.metadata import metadata, text_of

if TYPE_CHECKING:
    from langchain_core.documents import Document


def langchain_documents(documents: Iterable[DocumentChunks]) -> "Iterator[Document]":
    """A `langchain_core.documents.Document` a chunk, with its id and metadata; they hold no vectors.

    Raises ModuleNotFoundError where langchain-core is not installed.
    """
    make = extra("langchain_core.documents", "langchain").Document
    for found in documents:
        for chunk, name in zip(found.chunks, ids(found.chunks), strict=True):
            yield make(id=name, page_content=text_of(chunk), metadata=metadata(found, chunk))
