"""The retrieval probe: questions that a document asks itself, and how much of their answers comes back.

A target is a run of one to three sentences. Its query is a handful of content words, some from the target and some
from the sentences around it, as people who ask remember something of what they look for and of what stands near it. No
labels and no language model are needed: the target is the answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.model import Span
from chunkfit.retrieval.labelled import Labelled
from chunkfit.retrieval.words import words

FEWEST_WORDS = 4  # distinct content words that a target needs, or there is nothing to ask

_FREQUENT = 0.05  # of the sentences: a word in more of them says nothing of any one
_OFTEN = 3  # sentences: but in a short text no word is frequent that is in so few
_TRIES = 20  # for each query, before a text counts as having no more


@dataclass(frozen=True, slots=True)
class Design:
    """How queries are drawn. Of several numbers one is drawn for each query, all being equally likely.

    Raises ValueError for a target without sentences, a query without words of its target, and numbers below 0.
    """

    sentences: tuple[int, ...] = (1, 2, 3)  # in a target
    own: tuple[int, ...] = (2, 3, 4, 5)  # words from the target
    around: tuple[int, ...] = (1, 2, 3, 4)  # and from what stands around it
    near: int = 3  # sentences on either side that stand around it

    def __post_init__(self) -> None:
        least = {"sentences": (self.sentences, 1), "own": (self.own, 1), "around": (self.around, 0)}
        for name, (numbers, low) in least.items():
            if not numbers or min(numbers) < low:
                raise ValueError(f"{name} must be one or more numbers from {low} up, got {numbers}")
        if self.near < 0:
            raise ValueError(f"near must be at least 0 sentences, got {self.near}")


@dataclass(frozen=True, eq=False)
class Probe:
    """The pseudo-queries of one document."""

    questions: tuple[Labelled, ...]
    wanted: int  # how many were asked for; fewer came where the text has too few targets


def probe(
    evidence: Evidence,
    queries: int,
    seed: int = 0,
    design: Design = Design(),
) -> Probe:
    """`queries` pseudo-queries of a document; the first of more are the same as fewer.

    Targets are drawn at random, with replacement: `design.sentences` long each, with at least `FEWEST_WORDS` distinct
    content words. A query has `design.own` of them and `design.around` words from the `design.near` sentences on either
    side that are not in the target, in random order. Content words have at least three letters (two characters in
    scripts without blanks) and stand in at most 5 % of the sentences, so any language serves. The reference of a query
    is its target without the blanks around it. Raises ValueError for fewer than one query.
    """
    if queries < 1:
        raise ValueError(f"a probe needs at least 1 query, got {queries}")
    drawn = _drawn(evidence, np.random.default_rng(seed), queries * _TRIES, design)
    questions = tuple(question for question, _ in zip(drawn, range(queries), strict=False))
    return Probe(questions, queries)


def _drawn(evidence: Evidence, random: np.random.Generator, tries: int, design: Design) -> Iterator[Labelled]:
    sentences, text = evidence.sentences, evidence.document.text
    content = evidence.once(_content)
    for _ in range(tries):
        first = int(random.integers(len(sentences))) if sentences else 0
        last = min(first + int(random.choice(design.sentences)), len(sentences))
        own, around = int(random.choice(design.own)), int(random.choice(design.around))
        inside = content.of(first, last)
        if len(inside) < FEWEST_WORDS:
            continue
        before = content.of(max(0, first - design.near), first)
        behind = content.of(last, min(last + design.near, len(sentences)))
        outside = np.setdiff1d(np.union1d(before, behind), inside)
        asked = np.concatenate([_some(inside, own, random), _some(outside, around, random)])
        target = Span(sentences[first].start, sentences[last - 1].end)
        yield Labelled(
            text=" ".join(content.vocabulary[number] for number in random.permutation(asked)),
            document=evidence.document.name,
            references=(_visible(target, text),),
            source="probe",
        )


def _some(pool: NDArray[np.int64], most: int, random: np.random.Generator) -> NDArray[np.int64]:
    chosen = random.choice(pool, min(most, len(pool)), replace=False)
    return cast("NDArray[np.int64]", chosen)


def _visible(span: Span, text: str) -> Span:
    inside = span.of(text)
    return Span(span.end - len(inside.lstrip()), span.start + len(inside.rstrip()))


@dataclass(frozen=True, eq=False)
class _Content:
    """The content words of each sentence, by number."""

    vocabulary: Sequence[str]
    numbers: NDArray[np.int64]  # of the words, sentence by sentence
    edges: NDArray[np.int64]  # where the words of each sentence begin in `numbers`, the end included

    def of(self, first: int, last: int) -> NDArray[np.int64]:
        """The distinct content words of sentences `first` to `last - 1`, ascending."""
        return np.unique(self.numbers[self.edges[first] : self.edges[last]]) if first < last else self.numbers[:0]


def _content(evidence: Evidence) -> _Content:
    known = evidence.once(words)
    starts = np.array([sentence.start for sentence in evidence.sentences], np.int64)
    vocabulary = list(known.vocabulary)
    numbers = known.numbers.astype(np.int64)
    if not len(starts) or not len(numbers):
        return _Content(vocabulary, numbers[:0], np.zeros(len(starts) + 1, np.int64))
    sentence = np.searchsorted(starts, known.starts, side="right") - 1
    pairs = np.unique(np.stack([numbers, sentence]), axis=1)
    in_sentences = np.bincount(pairs[0], minlength=len(vocabulary))
    tells = np.array([_tells(word) for word in vocabulary]) & (in_sentences <= max(_OFTEN, _FREQUENT * len(starts)))
    kept = tells[numbers]
    edges = np.searchsorted(sentence[kept], np.arange(len(starts) + 1))
    return _Content(vocabulary, numbers[kept], edges)


def _tells(word: str) -> bool:
    """Whether a word by its form can be one of content."""
    letters = sum(character.isalpha() for character in word)
    return letters >= (3 if word.isascii() or len(word) > 2 else 2)
