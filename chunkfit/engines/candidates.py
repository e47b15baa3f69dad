"""Noun phrases that a pronoun may stand for, and the pronouns themselves."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from chunkfit.engines import english_nouns as nouns
from chunkfit.engines.grammar import Sentence, Word
from chunkfit.model import Span

Role = Literal["subject", "object", "indirect", "oblique", "nested", "possessor", "other"]

_ROLES: dict[str, Role] = {
    "nsubj": "subject",
    "nsubjpass": "subject",
    "dobj": "object",
    "attr": "object",
    "oprd": "object",
    "dative": "indirect",
    "agent": "oblique",
    "pobj": "oblique",
    "poss": "possessor",
    "ROOT": "object",
}
_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_VERB_TAGS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
_INSIDE_PHRASE = frozenset({"compound", "amod", "nmod", "nummod", "npadvmod", "case", "punct", "det"})
_NEVER_FIRST = frozenset({"CC", "IN", "LS", "WDT", "SYM", "NFP", "_SP"})
_PASSED = frozenset({"conj", "appos", "pobj", "prep", "agent", "dative", "pcomp", "acomp"})  # on the way up to a verb
_STANDS_FOR_PEOPLE = frozenset({"those", "others", "many", "some", "both", "all"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A noun phrase, or a pronoun: where it is and what it may agree with."""

    span: Span
    sentence: int
    head: int  # index of the head word
    first: int  # index of the first word
    last: int  # index of the last word
    name: str  # head word, lower case
    phrase: str  # all its words without the determiner, lower case
    singular: bool
    plural: bool
    stands_for: frozenset[str]  # of "m", "f" (people) and "n" (things)
    role: Role
    governor: int  # index of the verb that it is an argument of; -1 without one
    proper: bool
    definite: bool
    pronoun: bool = False

    def covers(self, index: int) -> bool:
        return self.first <= index <= self.last


def candidates(sentence: Sentence) -> list[Candidate]:
    """Noun phrases without what follows their head, coordinations of them, and third-person pronouns, by position."""
    phrases = {index: phrase for index in range(len(sentence.words)) if (phrase := _phrase(sentence, index))}
    _tell_sex(sentence, phrases)
    found = [*phrases.values(), *_coordinations(sentence, phrases)]
    return sorted(found, key=lambda candidate: candidate.head if candidate.pronoun else candidate.last)


def _phrase(sentence: Sentence, index: int) -> Candidate | None:
    word = sentence.words[index]
    if word.text in nouns.ADDRESS and word.tag in ("PRP", "PRP$"):
        return _pronoun(sentence, index)
    if word.text in nouns.NOBODY:
        return None
    stands_alone = word.text in _STANDS_FOR_PEOPLE and word.tag in ("DT", "NNS", "JJ") and word.relation in _ROLES
    if (word.tag not in _NOUN_TAGS or word.relation in _INSIDE_PHRASE) and not stands_alone:
        return None
    first = _first_word(sentence, index)
    proper = word.tag in ("NNP", "NNPS")
    determiners = {sentence.words[child].text for child in sentence.children[index] if child < index}
    singular, plural = _number(word, stands_alone)
    return Candidate(
        span=Span(sentence.words[first].start, word.end),
        sentence=sentence.number,
        head=index,
        first=first,
        last=index,
        name=word.text,
        phrase=_undetermined(sentence, first, index),
        singular=singular,
        plural=plural,
        stands_for=frozenset("mfn") if stands_alone else _stands_for(sentence, first, index, determiners),
        role=_role(sentence, index),
        governor=_governor(sentence, index),
        proper=proper,
        definite=proper or bool(determiners & nouns.DEFINITE),
    )


def _pronoun(sentence: Sentence, index: int) -> Candidate:
    word = sentence.words[index]
    plural = word.text in nouns.PLURAL_PRONOUNS
    return Candidate(
        span=Span(word.start, word.end),
        sentence=sentence.number,
        head=index,
        first=index,
        last=index,
        name=word.text,
        phrase=word.text,
        singular=not plural,
        plural=plural,
        stands_for=frozenset("mf" if _of_either_sex(sentence, index) else nouns.ADDRESS[word.text]),
        role=_role(sentence, index),
        governor=_governor(sentence, index),
        proper=False,
        definite=True,
        pronoun=True,
    )


def is_alternative(sentence: Sentence, index: int) -> bool:
    """Whether a pronoun only completes the one before it: the "her" of "his or her"."""
    if index < 2 or sentence.words[index - 1].text not in ("or", "/"):
        return False
    pair = {nouns.ADDRESS.get(sentence.words[place].text) for place in (index - 2, index)}
    return pair == {"m", "f"}


def _of_either_sex(sentence: Sentence, index: int) -> bool:
    return is_alternative(sentence, index) or (index + 2 < len(sentence.words) and is_alternative(sentence, index + 2))


def _undetermined(sentence: Sentence, first: int, last: int) -> str:
    words = sentence.words[first : last + 1]
    return " ".join(word.text for word in words if word.tag not in ("DT", "PRP$", "WP$", "_SP"))


