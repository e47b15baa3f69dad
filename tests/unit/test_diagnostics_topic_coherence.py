import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from chunkfit.metrics import diagnostics, measured
from chunkfit.metrics.topic_coherence import topic_coherence
from chunkfit.model import Score, Span
from chunkfit.settings import Settings

pytestmark = pytest.mark.slow  # gensim and spaCy are loaded

TEA = "Green leaves steep slowly in boiling water. Black leaves need a warm pot. "
PUMP = "The pump pushes cold oil through a steel valve. A worn valve makes the pump lose oil. "
TEXT = TEA * 3 + PUMP * 3
FEW = "fewer than two chunks hold two words that may name a topic"

# The words that may name a topic: at least three letters, and none of spaCy's English stop words.
TEA_WORDS = ["green", "leaves", "steep", "slowly", "boiling", "water", "black", "leaves", "need", "warm", "pot"]
PUMP_WORDS = ["pump", "pushes", "cold", "oil", "steel", "valve", "worn", "valve", "makes", "pump", "lose", "oil"]


@pytest.fixture
def halves(chunking):
    """Six chunks of one passage each."""
    edges = [*range(0, 3 * len(TEA), len(TEA)), *range(3 * len(TEA), len(TEXT) + 1, len(PUMP))]
    return chunking(*pairwise(edges))


def test_it_is_gensims_c_v_of_gensims_topics(evidence, halves):
    from gensim.corpora import Dictionary
    from gensim.models import CoherenceModel, LdaModel

    texts = [TEA_WORDS] * 3 + [PUMP_WORDS] * 3
    dictionary = Dictionary(texts)
    corpus = [dictionary.doc2bow(text) for text in texts]
    model = LdaModel(corpus, num_topics=3, id2word=dictionary, passes=10, eval_every=None, random_state=7)
    expected = CoherenceModel(model, texts=texts, dictionary=dictionary, coherence="c_v", topn=15, processes=1)
    score = topic_coherence(halves, evidence(TEXT), topics=3, passes=10, top_words=15, seed=7)
    assert score.value == pytest.approx(expected.get_coherence())
    assert 0 < score.value < 1


def test_the_same_seed_gives_the_same_value_in_any_thread_whatever_was_drawn_before(evidence, halves):
    expected = topic_coherence(halves, evidence(TEXT), topics=3)
    np.random.seed(12345)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: topic_coherence(halves, evidence(TEXT), topics=3), range(8)))
    assert found == [expected] * 8


def test_no_other_process_is_started(evidence, halves, monkeypatch):
    def refuse():
        raise AssertionError("a process was started")

    monkeypatch.setattr(os, "fork", refuse)
    assert topic_coherence(halves, evidence(TEXT)).value is not None


@pytest.mark.parametrize(
    "text, spans",
    [
        ("", [(0, 0)]),
        (TEA, [(0, len(TEA))]),  # one chunk
        (TEA, [(0, len(TEA)), (0, len(TEA))]),  # the same one twice
        ("Leaves. Water. Valve.", [(0, 8), (8, 15), (15, 21)]),  # a word each
        ("Leaves in water. It is.", [(0, 17), (17, 23)]),  # no topic in the second
        ("12 34 56. 78 90.", [(0, 10), (10, 16)]),
        ("It is as it was. So are we all.", [(0, 17), (17, 31)]),  # nothing but stop words
        ("今天下雨。我在家！你呢？", [(0, 5), (5, 12)]),  # no blanks that part words
    ],
)
def test_fewer_than_two_chunks_with_two_words_give_no_topics(text, spans, evidence, chunking):
    assert topic_coherence(chunking(*spans), evidence(text)) == Score(None, FEW)


def test_chunks_of_the_same_words_have_no_topics_between_them(evidence, chunking):
    # each word stands in every window: its information about the others is 0, and c_v would be 1 by rounding alone
    score = topic_coherence(chunking((0, 13), (13, 25)), evidence("leaves water water leaves"))
    assert score == Score(None, "all chunks hold the same words: no topic tells them apart")


def test_a_word_counts_once_in_the_chunk_that_holds_its_beginning(evidence, chunking, halves):
    # every chunk starts 20 earlier; a cut through the last word of a chunk, "pot" or "oil", changes nothing
    overlapping = chunking(*((max(0, span.start - 20), span.end) for span in halves.spans), overlap=20)
    inner = [span.end - 3 for span in halves.spans[:-1]]  # behind the "o" of "pot. " and the "i" of "oil. "
    cut = chunking(*pairwise([0, *inner, len(TEXT)]))
    assert TEXT[inner[0] - 2 : inner[0] + 1] == "pot"
    known = evidence(TEXT)
    assert topic_coherence(overlapping, known) == topic_coherence(cut, known) == topic_coherence(halves, known)


def test_stop_words_are_those_of_the_documents_language(evidence, chunking):
    # nothing but French stop words in the second chunk; for an English document "avec" and "mais" would be words
    text = "Les feuilles vertes infusent lentement dans une eau très chaude. Mais elles sont avec nous, donc avec vous."
    cut = Span(65, len(text)).of(text)
    assert cut.startswith("Mais")
    assert topic_coherence(chunking((0, 65), (65, len(text))), evidence(text)) == Score(None, FEW)


@pytest.mark.parametrize("setting", [{"topics": 0}, {"passes": 0}, {"top_words": 1}, {"seed": -1}])
def test_settings_without_sense_are_refused_before_any_work(setting, evidence, chunking):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} must be at least"):
        topic_coherence(chunking(), evidence(""), **setting)


def test_it_is_measured_only_where_it_is_named():
    assert "topic_coherence" not in [part.name for part in measured(Settings())]
    assert [part.name for part in measured(Settings(diagnostics=("topic_coherence",)))] == ["topic_coherence"]
    assert [part.name for part in diagnostics if part.traits["costly"]] == ["topic_coherence", "retrieval_probe"]
