"""Which noun phrase a pronoun stands for: agreement, binding, and salience after Lappin and Leass (1994)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from chunkfit.engines import english_nouns as nouns
from chunkfit.engines.candidates import Candidate, candidates, is_alternative
from chunkfit.engines.grammar import Sentence
from chunkfit.model import Span

LOOK_BACK = 2
"""Sentences before a pronoun's own in which its antecedent is looked for."""

PEOPLE = frozenset("mf")

_SALIENCE = {
    "subject": 170.0,
    "object": 105.0,
    "indirect": 105.0,
    "oblique": 100.0,
    "nested": 90.0,
    "possessor": 90.0,
    "other": 80.0,
}
_SAME_ROLE = 50.0
_VAGUE = 0.5  # share of its salience that a phrase about the discourse keeps
_ACROSS_NUMBER = 0.6  # "the company ... they"
_DECAY = 0.5  # a sentence back counts half
_REMEMBERED = 4  # mentions of one entity that are looked at
_REPEATED = 20.0  # for each further mention close by
_DISTANCE = {False: 1.5, True: 2.5}  # per word in the same sentence; a possessor's owner stands nearer


@dataclass
class _Entity:
    """What the discourse has introduced, with its mentions so far in order and the names it went by."""

    mentions: list[Candidate]
    names: set[tuple[str, bool]]
    stands_for: frozenset[str]

    def add(self, mention: Candidate) -> None:
        self.mentions.append(mention)
        self.stands_for = (self.stands_for & mention.stands_for) or self.stands_for

    def since(self, sentence: int) -> list[Candidate]:
        """Its latest few mentions from a sentence on: the cost must not grow with the chain."""
        latest = islice(reversed(self.mentions), _REMEMBERED)
        return list(takewhile(lambda mention: mention.sentence >= sentence, latest))

    @property
    def last(self) -> Candidate:
        return self.mentions[-1]


def chains(sentences: Iterable[Sentence]) -> Iterator[tuple[Span, ...]]:
    """Chains that hold at least one pronoun, from sentences in order; memory is bounded by the chains found."""
    discourse = _Discourse()
    for sentence in sentences:
        discourse.forget_before(sentence.number - LOOK_BACK)
        for mention in candidates(sentence):
            if not mention.pronoun:
                discourse.introduce(mention)
            elif not is_expletive(sentence, mention.head):
                discourse.refer(sentence, mention)
    for entity in discourse.referred.values():
        yield tuple(mention.span for mention in entity.mentions)


@dataclass
class _Discourse:
    """What can be referred to at one point of the text, and what was learned about its people."""

    recent: list[_Entity] = field(default_factory=list)
    referred: dict[int, _Entity] = field(default_factory=dict)  # by identity, in order of the first pronoun
    people: dict[str, Counter[str]] = field(default_factory=dict)  # name -> how often a "he" (m) or "she" (f) meant it

    def forget_before(self, sentence: int) -> None:
        self.recent = [entity for entity in self.recent if entity.last.sentence >= sentence]

    def introduce(self, mention: Candidate) -> None:
        """Add to what went by the same name before, or as something new."""
        mention = self._recognised(mention)
        name = (mention.phrase, mention.singular)
        known = (entity for entity in reversed(self.recent) if mention.definite and name in entity.names)
        entity = next(known, None)
        if entity is None:
            self.recent.append(_Entity([mention], {name}, mention.stands_for))
        else:
            entity.add(mention)

    def refer(self, sentence: Sentence, pronoun: Candidate) -> None:
        """Add a pronoun to what it stands for, if that is found."""
        entity = _stated(sentence, pronoun, self.recent) or _antecedent(sentence, pronoun, self.recent)
        if entity is None:
            return
        entity.add(pronoun)
        self.referred[id(entity)] = entity
        first = entity.mentions[0]
        if first.proper and len(pronoun.stands_for) == 1 and pronoun.stands_for <= PEOPLE:
            self.people.setdefault(first.name, Counter()).update(pronoun.stands_for)

    def _recognised(self, mention: Candidate) -> Candidate:
        """A name with what its earlier mentions told: somebody once is somebody always, "he" twice is a man."""
        if not mention.proper or not mention.singular or len(mention.stands_for) == 1:
            return mention
        if mention.stands_for == PEOPLE:
            self.people.setdefault(mention.name, Counter())
        told = self.people.get(mention.name)
        if told is None:
            return mention
        for sex, other in (("m", "f"), ("f", "m")):
            if told[sex] >= 2 and told[sex] > 2 * told[other]:
                return replace(mention, stands_for=frozenset(sex))
        return replace(mention, stands_for=PEOPLE)


