"""Retrieval of a document's chunkings, with labels and probes side by side."""

import numpy as np
import pytest

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.metaeval import Purpose, measure, recalls
from chunkfit.model import Chunking, Document, Scorecard, Span
from chunkfit.retrieval import Labelled

WORDS = ["harbour", "lantern", "meadow", "anvil", "orchard", "glacier"]
TEXT = "".join(f"The {word} is {word}. " for word in WORDS)
EDGES = [TEXT.index(f"The {word}") for word in WORDS] + [len(TEXT)]
SENTENCES = Chunking("sentences", tuple(map(Span, EDGES[:-1], EDGES[1:])))
WHOLE = Chunking("whole", (Span(0, len(TEXT)),))
PURPOSES = (Purpose("lexical", 5), Purpose("dense", 5), Purpose("lexical", 1000))


def asked(*words):
    return [Labelled(word, "d", (Span(EDGES[WORDS.index(word)], EDGES[WORDS.index(word) + 1] - 1),)) for word in words]


@pytest.fixture(scope="module")
def evidence():
    return Evidence(Document("d", TEXT), default_engines())


def test_each_question_has_a_recall_in_each_chunking_for_each_purpose(evidence):
    labels, others = recalls(evidence, [SENTENCES, WHOLE], [asked("anvil", "glacier"), asked("meadow")], PURPOSES)
    assert set(labels) == set(PURPOSES)
    assert labels[Purpose("lexical", 1000)].tolist() == [[1, 1], [1, 1]]  # all of the text fits
    assert others[Purpose("lexical", 1000)].tolist() == [[1], [1]]
    # five tokens of one chunk that is all the text reach its first sentence alone
    assert labels[Purpose("lexical", 5)][1].tolist() == [0, 0]
    assert (labels[Purpose("lexical", 5)][0] > 0.5).all()
    assert (labels[Purpose("dense", 5)][0] > 0.5).all()


def test_a_document_is_measured_with_its_probes_and_scorecards(evidence):
    cards = [Scorecard("sentences"), Scorecard("whole")]
    probes = {"probe": asked("lantern", "orchard"), "empty": []}
    found = measure(evidence, [SENTENCES, WHOLE], asked("anvil"), PURPOSES, probes, cards)
    assert (found.document, found.methods) == ("d", ("sentences", "whole"))
    assert found.recall[Purpose("dense", 5)].shape == (2, 1)
    assert list(found.probes) == ["probe"]
    assert set(found.probes["probe"]) == set(PURPOSES)
    assert found.picked("probe", Purpose("lexical", 5)) == 0
    assert found.groups.tolist() == [0]
    assert np.isfinite(found.means(Purpose("dense", 5))).all()


def test_what_does_not_belong_together_is_refused(evidence):
    with pytest.raises(ValueError, match="no questions about 'd'"):
        measure(evidence, [WHOLE], [], PURPOSES, {})
    with pytest.raises(ValueError, match="one chunking a method, got whole, whole"):
        measure(evidence, [WHOLE, WHOLE], asked("anvil"), PURPOSES, {})
    with pytest.raises(ValueError, match="one scorecard for each of sentences, whole"):
        measure(evidence, [SENTENCES, WHOLE], asked("anvil"), PURPOSES, {}, [Scorecard("whole")])
