"""Chunks as JSONL and Parquet, and what all exports share: ids, vectors, texts from chunks."""

import io
import json
import uuid
from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from fakes.exports import document_chunks
from fakes.letters import LetterEmbedder

from chunkfit.engines import default_engines
from chunkfit.export import DocumentChunks, Vectors, choose, chosen, ids, with_vectors, write_jsonl, write_parquet
from chunkfit.export.joining import joined
from chunkfit.model import Document
from chunkfit.pipeline import chunk, evaluate
from chunkfit.settings import Settings

SETTINGS = Settings(methods=("page", "fixed"))


def jsonl(*documents):
    file = io.BytesIO()
    assert write_jsonl(documents, file) == len(documents)
    return [json.loads(line) for line in file.getvalue().splitlines()]


def parquet(*documents):
    file = io.BytesIO()
    assert write_parquet(documents, file) == len(documents)
    file.seek(0)
    return file


def test_an_id_stays_while_document_method_span_and_text_do():
    one, two = document_chunks("d", "aa", "bb").chunks
    first, second = ids([one, two])
    assert uuid.UUID(first).version == 5
    assert ids([replace(one, index=7, tokens=9, pages=(), titles=(), flags=()), two]) == (first, second)
    changes = ({"document": "e"}, {"method": "n"}, {"start": 1}, {"end": 3}, {"text": "ab"})
    assert len({first, *(ids([replace(one, **change)])[0] for change in changes)}) == 6


def test_a_chunk_given_twice_has_two_ids():
    (one,) = document_chunks("d", "aa").chunks
    assert len(set(ids([one, one]))) == 2


def test_a_line_of_json_holds_all_of_a_chunk():
    found = document_chunks("d", "ab", " ", scores={"BI": 0.5, "RC": None})
    first, second = jsonl(found)
    assert first == {
        "id": ids(found.chunks)[0],
        "document": "d",
        "method": "m",
        "index": 0,
        "text": "ab",
        "start": 0,
        "end": 2,
        "pages": [1, 2],
        "titles": ["Roof", "Costs"],
        "tokens": 2,
        "flags": ["odd"],
        "scores": {"BI": 0.5, "RC": None},
        "vector": pytest.approx([0.5**0.5, 0.5**0.5, 0, 0, 0, 0]),
    }
    assert second["vector"] is None  # a blank chunk is alike to nothing
    assert "vector" not in jsonl(document_chunks("d", "a", vectors=False))[0]


def test_a_lone_surrogate_is_escaped_in_json_and_replaced_in_parquet_under_the_same_id():
    found = document_chunks("d\ud800", "a\udfffb")
    (line,) = jsonl(found)
    (row,) = pl.read_parquet(parquet(found)).rows(named=True)
    assert (line["text"], row["chunk_text"]) == ("a\udfffb", "a\N{REPLACEMENT CHARACTER}b")
    assert line["id"] == row["id"] == ids(found.chunks)[0]


def test_parquet_holds_the_columns_of_a_run_with_ids_scores_and_vectors():
    one = document_chunks("d", "ab", scores={"BI": 0.5})
    file = parquet(document_chunks("blank", " "), document_chunks("none"), one)
    assert pq.read_schema(io.BytesIO(file.getvalue())).metadata[b"chunkfit.embedder"] == b"letters"
    rows = pl.read_parquet(file).rows(named=True)
    assert [(row["doc_name"], row["type"], row["start"], row["end"]) for row in rows] == [
        ("blank", "no_small_chunks", 0, 1),
        ("d", "no_small_chunks", 0, 2),
    ]
    assert rows[0]["vector"] is None
    assert list(rows[1]["vector"]) == pytest.approx([0.5**0.5, 0.5**0.5, 0, 0, 0, 0])
    assert rows[1]["scores"] == [{"metric": "BI", "score": 0.5}]


def test_no_documents_are_an_empty_file_and_an_empty_table():
    assert jsonl() == []
    assert len(pl.read_parquet(parquet())) == 0


def test_vectors_of_two_embedders_are_not_mixed():
    other = document_chunks("e", "a", embedder=LetterEmbedder("others"))
    with pytest.raises(ValueError, match="vectors of letters and 'e' comes with vectors of others"):
        parquet(document_chunks("d", "a"), other)
    with pytest.raises(ValueError, match="'e' comes with no vectors"):
        parquet(document_chunks("d", "a"), document_chunks("e", "a", vectors=False))


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_vectors_that_are_no_numbers_are_refused(number):
    with pytest.raises(ValueError, match="finite"):
        Vectors("letters", np.array([[1, number]], np.float32))


def test_vectors_and_chunks_of_something_else_are_refused():
    (one,) = document_chunks("d", "a").chunks
    with pytest.raises(ValueError, match="2 vectors for 1 chunks"):
        DocumentChunks("d", (one,), vectors=Vectors("letters", np.zeros((2, 3), np.float32)))
    with pytest.raises(ValueError, match="a chunk of 'd' stands among those of 'e'"):
        DocumentChunks("e", (one,))


def test_a_text_is_joined_from_chunks_that_overlap_and_not_across_a_gap():
    first, second, third = document_chunks("d", "abc", "def", "ghi").chunks
    lapping = replace(second, text="bcdef", start=1)
    assert joined([first, lapping, replace(first, text="c", start=2), third]) == "abcdefghi"
    with pytest.raises(ValueError, match=r"\[3, 6\)"):
        joined([first, third])


def test_vectors_are_those_of_the_spans_in_their_document():
    text = "Copper pans heat evenly. " * 200
    embedder = default_engines().embedder
    found = with_vectors(choose(Document("d", text), "fixed"), embedder)
    starts, ends = (np.array([getattr(one, edge) for one in found.chunks]) for edge in ("start", "end"))
    assert np.array_equal(found.vectors.rows, embedder.embed(Document("d", text))(starts, ends))
    assert found.vectors.embedder == embedder.id


def test_what_is_best_comes_with_its_scores_and_a_named_method_without():
    document = Document("d", "Copper pans heat evenly. They react with sour food.\n\n" * 60)
    evaluation = evaluate(document, SETTINGS)
    best = choose(document, settings=SETTINGS)
    assert best.chunks == evaluation.chunks()
    card = next(card for card in evaluation.scorecards if card.method == evaluation.selection.best)
    assert best.scores == {name: score.value for name, score in [*card.scores.items(), *card.diagnostics.items()]}
    assert choose(document, "page").chunks == chunk(document, "page") == chosen(evaluation, "page").chunks
    assert choose(document, "page").scores == {}


def test_an_empty_document_has_no_chunks_to_export():
    found = with_vectors(choose(Document("d", ""), settings=SETTINGS), default_engines().embedder)
    assert (found.chunks, jsonl(found), len(pl.read_parquet(parquet(found)))) == ((), [], 0)
