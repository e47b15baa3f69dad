"""A passage of the shape that chunking tutorials use: a few sentences on one subject, then on another, and a third."""

from dataclasses import dataclass

import numpy as np

from chunkfit.engines import Engines, default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from fakes.letters import alone

SUBJECTS: dict[str, tuple[str, ...]] = {
    "bees": (
        "A bee that comes home with nectar dances for the others. ",
        "The angle of her dance tells the other bees which way the flowers lie. ",
        "Bees that have watched the dance fly straight to the flowers. ",
        "A hive can so empty a whole field of nectar in one morning. ",
    ),
    "bread": (
        "A loaf begins with flour, water and a spoon of sour dough. ",
        "The dough rests for a night, and the flour drinks the water. ",
        "In the oven the dough rises once more before the crust is hard. ",
    ),
    "tides": (
        "The moon pulls at the sea, and a tide follows it around the earth. ",
        "Twice a day the tide climbs out of the sea up the harbour wall. ",
        "When sun and moon pull together, the tide is highest. ",
        "A harbour pilot knows each tide of the year by heart.",
    ),
}
"""The sentences on each subject; each owns the blank behind it."""

SENTENCES = tuple(sentence for sentences in SUBJECTS.values() for sentence in sentences)
PASSAGE = "".join(SENTENCES)

_WORDS = {
    "bees": ("bee", "bees", "nectar", "dance", "dances", "flowers", "hive", "field"),
    "bread": ("flour", "dough", "oven", "crust", "water"),
    "tides": ("moon", "sea", "tide", "harbour", "sun", "pilot"),
}


@dataclass(frozen=True)
class SubjectEmbedder:
    """How many words of each of the three subjects a span holds, as a direction: three in each sentence, of one."""

    id: str = "subjects"

    def embed(self, document):
        def direction(text):
            words = text.lower().replace(",", " ").replace(".", " ").split()
            counts = np.array([sum(word in subject for word in words) for subject in _WORDS.values()], np.float32)
            return counts / max(np.linalg.norm(counts), 1)

        def vectors(starts, ends):
            spans = zip(starts.tolist(), ends.tolist(), strict=True)
            return np.array([direction(document.text[a:b]) for a, b in spans], np.float32).reshape(-1, len(_WORDS))

        return vectors

    def queries(self, texts, spend=None):
        return alone(self, texts)


def passage() -> Evidence:
    """The passage with the default sentences, and vectors of its subjects."""
    default = default_engines()
    return Evidence(Document("passage", PASSAGE), Engines(SubjectEmbedder(), default.segmenter, default.coreference))
