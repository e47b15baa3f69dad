"""The same sentences and vectors give the cuts of langchain-experimental's SemanticChunker."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from chunkfit.chunking.semantic import semantic
from chunkfit.engines import Engines, default_engines
from chunkfit.engines.static import StaticEmbedder
from chunkfit.evidence import Evidence
from chunkfit.model import Document, Span

text_splitter = pytest.importorskip("langchain_experimental.text_splitter", reason="pip install 'chunkfit[bench]'")

KINDS = ("percentile", "standard_deviation", "interquartile", "gradient")
TOPICS = (
    ("The sea", "A tide", "The harbour", "Salt water", "A wave"),
    ("Fresh bread", "The oven", "A loaf", "Rye flour", "The baker"),
    ("A violin", "The choir", "Slow music", "The second movement", "An old song"),
    ("The court", "A witness", "The judge", "This statute", "The appeal"),
)
ENDS = ("rises in the morning.", "is known to all?", "was there before us!", "comes back every year.", "has its price.")


class AfterEachStop:
    """Sentences where SemanticChunker's own expression parts them; each owns the blanks behind it."""

    id = "after each stop"

    def sentences(self, text):
        edges = [0, *(match.end() for match in re.finditer(r"(?<=[.?!])\s+", text)), len(text)]
        return tuple(Span(start, end) for start, end in pairwise(edges))


class OneByOne:
    """LangChain's protocol around an embedder of ours: each text is a document of its own."""

    def __init__(self, embedder):
        self._embedder = embedder

    def embed_documents(self, texts):
        alone = (self._embedder.embed(Document("text", text)) for text in texts)
        return [
            vectors(np.array([0]), np.array([len(text)]))[0].tolist()
            for vectors, text in zip(alone, texts, strict=True)
        ]


@dataclass(frozen=True)
class Letters:
    """How often each letter of the alphabet stands in a text: a model of another kind."""

    id: str = "letters"

    def embed(self, document):
        counts = np.array([[c == chr(97 + i) for i in range(26)] for c in document.text.lower()], float)
        before = np.concatenate([np.zeros((1, 26)), np.cumsum(counts.reshape(-1, 26), axis=0)])

        def vectors(starts, ends):
            sums = before[ends] - before[starts]
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            return (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32)

        return vectors


def written(seed: int, sentences: int) -> str:
    """Sentences that stay with a topic for a while, then turn to another."""
    random = np.random.default_rng(seed)
    topic, lines = 0, []
    for _ in range(sentences):
        if random.random() < 0.15:
            topic = int(random.integers(len(TOPICS)))
        lines.append(f"{random.choice(TOPICS[topic])} {random.choice(ENDS)}")
    return " ".join(lines)


TEXTS = {
    "sixty sentences": written(1, 60),
    "two hundred sentences": written(2, 200),
    "seven sentences": written(3, 7),
    "three sentences": written(4, 3),
    "one sentence": written(6, 1),
}


@cache
def embedder(name):
    return {"static": StaticEmbedder(), "letters": Letters()}[name]


def chunks(text: str, model: str, **settings) -> list[str]:
    engines = Engines(embedder(model), AfterEachStop(), default_engines().coreference)
    spans = semantic(Evidence(Document("text", text), engines), windows="langchain", **settings).spans
    return [span.of(text).strip() for span in spans]


def theirs(text: str, model: str, **settings) -> list[str]:
    return text_splitter.SemanticChunker(OneByOne(embedder(model)), **settings).split_text(text)


@pytest.mark.parametrize("model", ["static", "letters"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_cuts_are_equal_with_the_default_amount(text, kind, model):
    assert chunks(text, model, breakpoint=kind) == theirs(text, model, breakpoint_threshold_type=kind)


@pytest.mark.parametrize(
    ("kind", "amount"), [("percentile", 70.0), ("standard_deviation", 0.5), ("interquartile", 0.3), ("gradient", 60.0)]
)
@pytest.mark.parametrize("buffer", [0, 1, 2, 5])
def test_cuts_are_equal_with_other_amounts_and_buffers(kind, amount, buffer):
    for text in (TEXTS["sixty sentences"], TEXTS["seven sentences"]):
        ours = chunks(text, "static", breakpoint=kind, amount=amount, buffer=buffer)
        assert ours == theirs(
            text,
            "static",
            breakpoint_threshold_type=kind,
            breakpoint_threshold_amount=amount,
            buffer_size=buffer,
        )
        assert len(ours) > 1


def test_two_sentences_are_one_chunk_here_and_two_by_gradient_there():
    # one distance has no gradient: theirs cuts without a look at it
    text = written(5, 2)
    for kind in KINDS:
        assert chunks(text, "static", breakpoint=kind) == [text]
        assert len(theirs(text, "static", breakpoint_threshold_type=kind)) == (2 if kind == "gradient" else 1)


def test_cuts_are_equal_for_a_number_of_chunks():
    text = TEXTS["two hundred sentences"]
    for number in (1, 2, 7, 30):
        ours = chunks(text, "static", breakpoint="percentile", chunks=number)
        assert ours == theirs(text, "static", number_of_chunks=number)
        assert len(ours) == number


@pytest.mark.slow
def test_cuts_of_real_documents_are_equal(clair):
    from chunkfit.parsing.parsed_json import document_name, parsed_json

    for path in sorted((clair / "parsed").glob("*.json"))[:3]:
        data = path.read_bytes()
        # one blank between words: LangChain's windows have one between sentences, whatever stood there
        text = " ".join(parsed_json(data, document_name(data), len(data)).text.split())[:60_000]
        for kind in KINDS:
            assert chunks(text, "static", breakpoint=kind) == theirs(text, "static", breakpoint_threshold_type=kind)