def _stated(sentence: Sentence, pronoun: Candidate, recent: list[_Entity]) -> _Entity | None:
    """The entity that the words just before leave no choice about: "he or she", "the model itself"."""
    if is_alternative(sentence, pronoun.head):
        before = pronoun.head - 2
    elif pronoun.name in nouns.REFLEXIVES:
        before = pronoun.head - 1
    else:
        return None
    fitting = (entity for entity in reversed(recent) if _agreement(pronoun, entity))
    return next((e for e in fitting if e.last.sentence == pronoun.sentence and e.last.last == before), None)


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
    near = entity.since(pronoun.sentence - LOOK_BACK)
    salience = max(_weight(mention, pronoun) for mention in near) + _REPEATED * (len(near) - 1)
    if entity.last.sentence == pronoun.sentence:
        salience -= _DISTANCE[pronoun.role == "possessor"] * (pronoun.head - entity.last.head)
    return salience


def _weight(mention: Candidate, pronoun: Candidate) -> float:
    weight = _SALIENCE[mention.role] + _SAME_ROLE * (mention.role == pronoun.role)
    if mention.name in nouns.VAGUE:
        weight *= _VAGUE
    return weight * _DECAY ** (pronoun.sentence - mention.sentence)


def _agreement(pronoun: Candidate, entity: _Entity) -> float:
    if not pronoun.stands_for & entity.stands_for:
        return 0.0
    last = entity.last
    if pronoun.singular:
        return 1.0 if last.singular else 0.0
    if last.plural:
        return _ACROSS_NUMBER if last.singular and last.name not in nouns.EITHER_NUMBER else 1.0
    return _ACROSS_NUMBER if entity.stands_for == PEOPLE and not entity.mentions[0].proper else 0.0


def _may_corefer(sentence: Sentence, pronoun: Candidate, entity: _Entity) -> bool:
    """Binding: a reflexive stays in its sentence, any other pronoun stands for no fellow argument of its verb."""
    here = entity.since(pronoun.sentence)
    if any(mention.covers(pronoun.head) or mention.span.start >= pronoun.span.start for mention in here):
        return False
    if pronoun.name in nouns.REFLEXIVES:
        return bool(here)
    if any(_speaks(sentence, mention, pronoun) for mention in here):
        return False
    return pronoun.role == "possessor" or not any(_excluded(sentence, mention, pronoun) for mention in here)


def _excluded(sentence: Sentence, mention: Candidate, pronoun: Candidate) -> bool:
    """Whether the sentence's structure keeps a pronoun from standing for a mention before it."""
    words, governor = sentence.words, pronoun.governor
    if mention.role == "possessor":
        return False
    if words[pronoun.head].relation == "conj" and words[pronoun.head].head == mention.head:
        return True  # "the provider or it"
    if governor < 0:
        return False
    if governor == mention.governor:
        return True  # "Anna saw her"
    return words[governor].relation == "relcl" and words[governor].head == mention.head  # "the steps they take"


def _speaks(sentence: Sentence, mention: Candidate, pronoun: Candidate) -> bool:
    """Whether the pronoun stands in the mention's own words: "The mayor said: 'He lied.'" """
    if mention.role != "subject" or mention.governor < 0 or not sentence.quoted[pronoun.head]:
        return False
    return sentence.words[mention.governor].text in nouns.SAYING and not sentence.quoted[mention.head]


def is_expletive(sentence: Sentence, index: int) -> bool:
    """Whether an "it" stands for nothing: "it is clear that", "it follows that", "it rained", "find it hard to"."""
    word = sentence.words[index]
    if word.text != "it":
        return False
    if word.relation in ("nsubj", "nsubjpass") and _announces_clause(sentence, index):
        return True
    return word.relation == "expl" or _is_judged(sentence, index)


def _announces_clause(sentence: Sentence, index: int) -> bool:
    words, verb = sentence.words, sentence.words[index].head
    governed = sentence.relations(verb)
    if words[verb].text in nouns.WEATHER:
        return True
    if words[index].relation == "nsubjpass" or words[verb].text in nouns.SEEMING:
        return bool(governed & {"ccomp", "csubj", "csubjpass"})
    if words[verb].text not in nouns.BE:
        return False
    predicates = [child for child in sentence.children[verb] if words[child].relation in ("acomp", "attr", "oprd")]
    able = any(words[predicate].text in nouns.ABLE for predicate in predicates)
    return any(
        words[child].relation in ("ccomp", "csubj") or (_is_infinitive(sentence, child) and not able)
        for parent in (verb, *predicates)
        for child in sentence.children[parent]
    )


def _is_infinitive(sentence: Sentence, index: int) -> bool:
    word = sentence.words[index]
    to = any(sentence.words[child].tag == "TO" for child in sentence.children[index])
    return to and word.relation in ("xcomp", "advcl", "acl", "relcl")


def _is_judged(sentence: Sentence, index: int) -> bool:
    """ "consider it necessary to": the parser makes it the object of the verb or the subject of the adjective."""
    words = sentence.words
    word = words[index]
    verb = words[word.head] if word.relation == "dobj" else words[words[word.head].head]
    following = words[index + 1 : index + 5]
    return (
        verb.text in nouns.JUDGING
        and bool(following)
        and following[0].tag in ("JJ", "RB", "JJR")
        and any(next_word.text in ("to", "that", "for") for next_word in following)
    )
