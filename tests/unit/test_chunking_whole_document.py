"""The document in one piece."""

from chunkfit.chunking.whole_document import whole_document
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document, Span
from chunkfit.pipeline import chunk


def test_a_text_is_one_chunk_whatever_it_holds_and_no_text_none():
    for text in ("One. Two.", "   ", "\r\n"):
        assert whole_document(Evidence(Document("d", text), engines=None)).spans == (Span(0, len(text)),)
    assert whole_document(Evidence(Document("d", ""), engines=None)).spans == ()


def test_post_processing_splits_what_is_too_large():
    found = chunk(Document("d", "word " * 3000), "whole_document", engines=default_engines())
    assert len(found) == 3
    assert all(one.tokens <= 1150 for one in found)
