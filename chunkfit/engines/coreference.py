"""Coreference by rule, for English."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chunkfit.engines.antecedents import LOOK_BACK, chains
from chunkfit.engines.english_nouns import ADDRESS
from chunkfit.engines.grammar import Piece, parse
from chunkfit.engines.language import detect_language, language_name
from chunkfit.engines.protocols import Segmenter
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.engines.spacy_model import english_model, english_model_name, reading
from chunkfit.lone_surrogates import without_lone_surrogates
from chunkfit.mentions.pairs import pairs_of
from chunkfit.model import Document, Mentions, Span

LONGEST_PIECE = 2_000
"""Code points parsed as one sentence; longer ones (a table in one line) are cut at blanks and lose little."""

_PRONOUN = re.compile(rf"\b(?:{'|'.join(ADDRESS)})\b", re.IGNORECASE)
_GENDERED = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
_PIECE = re.compile(rf"\S.{{0,{LONGEST_PIECE}}}(?=\s|\Z)|\S.{{0,{LONGEST_PIECE}}}", re.DOTALL)


@dataclass(frozen=True)
class RuleCoreference:
    """Third-person pronouns of an English document and what they stand for, by rules over spaCy's parse.

    Only sentences with a pronoun and the few before them are parsed, each once, in small batches: time follows the
    pronouns, memory does not follow the text. Offsets are those of `document.text`. A document in another language,
    or in none that is recognised, has `pairs=None` and a reason.
    Raises EngineUnavailable where no English model is installed.
    """

    segmenter: Segmenter = field(default_factory=lambda: RuleSegmenter("en"))

    @property
    def id(self) -> str:
        return f"rules/1 {english_model_name()} {self.segmenter.id}"

    def resolve(self, document: Document) -> Mentions:
        language = detect_language(document.text)
        if language != "en":
            return Mentions(self.id, reason=f"coreference rules know English only; {_instead(language)}")
        sentences = self.segmenter.sentences(document.text)
        text = without_lone_surrogates(document.text)  # spaCy writes UTF-8
        model = english_model()
        with reading(model):
            found = tuple(chains(parse(_pieces(text, sentences), model)))
        return Mentions(self.id, chains=found, pairs=pairs_of(document.text, found))


def _instead(language: str | None) -> str:
    if language is None:
        return "this document's language was not recognised"
    return f"this document is in {language_name(language)}"


def _pieces(text: str, sentences: tuple[Span, ...]) -> Iterator[Piece]:
    """What has to be parsed: each sentence with a pronoun and the `LOOK_BACK` before it.

    Numbered by sentence; each further piece of a cut one counts as a sentence more.
    """
    wanted = _near(text, sentences, _PRONOUN)
    gendered = _near(text, sentences, _GENDERED)
    further = 0
    for number in sorted(wanted):
        parts = list(_PIECE.finditer(text, sentences[number].start, sentences[number].end))
        for place, part in enumerate(parts):
            yield Piece(number + further + place, part.start(), part[0].rstrip(), number in gendered)
        further += len(parts) - 1


def _near(text: str, sentences: tuple[Span, ...], pronoun: re.Pattern[str]) -> set[int]:
    found: set[int] = set()
    for number, sentence in enumerate(sentences):
        if pronoun.search(text, sentence.start, sentence.end):
            found.update(range(max(0, number - LOOK_BACK), number + 1))
    return found
