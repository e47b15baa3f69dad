"""Chunks in LanceDB: written, written again, searched."""

from pathlib import Path

import numpy as np
import pytest
from fakes.exports import document_chunks
from fakes.letters import LetterEmbedder

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.export import choose, ids, with_vectors, write_lancedb
from chunkfit.model import Chunking, Document, Span
from chunkfit.retrieval import ChunkIndex, Queries
from chunkfit.retrieval.lance import search
from chunkfit.retrieval.lexical import Bm25
from chunkfit.retrieval.words import terms, words
from chunkfit.settings import PostprocessRules, Settings

lancedb = pytest.importorskip("lancedb", reason="LanceDB is an extra: pip install chunkfit[retrieval]")
pytestmark = pytest.mark.slow

LETTERS = LetterEmbedder()


@pytest.fixture
def write(tmp_path):
    """write(*documents): the table after they are written."""

    def written(*documents, **options):
        assert write_lancedb(documents, tmp_path, **options) == len(documents)
        return lancedb.connect(tmp_path).open_table("chunks")

    return written


def rows(table):
    return sorted((row["document"], row["index"], row["text"]) for row in table.to_arrow().to_pylist())


def test_a_row_holds_all_of_a_chunk(write):
    found = document_chunks("d", "Ab ba", scores={"BI": 0.5, "RC": None, "boundary contrast": 1.0})
    table = write(found)
    (row,) = table.to_arrow().to_pylist()
    assert row.pop("vector") == pytest.approx([1 / 5**0.5, 2 / 5**0.5, 0, 0, 0, 0])  # small letters: one a, two b
    assert row == {
        "id": ids(found.chunks)[0],
        "document": "d",
        "method": "m",
        "index": 0,
        "text": "Ab ba",
        "words": "ab ba",
        "start": 0,
        "end": 5,
        "pages": [1, 2],
        "titles": ["Roof", "Costs"],
        "tokens": 5,
        "flags": ["odd"],
        "score_BI": 0.5,
        "score_RC": None,
        "score_boundary_contrast": 1.0,
    }
    assert table.schema.metadata == {b"chunkfit.embedder": b"letters"}


def test_a_document_written_again_is_replaced_and_others_stay(write):
    write(document_chunks("d", "aa", "bb", "cc"), document_chunks("e", "dd"))
    again = write(document_chunks("d", "aa", "bb", "cc"))
    assert rows(again) == [("d", 0, "aa"), ("d", 1, "bb"), ("d", 2, "cc"), ("e", 0, "dd")]
    assert rows(write(document_chunks("d", "aabb", method="other"))) == [("d", 0, "aabb"), ("e", 0, "dd")]
    assert rows(write(document_chunks("d"))) == [("e", 0, "dd")]  # it is empty now


@pytest.mark.parametrize("name", ["O'Brien's", "' OR 1=1 --", 'a"b`c\\', "日本 😀", "half\ud800", ""])
def test_a_name_is_never_read_as_sql(write, name):
    write(document_chunks(name, "aa", "bb"), document_chunks("e", "cc"))
    table = write(document_chunks(name, "aa"))
    assert table.count_rows() == 2
    assert [one.chunk.text for one in search(table, "aa cc", "lexical", documents=[name])] == ["aa"]


def test_two_documents_of_one_name_are_refused(write):
    with pytest.raises(ValueError, match="two documents are named 'd'"):
        write(document_chunks("d", "aa"), document_chunks("d", "bb"))


def test_vectors_of_two_embedders_are_not_mixed(write):
    table = write(document_chunks("d", "aa"))
    with pytest.raises(ValueError, match="the table holds vectors of letters"):
        write(document_chunks("d", "bb", embedder=LetterEmbedder("others")))
    with pytest.raises(ValueError, match="holds vectors of letters; others was given"):
        search(table, "a", "dense", embedder=LetterEmbedder("others"))
    with pytest.raises(ValueError, match="give the embedder letters"):
        search(table, "a")


def test_scores_and_vectors_that_come_later_get_their_columns(write):
    write(document_chunks("blank", " ", scores={"BI": 1.0}))
    table = write(document_chunks("d", "ab", scores={"SC": 0.5}))
    found = {row["document"]: row for row in table.to_arrow().to_pylist()}
    assert (found["blank"]["score_BI"], found["blank"]["score_SC"], found["blank"]["vector"]) == (1.0, None, None)
    assert (found["d"]["score_BI"], found["d"]["score_SC"], len(found["d"]["vector"])) == (None, 0.5, 6)
    assert [one.chunk.document for one in search(table, "b", "dense", embedder=LETTERS)] == ["d"]


def test_a_table_of_something_else_is_left_alone(write, tmp_path):
    lancedb.connect(tmp_path).create_table("chunks", [{"mine": 1}])
    with pytest.raises(ValueError, match="not one of chunks: it has no id"):
        write(document_chunks("d", "aa"))


