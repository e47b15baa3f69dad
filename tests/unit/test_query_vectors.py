"""Vectors of search queries, from each kind of embedder."""

from functools import partial

import numpy as np
import pytest
from fakes.token_models import WordEncoder

from chunkfit.engines import EngineContext
from chunkfit.engines.embedding import TextEmbedder
from chunkfit.engines.embedding.late import LateEmbedder, Overlapping
from chunkfit.engines.protocols import Embedded
from chunkfit.engines.registry import embedders
from chunkfit.engines.static import StaticEmbedder
from chunkfit.errors import MethodFailed
from chunkfit.model import Document
from chunkfit.storage import Store
from chunkfit.usage import Usage


class Prompted:
    """Counts letters a and b, and adds 1 to the first where its prompt is "query"; keeps what it was given."""

    def __init__(self, prompt=""):
        self.id = f"letters {prompt}"
        self.prompt = prompt
        self.read = []

    def vectors(self, texts):
        self.read += texts
        rows = [[text.count("a") + (self.prompt == "query"), text.count("b")] for text in texts]
        return Embedded(np.array(rows, np.float32), Usage(characters=sum(map(len, texts)), texts=len(texts)))


def spent():
    usages = []
    return usages, usages.append


@pytest.mark.parametrize("text", ["Tea is hot.", " x", "  ", "\n\na", "a\ud800b", "漢字 tea", "x" * 3000, ""])
def test_a_static_query_has_the_vector_of_a_document_with_its_text(text):
    embedder = StaticEmbedder()
    (expected,) = embedder.embed(Document("d", text))(np.array([0]), np.array([len(text)]))
    _, row, _ = embedder.queries(["before", text, "behind"])
    assert row == pytest.approx(expected, abs=1e-6)


def test_static_queries_note_what_was_read_and_may_be_none():
    usages, spend = spent()
    assert StaticEmbedder().queries(["tea", "hot"], spend).shape == (2, 256)
    assert usages == [Usage(characters=6, texts=2)]
    assert StaticEmbedder().queries([]).shape == (0, 256)


def test_a_text_model_reads_each_query_once_ever(tmp_path):
    first, second = Prompted(), Prompted()
    usages, spend = spent()
    rows = TextEmbedder(first, Store(tmp_path)).queries(["ab", "a", "ab"], spend)
    assert rows == pytest.approx(np.array([[0.5**0.5, 0.5**0.5], [1, 0], [0.5**0.5, 0.5**0.5]]))
    assert sum(usages, Usage()) == Usage(characters=3, texts=2)
    assert np.array_equal(TextEmbedder(second, Store(tmp_path)).queries(["a"]), rows[1:2])
    assert second.read == []


def test_blank_queries_have_zeros_and_the_model_never_sees_them():
    model = Prompted()
    assert TextEmbedder(model).queries(["a", " \n", ""]).tolist() == [[1, 0], [0, 0], [0, 0]]
    assert model.read == ["a"]
    assert TextEmbedder(model).queries(["", " "]).shape == (2, 0)


def test_queries_under_another_prompt_are_kept_apart_from_documents(tmp_path):
    documents, queries = Prompted(), Prompted("query")
    embedder = TextEmbedder(documents, Store(tmp_path), query_model=queries)
    (as_document,) = embedder.embed(Document("d", "b"))(np.array([0]), np.array([1]))
    (as_query,) = embedder.queries(["b"])
    assert as_document.tolist() == [0, 1]
    assert as_query == pytest.approx([0.5**0.5, 0.5**0.5])
    assert embedder.id == "letters  queries=letters query"  # both decide what is found
    assert TextEmbedder(documents).id == "letters "


def test_a_model_that_cannot_read_queries_is_named():
    class Broken(Prompted):
        def vectors(self, texts):
            return Embedded(np.full((len(texts), 2), np.nan), Usage())

    with pytest.raises(MethodFailed, match="queries: the model letters  gave NaN"):
        TextEmbedder(Broken()).queries(["a"])


def test_a_late_query_is_the_mean_over_its_own_tokens_read_alone():
    # tokens (number, 1, before, behind): (0, 1, 0, 1) and (1, 1, 1, 0), mean (1, 2, 1, 1) / 2
    usages, spend = spent()
    rows = LateEmbedder(WordEncoder(), Overlapping()).queries(["aa bb", " ", "cc"], spend)
    assert rows == pytest.approx(np.array([[1, 2, 1, 1] / np.sqrt(7), [0] * 4, [0, 1, 0, 0]]))
    assert usages == [Usage(characters=7, texts=2)]


def test_a_late_query_longer_than_the_model_reads_goes_in_pieces(tmp_path):
    # three tokens of numbers 0, 1, 2 in pieces of 2 and 1; before 0, 1, 0 and behind 1, 0, 0
    encoder = WordEncoder(room=2)
    embedder = LateEmbedder(encoder, Overlapping(2, 1), Store(tmp_path))
    assert embedder.queries(["a b c"])[0] == pytest.approx(np.array([3, 3, 1, 1]) / np.sqrt(20))
    assert encoder.windows == [(0, 2), (2, 3)]
    again = WordEncoder(room=2)
    assert len(LateEmbedder(again, Overlapping(2, 1), Store(tmp_path)).queries(["a b c"])) == 1
    assert again.windows == []


@pytest.mark.slow
def test_a_sentence_transformers_model_reads_queries_under_the_prompt_that_is_named(tmp_path):
    import torch
    from fakes.tiny_bert import tiny_bert

    torch.set_num_threads(1)
    folder = tiny_bert(tmp_path / "model", prompts={"query": "q: "})
    make = partial(embedders["sentence_transformers"].make, EngineContext(), model=str(folder), device="cpu")
    plain, prompted = make(), make(query_prompt_name="query")
    text, as_query = "tea is hot", "q: tea is hot"
    assert plain.queries([text]) == pytest.approx(document(plain, text), abs=1e-6)
    assert prompted.queries([text]) == pytest.approx(document(plain, as_query), abs=1e-6)
    assert document(prompted, text) == pytest.approx(document(plain, text), abs=1e-6)
    assert prompted.id == f"{plain.id} queries={plain.id} prompt=query"


def document(embedder, text):
    return embedder.embed(Document("d", text))(np.array([0]), np.array([len(text)]))