def _first_word(sentence: Sentence, index: int) -> int:
    """Without the conjunctions, list labels and marks that the parser hangs on a phrase's left."""
    first = sentence.words[index].left
    while first < index and not _may_open(sentence.words[first]):
        first += 1
    return first


def _may_open(word: Word) -> bool:
    return word.text[-1].isalnum() and word.tag not in _NEVER_FIRST


def _number(word: Word, stands_alone: bool) -> tuple[bool, bool]:
    if word.text in nouns.EITHER_NUMBER:
        return True, True
    if word.tag == "NNPS":  # the United States, the Netherlands: one state
        return True, True
    plural = word.tag == "NNS" or stands_alone
    return not plural, plural or word.text in nouns.COLLECTIVES


def _stands_for(sentence: Sentence, first: int, index: int, determiners: set[str]) -> frozenset[str]:
    words = sentence.words
    name = words[index].text
    if words[index].tag in ("NNP", "NNPS"):
        return _named(sentence, first, index, determiners)
    singular = _singular(name)
    if singular in nouns.MALE_NOUNS:
        return frozenset("m")
    if singular in nouns.FEMALE_NOUNS:
        return frozenset("f")
    if singular in nouns.PEOPLE or name in ("people", "men", "women", "children"):
        return frozenset("mf")
    if singular in nouns.ROLES or (len(singular) > 5 and singular.endswith(("ist", "ian", "man"))):
        return frozenset("mfn")
    return frozenset("n")


def _named(sentence: Sentence, first: int, index: int, determiners: set[str]) -> frozenset[str]:
    parts = [word.text.rstrip(".") for word in sentence.words[first : index + 1]]
    given = next((part for part in parts if part not in nouns.TITLES), parts[-1])
    if parts[0] in nouns.MALE_TITLES or given in nouns.MALE_NAMES:
        return frozenset("m")
    if parts[0] in nouns.FEMALE_TITLES or given in nouns.FEMALE_NAMES:
        return frozenset("f")
    entity = sentence.words[index].entity
    if parts[0] in nouns.TITLES or entity == "PERSON":
        return frozenset("mf")
    if determiners & {"the", "this", "an", "a"} or _singular(parts[-1]) in nouns.COLLECTIVES:
        return frozenset("n")
    # A lone name that the small model takes for a place is as often a person's.
    return frozenset("n" if entity and len(parts) > 1 else "mfn")


def _singular(noun: str) -> str:
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _role(sentence: Sentence, index: int) -> Role:
    word = sentence.words[index]
    for _ in sentence.words:  # a coordinated phrase has the role of the first in its row
        if word.relation not in ("conj", "appos") or word.head == index:
            break
        index = word.head
        word = sentence.words[index]
    role = _ROLES.get(word.relation, "other")
    if role == "oblique":
        preposition = sentence.words[word.head]
        if sentence.words[preposition.head].tag in _NOUN_TAGS:
            return "nested"
    return role


def _governor(sentence: Sentence, index: int) -> int:
    """The verb that the phrase is an argument of, directly or through a preposition."""
    words = sentence.words
    for _ in words:
        word = words[index]
        if word.relation in _PASSED and word.head != index:
            index = word.head
            if words[index].tag in _VERB_TAGS:
                return index
        elif word.relation in _ROLES and word.relation not in ("poss", "ROOT") and words[word.head].tag in _VERB_TAGS:
            return word.head
        else:
            return -1
    return -1


def _tell_sex(sentence: Sentence, phrases: dict[int, Candidate]) -> None:
    """ "Piet was her brother", "Piet, her brother,": what is said of somebody tells a "he" from a "she"."""
    for index, phrase in list(phrases.items()):
        word = sentence.words[index]
        if len(phrase.stands_for) != 1 or phrase.stands_for == {"n"} or phrase.pronoun:
            continue
        if word.relation == "appos":
            named = [word.head]
        elif word.relation == "attr":
            named = [child for child in sentence.children[word.head] if sentence.words[child].relation == "nsubj"]
        else:
            continue
        for other in named:
            if other in phrases and phrases[other].stands_for > phrase.stands_for and not phrases[other].pronoun:
                phrases[other] = replace(phrases[other], stands_for=phrase.stands_for)


def _coordinations(sentence: Sentence, phrases: dict[int, Candidate]) -> Iterator[Candidate]:
    """ "Alice and Bob", "the provider, the importer or the distributor": one phrase of many."""
    for index, first in phrases.items():
        row = [first]
        for _ in phrases:
            following = [child for child in sentence.children[row[-1].head] if sentence.words[child].relation == "conj"]
            if not following or following[0] not in phrases:
                break
            row.append(phrases[following[0]])
        if len(row) == 1 or sentence.words[index].relation == "conj" or any(member.pronoun for member in row):
            continue
        both = frozenset.union(*(member.stands_for for member in row))
        exclusive = any(sentence.words[word].text == "or" for member in row for word in sentence.children[member.head])
        yield replace(
            first,
            span=Span(first.span.start, row[-1].span.end),
            last=row[-1].last,
            name=" ".join(member.name for member in row),
            phrase=" ".join(member.phrase for member in row),
            singular=exclusive and any(member.singular for member in row),
            plural=True,
            stands_for=both,
        )
