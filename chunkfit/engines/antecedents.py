"""Which noun phrase a pronoun stands for: agreement, binding, and salience after Lappin and Leass (1994)."""

from collections.abc import Iterator
from dataclasses import dataclass

from chunkfit.engines import english_nouns as nouns
from chunkfit.engines.candidates import Candidate, candidates
from chunkfit.engines.grammar import Sentence
from chunkfit.model import Span

LOOK_BACK = 3
"""Sentences before a pronoun's own in which its antecedent is looked for."""

_SALIENCE = {
    "subject": 170.0,
    "object": 140.0,
    "indirect": 130.0,
    "oblique": 120.0,
    "nested": 90.0,
    "possessor": 90.0,
    "other": 80.0,
}
_SAME_ROLE = 35.0
_VAGUE = 0.3  # share of its salience that a phrase about the discourse keeps
_INDEFINITE = 0.9
_ACROSS_NUMBER = 0.6  # "the company ... they"
_DECAY = 0.5  # a sentence back counts half
_REPEATED = 20.0  # for each further mention close by
_DISTANCE = 0.6  # per word in the same sentence: of two equals the nearer


@dataclass
class _Entity:
    """What the discourse has introduced, with its mentions so far in order."""

    mentions: list[Candidate]
    stands_for: frozenset[str]

    def add(self, mention: Candidate) -> None:
        self.mentions.append(mention)
        self.stands_for = (self.stands_for & mention.stands_for) or self.stands_for

    @property
    def last(self) -> Candidate:
        return self.mentions[-1]


def chains(sentences: Iterator[Sentence]) -> Iterator[tuple[Span, ...]]:
    """Chains that hold at least one pronoun, from sentences in order; memory is bounded by the chains found."""
    recent: list[_Entity] = []
    referred: dict[int, _Entity] = {}
    for sentence in sentences:
        recent = [entity for entity in recent if entity.last.sentence >= sentence.number - LOOK_BACK]
        for mention in candidates(sentence):
            if not mention.pronoun:
                _introduce(mention, recent)
            elif not is_expletive(sentence, mention.head):
                entity = _antecedent(sentence, mention, recent)
                if entity is not None:
                    entity.add(mention)
                    referred[id(entity)] = entity
    for entity in referred.values():
        yield tuple(mention.span for mention in entity.mentions)


def _introduce(mention: Candidate, recent: list[_Entity]) -> None:
    """Add to what was named the same before, or as something new."""
    for entity in reversed(recent):
        if mention.definite and _same_name(mention, entity):
            entity.add(mention)
            return
    recent.append(_Entity([mention], mention.stands_for))


def _same_name(mention: Candidate, entity: _Entity) -> bool:
    return any(
        mention.phrase == earlier.phrase and mention.singular == earlier.singular
        for earlier in entity.mentions
        if not earlier.pronoun
    )


def _antecedent(sentence: Sentence, pronoun: Candidate, recent: list[_Entity]) -> _Entity | None:
    """The most salient entity that can be meant; of equals the later one."""
    best, best_salience = None, 0.0
    for entity in recent:
        if _may_corefer(sentence, pronoun, entity) and (agreement := _agreement(pronoun, entity)):
            salience = agreement * _salience(pronoun, entity)
            if salience >= best_salience:
                best, best_salience = entity, salience
    return best


def _salience(pronoun: Candidate, entity: _Entity) -> float:
    """How strongly an entity offers itself."""
    near = [mention for mention in entity.mentions[-4:] if mention.sentence >= pronoun.sentence - LOOK_BACK]
    salience = max(_weight(mention, pronoun) for mention in near) + _REPEATED * (len(near) - 1)
    if entity.last.sentence == pronoun.sentence:
        salience -= _DISTANCE * (pronoun.head - entity.last.head)
    return salience


def _weight(mention: Candidate, pronoun: Candidate) -> float:
    weight = _SALIENCE[mention.role] + _SAME_ROLE * (mention.role == pronoun.role)
    if mention.name in nouns.VAGUE:
        weight *= _VAGUE
    if not mention.definite:
        weight *= _INDEFINITE
    return weight * _DECAY ** (pronoun.sentence - mention.sentence)


def _agreement(pronoun: Candidate, entity: _Entity) -> float:
    if not pronoun.stands_for & entity.stands_for:
        return 0.0
    last = entity.last
    if pronoun.singular:
        return 1.0 if last.singular else 0.0
    if last.plural:
        return _ACROSS_NUMBER if last.singular and last.name not in nouns.EITHER_NUMBER else 1.0
    someone = entity.stands_for <= frozenset("mf") and not last.proper
    return _ACROSS_NUMBER if someone else 0.0


def _may_corefer(sentence: Sentence, pronoun: Candidate, entity: _Entity) -> bool:
    """Binding: a reflexive stays in its sentence, any other pronoun stands for no fellow argument of its verb."""
    here = [mention for mention in entity.mentions if mention.sentence == pronoun.sentence]
    if any(mention.covers(pronoun.head) or mention.span.start >= pronoun.span.start for mention in here):
        return False
    if pronoun.name in nouns.REFLEXIVES:
        return bool(here)
    if pronoun.role == "possessor":
        return True
    return not any(_fellow_arguments(sentence, mention, pronoun) for mention in here)


def _fellow_arguments(sentence: Sentence, mention: Candidate, pronoun: Candidate) -> bool:
    if mention.role == "possessor":
        return False
    coordinated = sentence.words[pronoun.head].relation == "conj" and sentence.words[pronoun.head].head == mention.head
    return coordinated or (pronoun.governor >= 0 and pronoun.governor == mention.governor)


def is_expletive(sentence: Sentence, index: int) -> bool:
    """Whether an "it" stands for nothing: "it is clear that", "it follows that", "it rained", "find it hard to"."""
    words = sentence.words
    word = words[index]
    if word.text != "it":
        return False
    if word.relation == "expl":
        return True
    verb = words[word.head]
    governed = sentence.relations(word.head)
    if word.relation in ("nsubj", "nsubjpass"):
        if verb.text in nouns.WEATHER:
            return True
        clause = governed & {"ccomp", "csubj", "csubjpass", "xcomp"} or "advcl" in governed
        if verb.text in nouns.SEEMING:
            return bool(governed & {"ccomp", "csubj", "advcl"})
        if word.relation == "nsubjpass":
            return bool(governed & {"ccomp", "csubjpass"})
        if verb.text in nouns.BE:
            adjective = [
                child for child in sentence.children[word.head] if words[child].relation in ("acomp", "attr", "oprd")
            ]
            inner = any(sentence.relations(child) & {"xcomp", "ccomp", "advcl", "acl"} for child in adjective)
            return bool(clause) or inner
    following = words[index + 1 : index + 5]
    judged = words[word.head] if word.relation == "dobj" else words[verb.head]
    return (
        judged.text in nouns.JUDGING
        and bool(following)
        and following[0].tag in ("JJ", "RB", "JJR")
        and any(next_word.text in ("to", "that", "for") for next_word in following)
    )
