"""Cuts where meaning changes, on vectors made by hand."""

from dataclasses import dataclass

import numpy as np
import pytest

from chunkfit.chunking.semantic import semantic
from chunkfit.engines import Engines, default_engines
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Document, Span


@dataclass(frozen=True)
class LetterEmbedder:
    """The direction of a span: how many a, b, c, ... it holds. Blanks have none."""

    id: str = "letters"

    def embed(self, document):
        letters = np.array([[character == letter for letter in "abcdef"] for character in document.text], np.float32)
        before = np.concatenate([np.zeros((1, 6), np.float32), np.cumsum(letters.reshape(-1, 6), axis=0)])

        def vectors(starts, ends):
            sums = before[ends] - before[starts]
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            return sums / np.where(lengths > 0, lengths, 1)

        return vectors


@dataclass(frozen=True)
class LetterSegmenter:
    """Each character is a sentence."""

    id: str = "letters"

    def sentences(self, text):
        return tuple(Span(start, start + 1) for start in range(len(text)))


@dataclass(frozen=True)
class ForgetfulEmbedder(LetterEmbedder):
    """Leaves out what has no direction, as some servers do with blank inputs."""

    def embed(self, document):
        vectors = super().embed(document)

        def some(starts, ends):
            found = vectors(starts, ends)
            return found[np.linalg.norm(found, axis=1) > 0]

        return some


def texts(text: str, embedder=None, **settings) -> list[str]:
    engines = Engines(embedder or LetterEmbedder(), LetterSegmenter(), default_engines().coreference)
    return [span.of(text) for span in semantic(Evidence(Document("letters", text), engines), **settings).spans]


def test_text_is_cut_where_the_topic_changes():
    # windows around the change are aab and abb: cosine (2·1 + 1·2) / 5 = 0.8, and 2 / √5 = 0.89 next to it
    assert texts("aaaaaabbbbbb", signal="distance") == ["aaaaaa", "bbbbbb"]


def test_each_change_of_topic_is_found():
    # 3 changes among 23 pairs: 0.2, next to 0.11 on each side; 87 % of the distances are below
    assert texts("aaaaaabbbbbbccccccdddddd", signal="distance", percentile=87) == [
        "aaaaaa",
        "bbbbbb",
        "cccccc",
        "dddddd",
    ]


def test_the_gradient_cuts_where_the_distance_rises():
    # distances around the change: 0, 0.11, 0.2, 0.11, 0; their central difference is largest one pair before it
    assert texts("aaaaaabbbbbb", signal="gradient") == ["aaaaa", "abbbbbb"]


def test_a_change_behind_the_first_sentence_is_found():
    # the first window would be ab, part of the second, abb; counted double, its sentence makes it aab
    assert texts("abb", signal="distance", percentile=50) == ["a", "bb"]
    assert texts("bba", signal="distance", percentile=50) == ["bb", "a"]


def test_an_even_text_is_one_chunk():
    assert texts("aaaaaaaa") == ["aaaaaaaa"]
    assert texts("aaaaaaaa", signal="distance") == ["aaaaaaaa"]


def test_sentences_without_any_token_cut_nothing():
    assert texts("aaaa    aaaa", signal="distance", percentile=0) == ["aaaa    aaaa"]


@pytest.mark.parametrize("signal", ["gradient", "distance"])
@pytest.mark.parametrize("text", ["a", "ab", " "])
def test_one_or_two_sentences_are_one_chunk(text, signal):
    assert texts(text, signal=signal) == [text]


def test_an_empty_text_has_no_chunks():
    assert texts("") == []


def test_an_embedder_that_drops_inputs_is_named_with_the_document():
    with pytest.raises(MethodFailed, match="letters gave 3 vectors for 6 spans of 'letters'"):
        texts("aa    ", ForgetfulEmbedder())


@pytest.mark.parametrize("settings", [{"percentile": -1}, {"percentile": 101}, {"signal": "slope"}])
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(ValueError, match="got"):
        texts("abc", **settings)
