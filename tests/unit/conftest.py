"""What metrics are tried on: a text, its blocks and its pairs by hand, and vectors that can be worked out by hand."""

import numpy as np
import pytest
from fakes.letters import alone

from chunkfit.engines import Engines, Segmenter
from chunkfit.evidence import Evidence
from chunkfit.model import Block, Chunking, Document, Mentions, Pair, Span
from chunkfit.usage import Usage


class LetterEmbedder:
    """The vector of a text counts its letters a, b, c, ... and is then scaled to length 1."""

    id = "letters"

    def embed(self, document):
        letters = np.array([[character == chr(97 + i) for i in range(26)] for character in document.text])
        before = np.concatenate([np.zeros((1, 26)), np.cumsum(letters.reshape(-1, 26), axis=0)])

        def vectors(starts, ends):
            sums = before[ends] - before[starts]
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            return np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0).astype(np.float32)

        vectors.usage = Usage(characters=len(document.text))
        return vectors

    def queries(self, texts, spend=None):
        return alone(self, texts)


class WholeText(Segmenter):
    id = "one sentence"

    def sentences(self, text):
        return (Span(0, len(text)),) if text else ()


class NoCoreference:
    id = "none"

    def resolve(self, document):
        return Mentions("none", reason="nobody looked for mentions")


@pytest.fixture
def engines():
    return Engines(LetterEmbedder(), WholeText(), NoCoreference())


@pytest.fixture
def evidence(engines):
    """evidence(text, block_ends=[...], pairs=[((start, end), (start, end)), ...])"""

    def make(text, block_ends=(), pairs=None):
        blocks = tuple(
            Block("paragraph", Span(start, end)) for start, end in zip([0, *block_ends], block_ends, strict=False)
        )
        found = None if pairs is None else tuple(Pair(Span(*entity), Span(*pronoun)) for entity, pronoun in pairs)
        mentions = None if found is None else Mentions("by hand", pairs=found)
        return Evidence(Document("d", text, blocks=blocks), engines, mentions)

    return make


@pytest.fixture
def chunking():
    """chunking((start, end), ...)"""

    def make(*spans, overlap=0):
        return Chunking("m", tuple(Span(*span) for span in spans), overlap=overlap)

    return make
