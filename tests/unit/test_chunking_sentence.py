"""A number of sentences per chunk."""

import pytest

from chunkfit.chunking.sentence import sentence
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document


def texts(text: str, **settings) -> list[str]:
    return [span.of(text) for span in sentence(Evidence(Document("text", text), default_engines()), **settings).spans]


def test_five_sentences_make_a_chunk_and_the_rest_the_last():
    text = " ".join(f"Here is sentence {word}." for word in ("one", "two", "three", "four", "five", "six", "seven"))
    found = texts(text)
    assert len(found) == 2
    assert found[1] == "Here is sentence six. Here is sentence seven."


def test_the_blanks_between_sentences_are_kept_as_they_are():
    text = "End one.  Start two.\n\nGo on.\tThen three.  "
    found = texts(text, sentences_per_chunk=1)
    assert "".join(found) == text
    assert found[1] == "Start two.\n\n"


def test_two_sentences_may_be_two_chunks():
    assert texts("One is here. Two is there.", sentences_per_chunk=1) == ["One is here. ", "Two is there."]


def test_one_sentence_is_one_chunk():
    assert texts("Only one.") == ["Only one."]


def test_no_sentence_is_no_chunk_and_blanks_are_one():
    assert texts("") == []
    assert texts("   ") == ["   "]


@pytest.mark.parametrize("number", [0, -1])
def test_a_chunk_needs_a_sentence(number):
    with pytest.raises(ValueError, match=f"at least 1, got {number}"):
        texts("One. Two.", sentences_per_chunk=number)
