"""Topic coherence: whether the words of topics, found in the chunks, stand together in the chunks."""

from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from chunkfit.engines.language import detect_language
from chunkfit.evidence import Evidence
from chunkfit.metrics import registry
from chunkfit.metrics.edges import Offsets
from chunkfit.metrics.neighbours import new_text
from chunkfit.metrics.words import words
from chunkfit.model import Chunking, Score

SHORTEST = 3
"""Letters of a word that may name a topic."""


@registry.diagnostics.register("topic_coherence", version=1, chance=True, costly=True)
def topic_coherence(
    chunking: Chunking,
    evidence: Evidence,
    *,
    topics: int = 5,
    passes: int = 10,
    top_words: int = 20,
    seed: int = 0,
) -> Score:
    """c_v of the topics that latent Dirichlet allocation finds with the chunks as its documents, clipped to [0, 1].

    For each topic's `top_words` most probable words, c_v counts how often they stand in one window of 110 words within
    a chunk, makes of each word the vector of its normalised pointwise mutual information with the others, and takes the
    mean cosine of a word's vector with the sum of all. Source: Röder, Both and Hinneburg, "Exploring the Space of Topic
    Coherence Measures" (WSDM 2015); LDA and c_v are gensim's, in one process, from `seed`, over `passes` passes.

    Words are runs of at least 3 letters in lower case, less spaCy's stop words of the document's language (none are
    taken off where the language is not known or has no list). A word counts in the first chunk that holds its beginning
    with the text that no earlier chunk holds. Scripts without blanks between words have no such words. Chunks of fewer
    than two words are left out. None where fewer than two chunks remain, and where all of them hold the same words.
    Raises ValueError for settings that are too small: at least one topic, one pass, two words, seed 0.

    Rewards chunks that are each about some of the topics. Over a corpus it reads the size of chunks: a window never
    reaches beyond its chunk, so in small chunks any two words that meet at all seem bound to one another. In a single
    document another seed moves it as far as another method does. Read the lift, over many documents. Dropping text that
    fits no topic raises it.
    """
    _require(topics=(topics, 1), passes=(passes, 1), top_words=(top_words, 2), seed=(seed, 0))
    texts = _texts(chunking, evidence)
    if len(texts) < 2:
        return Score(None, "fewer than two chunks hold two words that may name a topic")
    if len(set(map(frozenset, texts))) < 2:
        return Score(None, "all chunks hold the same words: no topic tells them apart")
    coherence = _coherence(texts, topics=topics, passes=passes, top_words=top_words, seed=seed)
    if not np.isfinite(coherence):
        return Score(None, "gensim finds no number for c_v here")
    return Score(float(np.clip(coherence, 0, 1)))


def _coherence(texts: list[list[str]], *, topics: int, passes: int, top_words: int, seed: int) -> float:
    from gensim.corpora import Dictionary
    from gensim.models import CoherenceModel, LdaModel

    dictionary = Dictionary(texts)
    model = LdaModel(
        [dictionary.doc2bow(text) for text in texts],
        num_topics=topics,
        id2word=dictionary,
        passes=passes,
        eval_every=None,  # the perplexity is only logged
        random_state=np.random.RandomState(seed),
    )
    measure = CoherenceModel(model, texts=texts, dictionary=dictionary, coherence="c_v", topn=top_words, processes=1)
    with np.errstate(all="ignore"):  # it divides by lengths of vectors; the caller looks at what comes of it
        return float(measure.get_coherence())


def _texts(chunking: Chunking, evidence: Evidence) -> list[list[str]]:
    """The words of each chunk that has at least two."""
    new, index = new_text(chunking, evidence), evidence.once(_topic_words)
    first, last = np.searchsorted(index.starts, new.starts), np.searchsorted(index.starts, new.ends)
    return [index.words[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True) if b - a > 1]


class _TopicWords(NamedTuple):
    """The words of a document that may name a topic, by place."""

    starts: Offsets  # code points
    words: list[str]


def _topic_words(evidence: Evidence) -> _TopicWords:
    known = words(evidence)
    stop_words = _stop_words(detect_language(evidence.document.text))
    may_name = [
        len(word) >= SHORTEST and word not in stop_words and not any(map(str.isnumeric, word))
        for word in known.vocabulary
    ]
    chosen = np.array(may_name, bool)[known.numbers]
    return _TopicWords(known.starts[chosen], [known.vocabulary[n] for n in known.numbers[chosen].tolist()])


def _stop_words(language: str | None) -> frozenset[str]:
    """spaCy's list; none where it has none for the language."""
    module = f"spacy.lang.{'nb' if language == 'no' else language}"
    if language is None or find_spec(module) is None:
        return frozenset()
    return frozenset(import_module(f"{module}.stop_words").STOP_WORDS)


def _require(**settings: tuple[int, int]) -> None:
    for name, (value, least) in settings.items():
        if value < least:
            raise ValueError(f"{name} must be at least {least}, got {value}")
