"""A passage of the shape that chunking tutorials use: a few sentences on one subject, then on another, and a third."""

import json
import re
from dataclasses import dataclass

import numpy as np

from chunkfit.engines import Answer, Engines, default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from fakes.chat import materials
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


class SubjectChat:
    """Groups the numbered sentences that it is shown by their subject, and plans to."""

    id = "subjects"

    def ask(self, question):
        if "units" in question.schema["properties"]:
            return Answer(json.dumps({"kind": "reader", "units": "subjects", "target_tokens": 60}))
        sentences = re.findall(r"^\[(\d+)\] (.*)$", materials(question.user)[-1], re.MULTILINE)
        subjects = [_subject(words) for _, words in sentences]
        turns = [here != before for before, here in zip([None, *subjects], subjects, strict=False)]
        new = [int(number) for (number, _), turn in zip(sentences, turns, strict=True) if turn]
        return Answer(json.dumps({"starts": new}))


def _subject(sentence):
    words = sentence.lower().replace(",", " ").replace(".", " ").split()
    return max(_WORDS, key=lambda subject: sum(word in _WORDS[subject] for word in words))


def passage() -> Evidence:
    """The passage with the default sentences, vectors of its subjects, and a chat model that knows them."""
    default = default_engines()
    engines = Engines(SubjectEmbedder(), default.segmenter, default.coreference, SubjectChat())
    return Evidence(Document("passage", PASSAGE), engines)
