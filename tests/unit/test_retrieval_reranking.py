"""A cross-encoder puts what was found into another order."""

import pytest
from fakes.exports import document_chunks
from fakes.tiny_bert import tiny_bert

from chunkfit.errors import EngineRefused
from chunkfit.retrieval.lance import Found
from chunkfit.retrieval.reranking import Reranker

pytestmark = pytest.mark.slow

TEXTS = ("tea is hot", "ice is cold", "tea", "cold cold ice")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A cross-encoder of two small layers with random weights that reads 32 tokens."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("cross")
    encoder = tiny_bert(folder).parent / "encoder"
    config = BertConfig.from_pretrained(encoder, num_labels=1)
    torch.manual_seed(3)
    BertForSequenceClassification(config).eval().save_pretrained(folder / "cross")
    AutoTokenizer.from_pretrained(encoder).save_pretrained(folder / "cross")
    return str(folder / "cross")


def found(*texts):
    return [Found(str(number), chunk, 0.0) for number, chunk in enumerate(document_chunks("d", *texts).chunks)]


def test_the_order_is_that_of_the_models_scores(model):
    from sentence_transformers import CrossEncoder

    scores = CrossEncoder(model, device="cpu").predict([("hot tea", text) for text in TEXTS]).tolist()
    assert len(set(scores)) == 4
    again = Reranker(model, device="cpu").rerank("hot tea", found(*TEXTS))
    expected = sorted(range(4), key=lambda number: -scores[number])
    assert [int(one.id) for one in again] == expected
    assert [one.score for one in again] == pytest.approx([scores[number] for number in expected], abs=1e-5)
    assert Reranker(model, device="cpu").rerank("hot tea", found(*TEXTS), limit=2) == again[:2]


def test_a_long_chunk_has_the_score_of_its_best_window(model):
    # The query takes two of 32 tokens, and this tokenizer puts none around a pair: windows of 30 tokens.
    reranker = Reranker(model, device="cpu")
    windows = [" ".join(["tea"] * 30), " ".join(["ice"] * 30), "hot"]
    alone = [one.score for one in reranker.rerank("hot tea", found(*windows))]
    (whole,) = reranker.rerank("hot tea", found(" ".join(windows)))
    assert whole.score == pytest.approx(max(alone), abs=1e-5)


def test_equal_chunks_stay_as_found_and_nothing_is_nothing(model):
    reranker = Reranker(model, device="cpu")
    assert [one.id for one in reranker.rerank("tea", found("ice", "ice", "ice"))] == ["0", "1", "2"]
    assert reranker.rerank("tea", []) == ()
    assert len(reranker.rerank("te\ud800a", found("", "\udfff"))) == 2


def test_a_query_without_room_for_a_chunk_is_refused(model):
    with pytest.raises(ValueError, match="shorten it"):
        Reranker(model, device="cpu").rerank("tea " * 40, found("ice"))


def test_a_model_that_cannot_be_had_is_told(tmp_path):
    with pytest.raises(EngineRefused, match="cannot be loaded"):
        Reranker(str(tmp_path)).rerank("tea", found("ice"))
