"""Chunks as nodes of LlamaIndex."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.export.extras import extra
from chunkfit.export.ids import ids
from chunkfit.export.metadata import flat, metadata, text_of, vectors_of

if TYPE_CHECKING:
    from llama_index.core.schema import TextNode

SHOWN = ("document", "pages", "titles")
"""What a language model is shown of a chunk's metadata. An embedder is shown none: chunks were chosen by their text."""


def llama_index_nodes(documents: Iterable[DocumentChunks]) -> "Iterator[TextNode]":
    """A `llama_index.core.schema.TextNode` a chunk: id, offsets, the vector where there is one, and flat metadata.

    Each node knows the one before and after it and its document, whose id is the document's name. Raises
    ModuleNotFoundError where llama-index-core is not installed.
    """
    schema = extra("llama_index.core.schema", "llama-index")
    kinds = schema.NodeRelationship
    for found in documents:
        nodes = []
        for chunk, name, vector in zip(found.chunks, ids(found.chunks), vectors_of(found), strict=True):
            told = flat(metadata(found, chunk))
            nodes.append(
                schema.TextNode(
                    id_=name,
                    text=text_of(chunk),
                    metadata=told,
                    start_char_idx=chunk.start,
                    end_char_idx=chunk.end,
                    embedding=vector,
                    excluded_embed_metadata_keys=list(told),
                    excluded_llm_metadata_keys=[key for key in told if key not in SHOWN],
                    relationships={kinds.SOURCE: schema.RelatedNodeInfo(node_id=told["document"])},
                )
            )
        for before, after in pairwise(nodes):
            before.relationships[kinds.NEXT] = after.as_related_node_info()
            after.relationships[kinds.PREVIOUS] = before.as_related_node_info()
        yield from nodes
