from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from chunkfit.engines import default_engines, static
from chunkfit.engines.static import StaticEmbedder
from chunkfit.model import Document

TEXT = (
    "# Überschrift\n\nStatic vectors, summed: 1,234.5 tokens (or so).\n\n\n  - naïve café — l’été\t\r\n"
    "天气很好。我在家。 한국어 문장입니다 👩‍👩‍👧 e\u0301 \u05e9\u05dc\u05d5\u05dd  <s> </s> <unk> <|endoftext|>\n"
) * 3


@pytest.fixture(scope="module")
def embedder():
    return StaticEmbedder()


@pytest.fixture(scope="module")
def alone():
    """The vector of a text by the plain rule: all its tokens at once, the mean of their rows, scaled to length 1."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    home = Path(find_spec("wordllama").origin).parent
    tokenizer = Tokenizer.from_file(str(home / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.encode_special_tokens = True
    table = load_file(home / "weights" / "l2_supercat_256.safetensors")["embedding.weight"].astype(np.float64)

    def vector(text):
        mean = table[tokenizer.encode(text, add_special_tokens=False).ids].mean(axis=0)
        return mean / np.linalg.norm(mean)

    return vector


def test_the_vector_of_a_span_is_that_of_the_span_read_alone(embedder, alone):
    vectors = embedder.embed(Document("d", TEXT))
    random = np.random.default_rng(0)
    starts = random.integers(0, len(TEXT) - 1, 400)
    ends = np.minimum(starts + random.choice([1, 2, 5, 30, 200], 400), len(TEXT))
    expected = np.array([alone(TEXT[start:end]) for start, end in zip(starts, ends, strict=True)])
    assert np.abs(vectors(starts, ends) - expected).max() < 1e-5


def test_answers_do_not_depend_on_what_was_asked_before(embedder):
    spans = np.arange(0, 100, 10), np.arange(50, 150, 10)
    first = embedder.embed(Document("d", TEXT))
    asked = first(*spans)
    first(np.zeros(len(TEXT), dtype=np.int64), np.arange(len(TEXT)))
    embedder.embed(Document("other", "something else"))
    assert np.array_equal(first(*spans), asked)
    assert np.array_equal(StaticEmbedder().embed(Document("d", TEXT))(*spans), asked)


def test_more_spans_than_are_remembered_are_answered_as_one_by_one(embedder):
    text = "word after word " * 2000
    starts = np.arange(len(text) - 40)
    vectors = embedder.embed(Document("d", text))
    some = [0, 5_000, 20_001, len(starts) - 1]
    assert np.allclose(vectors(starts, starts + 40)[some], vectors(starts[some], starts[some] + 40), atol=1e-6)


@pytest.mark.parametrize("sums", [1, 100])
def test_an_enormous_text_keeps_fewer_sums_and_has_the_same_vectors(sums, embedder, monkeypatch):
    starts, ends = np.arange(0, len(TEXT), 7), np.minimum(np.arange(0, len(TEXT), 7) + 60, len(TEXT))
    usual = embedder.embed(Document("d", TEXT))(starts, ends)
    monkeypatch.setattr(static, "_SUMS_WITHIN", sums)  # as if the text were longer than is kept every second word of
    assert np.allclose(embedder.embed(Document("d", TEXT))(starts, ends), usual, atol=1e-6)


def test_a_span_without_text_has_a_vector_of_zeros(embedder):
    vectors = embedder.embed(Document("d", "some text"))
    assert not vectors(np.array([0, 4, 9]), np.array([0, 4, 9])).any()
    assert vectors(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).shape == (0, 256)


def test_an_empty_document_can_be_asked(embedder):
    assert not embedder.embed(Document("d", ""))(np.array([0]), np.array([0])).any()


@pytest.mark.parametrize("start, end", [(-1, 3), (0, 10), (5, 4)])
def test_a_span_outside_the_text_is_refused(start, end, embedder):
    with pytest.raises(ValueError, match="0 <= start <= end <= 9"):
        embedder.embed(Document("d", "some text"))(np.array([start]), np.array([end]))


def test_a_lone_surrogate_is_read_as_a_replacement_character(embedder):
    broken, mended = (embedder.embed(Document("d", f"a {character} b")) for character in ("\ud800", "\ufffd"))
    assert np.array_equal(broken(np.array([0]), np.array([5])), mended(np.array([0]), np.array([5])))


@pytest.mark.parametrize(
    "text", ["a" * 300_000, " " * 300_000, "\n" * 300_000, "漢" * 30_000, "'" * 30 + "B" * 300_000]
)
def test_hostile_text_gives_finite_unit_vectors(text, embedder):
    vectors = embedder.embed(Document("d", text))
    middle = len(text) // 2
    answers = vectors(np.array([0, 0, middle - 7]), np.array([len(text), middle, middle + 6]))
    assert np.allclose(np.linalg.norm(answers, axis=1), 1, atol=1e-5)


def test_the_default_engines_are_made_once_and_load_nothing_before_they_are_asked():
    engines = default_engines()
    assert engines is default_engines()
    assert engines.embedder.id == "wordllama/l2_supercat_256"