def test_nothing_makes_no_table_and_an_empty_document_an_empty_one(write, tmp_path):
    assert write_lancedb([], tmp_path) == 0
    assert not list(tmp_path.iterdir())
    table = write(document_chunks("d"))
    assert search(table, "anything", embedder=LETTERS) == ()


def test_without_vectors_words_are_searched_and_vectors_are_missed(write):
    table = write(document_chunks("d", "tea is hot", "ice is cold", vectors=False))
    assert [one.chunk.index for one in search(table, "ICE", "lexical")] == [1]
    with pytest.raises(ValueError, match="has no vectors; search it with the retriever 'lexical'"):
        search(table, "ice")


def test_what_is_found_is_the_chunk_as_it_was(write):
    found = document_chunks("d", "tea is hot", "ice is cold")
    table = write(found)
    (one,) = search(table, "tea", "lexical")
    assert (one.id, one.chunk) == (ids(found.chunks)[0], found.chunks[0])


def test_lexical_search_reads_no_query_language_and_finds_scripts_without_blanks(write):
    table = write(document_chunks("d", "tea AND ice", "今天下雨。", " "))
    assert [one.chunk.index for one in search(table, '+tea -ice "x" OR (', "lexical")] == [0]
    assert [one.chunk.index for one in search(table, "下雨", "lexical")] == [1]
    assert search(table, "?!", "lexical") == () == search(table, "", "lexical")


def test_hybrid_search_adds_what_places_are_worth(write):
    # words: only chunk 1. Vectors: 1, 0 and 2, with cosines 1, 0.45 and 0. So 2 / 61, 1 / 62, 1 / 63.
    table = write(document_chunks("d", "aab ", "bb ", "ccc"))
    found = search(table, "bb", embedder=LETTERS)
    assert [one.chunk.index for one in found] == [1, 0, 2]
    assert [one.score for one in found] == pytest.approx([2 / 61, 1 / 62, 1 / 63])
    assert search(table, "bb", limit=1, embedder=LETTERS) == found[:1]


def test_what_cannot_be_searched_for_is_refused(write):
    table = write(document_chunks("d", "aa"))
    with pytest.raises(ValueError, match="unknown retriever 'sparse'"):
        search(table, "a", "sparse")
    with pytest.raises(ValueError, match="limit"):
        search(table, "a", "lexical", 0)
    assert search(table, "aa", documents=[], embedder=LETTERS) == ()


def test_many_chunks_get_an_index_of_vectors_that_still_finds_them(write):
    generator = np.random.default_rng(0)
    texts = ["".join(generator.choice(list("abcdef"), 12)) for _ in range(400)]
    table = write(document_chunks("d", *texts), approximate_from=300)
    assert {"vector"} in [set(index.columns) for index in table.list_indices()]
    found = search(table, texts[7], "dense", 5, embedder=LETTERS)
    assert found[0].score == pytest.approx(1)
    table = write(document_chunks("e", "ffffffffffff"), approximate_from=300)
    assert search(table, "fff", "dense", 1, embedder=LETTERS)[0].chunk.document == "e"


SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "the-ferry-keys.txt"
QUESTIONS = ("Who lost the keys of the ferry?", "the old man and the harbour in the rain", "rope", "what did he say")


@pytest.fixture
def both(write):
    """A story in chunks of a sentence or two: as a table, and as an index in memory."""
    document = Document("story", SAMPLE.read_text(encoding="utf-8"))
    rules = PostprocessRules(min_tokens=0)
    found = choose(document, "sentence[sentences_per_chunk=1]", Settings(postprocess=rules))
    table = write(with_vectors(found, default_engines().embedder))
    spans = tuple(Span(one.start, one.end) for one in found.chunks)
    return table, ChunkIndex.of([(Evidence(document, default_engines()), Chunking("m", spans))])


def test_dense_search_equals_that_of_the_index_in_memory(both):
    table, index = both
    assert len(index.chunks) > 60
    queries = Queries(QUESTIONS, default_engines().embedder)
    scores, rankings = index.scores(queries, "dense"), index.search(queries, "dense", 20)
    for number, text in enumerate(QUESTIONS):
        found = search(table, text, "dense", 20, embedder=queries.embedder)
        assert [one.chunk.index for one in found] == rankings[number].tolist()
        assert [one.score for one in found] == pytest.approx(scores[number, rankings[number]], abs=1e-5)


def test_lexical_search_equals_that_of_the_index_in_memory_with_its_k1(both):
    # LanceDB has k1 = 1.2 and multiplies by k1 + 1; the words are the same.
    table, index = both
    bm25 = Bm25.of([words(evidence) for evidence in index.documents], index.chunks, k1=1.2)
    for text, scores in zip(QUESTIONS, bm25.scores([terms(text) for text in QUESTIONS]), strict=True):
        found = {one.chunk.index: one.score for one in search(table, text, "lexical", 1000)}
        assert found == pytest.approx({at: 2.2 * score for at, score in enumerate(scores) if score > 0}, rel=1e-5)
