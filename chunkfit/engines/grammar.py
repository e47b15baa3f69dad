"""A parsed sentence as plain values, and spaCy's parser as one way to get it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True, slots=True)
class Word:
    """One token. `tag` is Penn Treebank's, `relation` ClearNLP's, `head` and `left` are indices in the sentence."""

    start: int  # code points of the document
    end: int
    text: str  # lower case; never used for offsets, since lowering may change the length
    tag: str
    relation: str
    head: int  # its own index at the root
    left: int  # first word of the subtree
    entity: str = ""  # "PERSON", "ORG", ... where somebody asked for entities


@dataclass(frozen=True)
class Sentence:
    number: int  # grows along the document; what lies between was not parsed
    words: tuple[Word, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each word the words that it governs, in order."""
        found: list[list[int]] = [[] for _ in self.words]
        for index, word in enumerate(self.words):
            if word.head != index:
                found[word.head].append(index)
        return tuple(map(tuple, found))

    @cached_property
    def quoted(self) -> tuple[bool, ...]:
        """For each word whether it stands between quotation marks."""
        inside, found = False, []
        for word in self.words:
            if word.tag in ("``", "''"):
                inside = not inside
            found.append(inside)
        return tuple(found)

    def relations(self, index: int) -> set[str]:
        """How the words that this one governs relate to it."""
        return {self.words[child].relation for child in self.children[index]}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text to parse as one sentence."""

    number: int
    start: int  # offset in the document
    text: str
    wants_entities: bool


BATCH = 64
"""Pieces parsed at once: enough for the parser to be fast, few enough for memory not to grow with the document."""


def parse(pieces: Iterable[Piece], model: Any) -> Iterator[Sentence]:
    """Parse pieces in order with a spaCy model, names found only where wanted: that costs as much as the parse."""
    batch: list[Piece] = []
    for piece in pieces:
        batch.append(piece)
        if len(batch) == BATCH:
            yield from _parse_batch(batch, model)
            batch.clear()
    yield from _parse_batch(batch, model)


_NEEDED = ("tok2vec", "tagger", "parser")


def _parse_batch(batch: list[Piece], model: Any) -> Iterator[Sentence]:
    docs = [model.make_doc(piece.text) for piece in batch]
    for name in _NEEDED:
        docs = list(model.get_pipe(name).pipe(docs, batch_size=BATCH))
    named = [doc for doc, piece in zip(docs, batch, strict=True) if piece.wants_entities]
    for _ in model.get_pipe("ner").pipe(named, batch_size=BATCH):
        pass  # the names are set in place
    for doc, piece in zip(docs, batch, strict=True):
        yield Sentence(piece.number, tuple(_words(doc, piece.start)))


def _words(doc: Any, offset: int) -> Iterator[Word]:
    for token in doc:
        start = offset + token.idx
        yield Word(
            start,
            start + len(token.text),
            token.lower_,
            token.tag_,
            token.dep_,
            token.head.i,
            token.left_edge.i,
            token.ent_type_,
        )
