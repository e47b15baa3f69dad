"""Search in the chunks of documents."""

import numpy as np
import pytest
from fakes.letters import LetterEmbedder, letters

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Span
from chunkfit.retrieval import ChunkIndex, Queries
from chunkfit.retrieval import index as module
from chunkfit.retrieval.words import words
from chunkfit.usage import Usage

TEXT = "aab bb ccc"  # chunks "aab ", "bb ", "ccc"
SPANS = ((0, 4), (4, 7), (7, 10))


class Counting(LetterEmbedder):
    """Counts what it was asked for."""

    asked = ()

    def queries(self, texts, spend=None):
        object.__setattr__(self, "asked", (*self.asked, *texts))
        return super().queries(texts, spend)


def index(*texts_and_spans):
    return ChunkIndex.of(
        (letters(text), Chunking("m", tuple(Span(*span) for span in spans))) for text, spans in texts_and_spans
    )


def queries(*texts):
    return Queries(texts, LetterEmbedder())


def test_chunks_are_numbered_document_by_document():
    chunks = index((TEXT, SPANS), ("", ()), ("tea is hot", ((0, 6), (4, 10)))).chunks
    assert chunks.documents.tolist() == [0, 0, 0, 2, 2]
    assert chunks.starts.tolist() == [0, 4, 7, 0, 4]
    assert chunks.ends.tolist() == [4, 7, 10, 6, 10]
    assert chunks.tokens[3:].tolist() == [2, 2]  # "tea", " is"; "is", " hot"
    assert [chunks.of_document(number) for number in (0, 1, 2)] == [slice(0, 3), slice(3, 3), slice(3, 5)]


def test_dense_search_goes_by_the_cosine():
    # (2, 1, 0), (0, 1, 0) and (0, 0, 1) in length 1, against (1, 1, 0)
    scores = index((TEXT, SPANS)).scores(queries("ab"), "dense")
    assert scores == pytest.approx(np.array([[3 / 10**0.5, 1 / 2**0.5, 0]]))


def test_dense_search_finds_nothing_blank_and_nothing_for_a_blank_query():
    one = index(("ab   c", ((0, 2), (2, 5), (5, 6))))
    assert (one.scores(queries("a", " "), "dense") > -np.inf).tolist() == [[True, False, True], [False] * 3]
    assert one.search(queries("a", ""), "dense", 3).tolist() == [[0, 2, -1], [-1, -1, -1]]


def test_lexical_search_goes_by_words_alone_and_asks_no_embedder():
    embedder = Counting()
    found = index((TEXT, SPANS)).search(Queries(["bb", "ab"], embedder), "lexical", 2)
    assert found.tolist() == [[1, -1], [-1, -1]]
    assert embedder.asked == ()


def test_hybrid_search_finds_what_either_way_finds():
    # words: only chunk 1. Vectors: 1, 0 and 2, with cosines 1, 0.45 and 0. So 1 / 61 + 1 / 61, 1 / 62, 1 / 63.
    scores = index((TEXT, SPANS)).scores(queries("bb"), "hybrid")
    assert scores == pytest.approx(np.array([[1 / 62, 2 / 61, 1 / 63]]))


def test_queries_are_embedded_once_for_many_indexes():
    embedder = Counting()
    asked = Queries(["a", "b"], embedder)
    for spans in (SPANS, ((0, 10),)):
        index((TEXT, spans)).search(asked, "hybrid", 1)
    assert embedder.asked == ("a", "b")


def test_words_of_a_document_are_found_once_for_all_its_chunkings():
    evidence = letters(TEXT)
    for spans in (SPANS, ((0, 10),)):
        ChunkIndex.of([(evidence, Chunking("m", tuple(Span(*span) for span in spans)))]).search(
            queries("bb"), "lexical", 1
        )
    assert evidence.once(words) is evidence.once(words)


def test_search_by_tokens_goes_as_deep_as_the_smallest_chunks_need():
    # chunks of 3, 2 and 1 tokens: 3 tokens may need the two smallest, 4 all
    one = index((TEXT, SPANS))
    assert one.chunks.tokens.tolist() == [3, 2, 1]
    assert one.search_tokens(queries("abc"), "dense", 3).shape == (1, 2)
    assert one.search_tokens(queries("abc"), "dense", 4).shape == (1, 3)


@pytest.mark.parametrize("retriever", ["lexical", "dense", "hybrid"])
def test_batches_of_queries_change_nothing(retriever, monkeypatch):
    one, asked = index((TEXT, SPANS), ("cab aab", ((0, 4), (4, 7)))), ["bb", "", "aab ccc", "cab", "c"]
    whole = one.search(queries(*asked), retriever, 4)
    monkeypatch.setattr(module, "_SCORES_AT_ONCE", 11)
    assert np.array_equal(one.search(queries(*asked), retriever, 4), whole)


@pytest.mark.parametrize("retriever", ["lexical", "dense", "hybrid"])
def test_no_chunks_no_text_and_no_queries_are_no_problem(retriever):
    assert index(("", ())).search(queries("a"), retriever, 5).shape == (1, 0)
    assert ChunkIndex.of([]).search(queries("a"), retriever, 5).shape == (1, 0)
    assert index((TEXT, SPANS)).search(queries(), retriever, 5).shape == (0, 3)
    assert (index(("  ", ((0, 1), (1, 2)))).search(queries("a"), retriever, 5) == -1).all()


def test_documents_without_visible_text_have_vectors_without_numbers():
    class Late(LetterEmbedder):
        def embed(self, document):
            return super().embed(document) if document.text.strip() else lambda starts, _: np.zeros((len(starts), 0))

    documents = [(letters(text, Late()), Chunking("m", (Span(0, len(text)),))) for text in ("  ", "ab")]
    assert ChunkIndex.of(documents).search(queries("a"), "dense", 2).tolist() == [[1, -1]]


def test_an_unknown_retriever_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="unknown retriever 'bm25'; known: lexical, dense, hybrid"):
        index((TEXT, SPANS)).search(queries("a"), "bm25", 1)


def test_vectors_of_two_embedders_are_never_compared():
    other = Queries(["a"], LetterEmbedder(id="other letters"))
    with pytest.raises(ValueError, match=r"vectors of letters, the queries those of other letters"):
        index((TEXT, SPANS)).scores(other, "dense")
    assert index((TEXT, SPANS)).search(other, "lexical", 1).shape == (1, 1)


def test_what_queries_cost_is_noted():
    default = default_engines()
    evidence = Evidence(Document("d", "tea is hot"), default)
    asked = Queries(["tea", "is it hot?"], default.embedder)
    one = ChunkIndex.of([(evidence, Chunking("m", (Span(0, 4), Span(4, 10))))])
    one.search(asked, "dense", 1)
    one.search(asked, "dense", 1)
    assert asked.usage == Usage(characters=13, texts=2)
