"""Chunks of small documents, ready for export."""

from dataclasses import replace

from chunkfit.export import DocumentChunks, with_vectors
from chunkfit.model import Chunk
from fakes.letters import LetterEmbedder


def document_chunks(name, *texts, method="m", scores=None, vectors=True, embedder=None):
    """A document whose chunks are these texts, one behind the other, a token a character."""
    edges = [0]
    for text in texts:
        edges.append(edges[-1] + len(text))
    chunks = tuple(
        Chunk(name, method, index, text, edges[index], edges[index + 1], (1, 2), ("Roof", "Costs"), len(text), ("odd",))
        for index, text in enumerate(texts)
    )
    found = DocumentChunks(name, chunks, scores or {})
    return with_vectors(found, embedder or LetterEmbedder()) if vectors else replace(found, vectors=None)
