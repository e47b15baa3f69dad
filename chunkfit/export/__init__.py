"""Chosen chunks on their way into an index: files, a vector database, documents of other libraries.

    found = [with_vectors(choose(parse(path)), embedder) for path in paths]
    write_lancedb(found, "minutes.lance")

What is exported is a stream of `DocumentChunks`, one a document. `choose` makes one of a document, `chosen` of an
evaluation, `chosen_in` all of a run's folder; `with_vectors` adds vectors. Every target takes any such stream.
"""

from chunkfit.export.choosing import choose, chosen, with_vectors
from chunkfit.export.columns import OtherTable
from chunkfit.export.document_chunks import DocumentChunks, Vectors
from chunkfit.export.haystack_documents import haystack_documents
from chunkfit.export.ids import ids
from chunkfit.export.jsonl import write_jsonl
from chunkfit.export.lance_table import write_lancedb
from chunkfit.export.langchain_documents import langchain_documents
from chunkfit.export.llama_index_nodes import llama_index_nodes
from chunkfit.export.parquet import write_parquet
from chunkfit.export.runs import chosen_in, embedder_of_run, export_run

__all__ = [
    "DocumentChunks",
    "OtherTable",
    "Vectors",
    "choose",
    "chosen",
    "chosen_in",
    "embedder_of_run",
    "export_run",
    "haystack_documents",
    "ids",
    "langchain_documents",
    "llama_index_nodes",
    "with_vectors",
    "write_jsonl",
    "write_lancedb",
    "write_parquet",
]
