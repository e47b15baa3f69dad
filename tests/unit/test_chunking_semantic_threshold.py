"""A fixed threshold for the likeness of neighbours."""

import pytest
from fakes.letters import letters

from chunkfit.chunking import cut_raw
from chunkfit.chunking.semantic_threshold import semantic_threshold
from chunkfit.evidence import Evidence
from chunkfit.model import Document


def texts(text: str, **settings) -> list[str]:
    return [span.of(text) for span in semantic_threshold(letters(text), **settings).spans]


def test_unlike_neighbours_are_parted():
    # equal letters have cosine 1, others 0
    assert texts("aabbba") == ["aa", "bbb", "a"]


def test_the_threshold_itself_does_not_part():
    assert texts("ab", threshold=0) == ["ab"]
    assert texts("aa", threshold=1) == ["aa"]


def test_a_sentence_without_any_token_counts_as_the_one_before():
    assert texts("aa  a") == ["aa  a"]
    assert texts("aa  b") == ["aa  ", "b"]
    assert texts("  ab") == ["  a", "b"]


def test_the_settings_of_semantic_apply():
    # "ab" and "a" are a token each; eight a are one, too
    assert texts("aaaaaaaab", min_size=2) == ["aaaaaaaab"]
    assert texts("a" * 16, size=1) == ["a" * 8, "a" * 8]
    assert cut_raw("semantic_threshold[threshold=0.2,min_size=2]", letters("ab")).spans


def test_one_sentence_is_one_chunk_and_no_text_none():
    assert texts("a") == ["a"]
    assert semantic_threshold(Evidence(Document("empty", ""), engines=None)).spans == ()


@pytest.mark.parametrize(
    "settings", [{"threshold": 1.1}, {"threshold": float("nan")}, {"size": 0}, {"batch": 0}], ids=str
)
def test_settings_out_of_range_are_refused_before_anything_else(settings):
    with pytest.raises(ValueError, match="got"):
        semantic_threshold(Evidence(Document("empty", ""), engines=None), **settings)
