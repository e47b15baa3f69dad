"""Chunks as the document objects of other libraries."""

import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # read when haystack is imported
os.environ["LANGSMITH_TRACING"] = "false"

import pytest
from fakes.exports import document_chunks

from chunkfit.export import haystack_documents, ids, langchain_documents, llama_index_nodes
from chunkfit.export.extras import extra

pytestmark = pytest.mark.slow

FOUND = document_chunks("d\ud800", "ab", " ", "c\udfff", scores={"BI": 0.5, "RC": None})
TOLD = {
    "document": "d\N{REPLACEMENT CHARACTER}",
    "method": "m",
    "index": 0,
    "start": 0,
    "end": 2,
    "tokens": 2,
    "pages": [1, 2],
    "titles": ["Roof", "Costs"],
    "flags": ["odd"],
    "score_BI": 0.5,
}
FLAT = TOLD | {"pages": "1, 2", "titles": "Roof > Costs", "flags": "odd"}
VECTOR = pytest.approx([0.5**0.5, 0.5**0.5, 0, 0, 0, 0])


def test_langchain_documents_hold_text_id_and_metadata():
    pytest.importorskip("langchain_core")
    documents = list(langchain_documents([FOUND, document_chunks("empty")]))
    assert [document.id for document in documents] == list(ids(FOUND.chunks))
    assert [document.page_content for document in documents] == ["ab", " ", "c\N{REPLACEMENT CHARACTER}"]
    assert documents[0].metadata == TOLD


def test_haystack_documents_hold_vectors_too():
    pytest.importorskip("haystack")
    documents = list(haystack_documents([FOUND]))
    assert [document.id for document in documents] == list(ids(FOUND.chunks))
    assert [document.content for document in documents] == ["ab", " ", "c\N{REPLACEMENT CHARACTER}"]
    assert (documents[0].meta, documents[0].embedding, documents[1].embedding) == (TOLD, VECTOR, None)
    assert next(haystack_documents([document_chunks("d", "a", vectors=False)])).embedding is None


def test_llama_index_nodes_know_their_neighbours_and_offsets():
    pytest.importorskip("llama_index.core")
    first, second, third = llama_index_nodes([FOUND])
    assert (first.prev_node, first.next_node.node_id) == (None, second.node_id)
    assert (second.prev_node.node_id, second.next_node.node_id) == (first.node_id, third.node_id)
    assert third.next_node is None
    assert {node.ref_doc_id for node in (first, second, third)} == {FLAT["document"]}
    assert (third.start_char_idx, third.end_char_idx) == (3, 5)
    assert (first.metadata, first.embedding, second.embedding) == (FLAT, VECTOR, None)
    assert [first.node_id, second.node_id, third.node_id] == list(ids(FOUND.chunks))


def test_llama_index_embeds_the_text_alone_and_shows_where_it_is_from():
    schema = pytest.importorskip("llama_index.core.schema")
    node = next(llama_index_nodes([FOUND]))
    assert node.get_content(schema.MetadataMode.EMBED) == "ab"
    shown = node.get_content(schema.MetadataMode.LLM)
    assert "Roof > Costs" in shown
    assert "score_BI" not in shown


def test_documents_do_not_become_neighbours():
    pytest.importorskip("llama_index.core")
    last, first = llama_index_nodes([document_chunks("d", "a"), document_chunks("e", "a")])
    assert last.next_node is None
    assert first.prev_node is None


def test_a_missing_package_is_told_with_its_extra():
    with pytest.raises(ModuleNotFoundError, match=r"pip install chunkfit\[langchain\]"):
        extra("no_such_package_at_all.documents", "langchain")
