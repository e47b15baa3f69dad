"""Vectors of spans from a model of texts: each distinct text is read once, and only good vectors are kept."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from fakes.text_models import LetterModel, letters

from chunkfit.chunking.semantic import semantic
from chunkfit.engines import Engines, default_engines
from chunkfit.engines.embedding import TextEmbedder
from chunkfit.errors import EngineUnavailable, MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Document, Span
from chunkfit.pipeline import evaluate
from chunkfit.settings import Settings
from chunkfit.storage import Store


def asked(embedder, text, *spans, name="d"):
    """The vectors of some spans of a text."""
    return embedder.embed(Document(name, text))(*np.array(spans, np.int64).reshape(-1, 2).T)


def one_by_one(text, width):
    return list(pairwise(range(0, len(text) + 1, width)))


def test_a_span_has_the_vector_of_its_text_scaled_to_length_1():
    # "aab" counts (2, 1, 0, 0, 1), of length sqrt(6); "b" counts (0, 1, 0, 0, 1), of length sqrt(2)
    rows = asked(TextEmbedder(LetterModel()), "aab b", (0, 3), (4, 5))
    assert rows.dtype == np.float32
    assert rows == pytest.approx(np.array([[2, 1, 0, 0, 1], [0, 1, 0, 0, 1]]) / np.sqrt([[6], [2]]))


def test_blank_spans_have_zeros_and_the_model_never_sees_them():
    model = LetterModel()
    rows = asked(TextEmbedder(model), "a \n\u3000 b", (0, 1), (1, 4), (2, 2), (5, 6))
    assert [bool(row.any()) for row in rows] == [True, False, False, True]
    assert sorted(model.texts) == ["a", "b"]


def test_blank_spans_asked_first_are_as_wide_as_others():
    vectors = TextEmbedder(LetterModel()).embed(Document("d", "  ab"))
    blank = vectors(np.array([0]), np.array([2]))
    assert blank.shape == vectors(np.array([2]), np.array([4])).shape == (1, 5)
    assert not blank.any()


@pytest.mark.parametrize("text", ["", " \n\t", "\u2028\u3000"])
def test_a_document_without_visible_text_asks_nothing(text):
    model = LetterModel()
    rows = asked(TextEmbedder(model), text, (0, len(text)), (0, 0))
    assert len(rows) == 2
    assert not rows.any()
    assert model.batches == []


def test_each_distinct_text_is_read_once_in_a_call_in_a_document_and_in_others():
    model = LetterModel()
    embedder = TextEmbedder(model)
    vectors = embedder.embed(Document("d", "ab ab ab cd"))
    vectors(np.array([0, 3, 6]), np.array([2, 5, 8]))
    vectors(np.array([0, 9]), np.array([2, 11]))
    assert sorted(model.texts) == ["ab", "cd"]
    assert (vectors.usage.texts, vectors.usage.characters) == (2, 4)
    other = embedder.embed(Document("other", "cd"))
    assert np.array_equal(other(np.array([0]), np.array([2])), vectors(np.array([9]), np.array([11])))
    assert len(model.texts) == 2
    assert not other.usage


def test_texts_are_read_once_by_all_runs_that_share_a_store(tmp_path):
    first, second, third = LetterModel(), LetterModel(), LetterModel(id="another model")
    spans = one_by_one("a b c d ab bc cd da", 2)
    rows = asked(TextEmbedder(first, Store(tmp_path)), "a b c d ab bc cd da", *spans)
    assert np.array_equal(asked(TextEmbedder(second, Store(tmp_path)), "a b c d ab bc cd da", *spans), rows)
    assert second.batches == []
    asked(TextEmbedder(third, Store(tmp_path)), "a b c d ab bc cd da", *spans)
    assert sorted(third.texts) == sorted(first.texts)


def test_a_second_evaluation_of_a_document_reads_nothing(tmp_path):
    text = "# Tea\n\nTea is hot. A cab came by. Bad ice.\n\n# Ice\n\nIce is cold. Dad came back. A bad cab.\n"
    defaults, models = default_engines(), [LetterModel(), LetterModel()]
    settings = Settings(methods=("sentence", "semantic", "recursive_600"))
    first, second = (
        evaluate(Document("d", text), settings, replace(defaults, embedder=TextEmbedder(model, Store(tmp_path))))
        for model in models
    )
    assert first.scorecards == second.scorecards
    assert len(models[0].texts) == len(set(models[0].texts)) > 0
    assert models[1].texts == []


def test_ten_thousand_sentences_come_in_batches_of_about_one_length():
    text = "".join(f"S{number}. " for number in range(10_000))
    edges = [0, *(position + 1 for position, character in enumerate(text) if character == " ")]
    model = LetterModel(at_most=64)
    asked(TextEmbedder(model, texts_at_once=64), text, *pairwise(edges))
    assert len(model.texts) == 10_000
    assert len(model.batches) == 157  # 10,000 / 64 = 156.25
    assert [len(text) for text in model.texts] == sorted(map(len, model.texts))


def test_a_text_with_a_lone_surrogate_is_given_as_valid_unicode():
    model = LetterModel()
    asked(TextEmbedder(model), "a\ud800b", (0, 3))
    assert model.texts == ["a\ufffdb"]


def test_offsets_are_code_points():
    # fields A8 and A9: every letter here is one code point, and several bytes
    model = LetterModel()
    asked(TextEmbedder(model), "Zürich 😀. Next. é", (0, 6), (7, 8), (10, 15), (16, 17))
    assert sorted(model.texts) == sorted(["Zürich", "😀", "Next.", "é"])


def test_special_tokens_of_models_are_plain_text():
    model = LetterModel()
    text = "x <|endoftext|> y <|im_start|> <s> [SEP]"
    asked(TextEmbedder(model), text, (0, len(text)))
    assert model.texts == [text]


@pytest.mark.parametrize("start, end", [(-1, 1), (0, 4), (2, 1)])
def test_a_span_outside_the_text_is_refused(start, end):
    with pytest.raises(ValueError, match="0 <= start <= end <= 3"):
        asked(TextEmbedder(LetterModel()), "abc", (start, end))


def test_batches_hold_at_least_one_text():
    with pytest.raises(ValueError, match="texts_at_once must be at least 1, got 0"):
        TextEmbedder(LetterModel(), texts_at_once=0)


def drops_some(texts):
    return letters([text for text in texts if "b" not in text])


def gives_one_row(texts):
    return letters(texts)[0] if len(texts) > 1 else letters(texts)


def gives_nan(texts):
    return np.where(np.array([["b" in text] for text in texts]), np.nan, letters(texts))


def gives_infinity(texts):
    return np.where(np.array([["b" in text] for text in texts]), np.inf, letters(texts))


def narrower_for_b(texts):
    return letters(texts)[:, : 3 if any("b" in text for text in texts) else 5]


@pytest.mark.parametrize(
    "rows, message",
    [
        (drops_some, r"gave an array of shape \(1, 5\) for 2 texts"),
        (gives_one_row, r"gave an array of shape \(5,\) for 2 texts"),
        (gives_nan, "gave NaN or infinity for 1 of 2 texts, such as 'bb'"),
        (gives_infinity, "gave NaN or infinity for 1 of 2 texts, such as 'bb'"),
        (narrower_for_b, "gave vectors of 3 numbers, and had given 5 before"),
    ],
)
def test_useless_answers_fail_for_their_document_by_name_and_are_not_kept(rows, message, tmp_path):
    embedder = TextEmbedder(LetterModel(rows), Store(tmp_path))
    good = asked(embedder, "a", (0, 1), name="before")
    with pytest.raises(MethodFailed, match=f"document 'report.pdf': the model letters {message}"):
        asked(embedder, "bb cc", (0, 2), (3, 5), name="report.pdf")
    assert np.array_equal(asked(embedder, "a", (0, 1), name="behind"), good)
    honest = LetterModel()
    assert np.array_equal(asked(TextEmbedder(honest, Store(tmp_path)), "a", (0, 1)), good)
    asked(TextEmbedder(honest, Store(tmp_path)), "bb cc", (0, 2), (3, 5))
    assert sorted(honest.texts) == ["bb", "cc"]


def test_a_model_that_drops_texts_disqualifies_a_method_on_that_document_alone():
    # field C11: the second document has what the model leaves out
    defaults = default_engines()
    engines = Engines(TextEmbedder(LetterModel(drops_some)), defaults.segmenter, defaults.coreference)
    texts = {"one": "A. C. D. A c.", "two": "A. C b. D. A c.", "three": "C. A. D."}
    known = {name: Evidence(Document(name, text), engines) for name, text in texts.items()}
    assert semantic(known["one"]).spans[-1].end == len(texts["one"])
    with pytest.raises(MethodFailed, match="document 'two'"):
        semantic(known["two"])
    assert semantic(known["three"]).spans[-1].end == len(texts["three"])


def test_what_a_model_gave_before_it_failed_is_not_asked_again(tmp_path):
    def breaks_at_four(texts):
        if any(len(text) == 4 for text in texts):
            raise EngineUnavailable("the server is gone")
        return letters(texts)

    model = LetterModel(breaks_at_four)
    text = "a aa aaa aaaa aaaaa"
    spans = [(0, 1), (2, 4), (5, 8), (9, 13), (14, 19)]
    vectors = TextEmbedder(model, Store(tmp_path), texts_at_once=1).embed(Document("d", text))
    with pytest.raises(EngineUnavailable, match="gone"):
        vectors(*np.array(spans).T)
    assert vectors.usage.texts == 3
    later = LetterModel()
    asked(TextEmbedder(later, Store(tmp_path)), text, *spans)
    assert later.texts == ["aaaa", "aaaaa"]


def test_threads_that_meet_the_same_texts_read_each_once():
    slow = threading.Event()

    def unhurried(texts):
        slow.wait(0.01)
        return letters(texts)

    model = LetterModel(unhurried)
    embedder = TextEmbedder(model, texts_at_once=3)
    words = ["a" * count for count in range(1, 40)]
    text = " ".join(words)
    spans = []
    for word in words:
        start = text.index(f" {word} ") + 1 if f" {word} " in text else text.index(word)
        spans.append((start, start + len(word)))
    orders = [spans, spans[::-1], spans[20:] + spans[:20], spans[::2] + spans[1::2]]
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda order: asked(embedder, text, *order), orders))
    assert sorted(model.texts, key=len) == words
    for order, answer in zip(orders, answers, strict=True):
        assert np.array_equal(answer, asked(TextEmbedder(LetterModel()), text, *order))


def test_a_thread_reads_what_another_failed_to():
    begun, fail = threading.Event(), threading.Event()

    def first_fails(texts):
        if not begun.is_set():
            begun.set()
            fail.wait(10)
            raise EngineUnavailable("the first caller has no luck")
        return letters(texts)

    embedder = TextEmbedder(LetterModel(first_fails))
    with ThreadPoolExecutor(2) as threads:
        unlucky = threads.submit(asked, embedder, "abc", (0, 3))
        begun.wait(10)
        lucky = threads.submit(asked, embedder, "abc", (0, 3))
        fail.set()
        assert lucky.result(10).shape == (1, 5)
        with pytest.raises(EngineUnavailable, match="no luck"):
            unlucky.result(10)


def test_spans_of_a_chunking_can_be_asked_in_any_order():
    embedder = TextEmbedder(LetterModel())
    spans = [Span(0, 2), Span(1, 3), Span(0, 3)]
    forwards = asked(embedder, "abc", *((span.start, span.end) for span in spans))
    backwards = asked(embedder, "abc", *((span.start, span.end) for span in reversed(spans)))
    assert np.array_equal(forwards, backwards[::-1])
