"""The rules alone, on sentences parsed by hand: `word/tag/relation/head`, the head as an index in the sentence."""

from chunkfit.engines.antecedents import LOOK_BACK, chains, is_expletive
from chunkfit.engines.candidates import candidates
from chunkfit.engines.grammar import Sentence, Word


def parsed(text: str, number: int = 0, start: int = 0) -> Sentence:
    fields = [word.split("/") for word in text.split()]
    heads = [int(head) for *_, head in fields]
    words = []
    for index, (word, tag, relation, head) in enumerate(fields):
        subtree = [other for other in range(len(fields)) if index in _path(heads, other)]
        words.append(Word(start, start + len(word), word.lower(), tag, relation, int(head), min(subtree)))
        start += len(word) + 1
    return Sentence(number, tuple(words))


def _path(heads: list[int], index: int) -> list[int]:
    path = [index]
    while heads[path[-1]] != path[-1]:
        path.append(heads[path[-1]])
    return path


def chains_of(*sentences: Sentence) -> list[list[str]]:
    names = {(word.start, word.end): word.text for sentence in sentences for word in sentence.words}
    starts = {word.start: word for sentence in sentences for word in sentence.words}
    return [
        [names.get((span.start, span.end)) or f"{starts[span.start].text} ..." for span in chain]
        for chain in chains(iter(sentences))
    ]


def test_a_phrase_reaches_from_its_determiner_to_its_head():
    sentence = parsed("The/DT/det/2 old/JJ/amod/2 dog/NN/nsubj/3 barked/VBD/ROOT/3")
    (dog,) = candidates(sentence)
    assert (dog.span.start, dog.span.end, dog.phrase, dog.role, dog.governor) == (0, 11, "old dog", "subject", 3)


def test_a_row_of_names_is_a_phrase_of_its_own_and_plural():
    sentence = parsed("Ann/NNP/nsubj/3 and/CC/cc/0 Bob/NNP/conj/0 left/VBD/ROOT/3")
    assert [(c.name, c.singular, c.plural) for c in candidates(sentence)] == [
        ("ann", True, False),
        ("bob", True, False),
        ("ann bob", False, True),
    ]


def test_a_fellow_argument_is_not_meant():
    first = parsed("Mary/NNP/nsubj/1 came/VBD/ROOT/1")
    second = parsed("Ann/NNP/nsubj/1 saw/VBD/ROOT/1 her/PRP/dobj/1", number=1, start=100)
    assert chains_of(first, second) == [["mary", "her"]]


def test_what_is_further_back_than_the_rules_look_is_not_meant():
    first = parsed("Mary/NNP/nsubj/1 came/VBD/ROOT/1")
    near = parsed("She/PRP/nsubj/1 sat/VBD/ROOT/1", number=LOOK_BACK, start=100)
    far = parsed("She/PRP/nsubj/1 sat/VBD/ROOT/1", number=LOOK_BACK + 1, start=100)
    assert chains_of(first, near) == [["mary", "she"]]
    assert chains_of(first, far) == []


def test_a_pronoun_keeps_what_it_stands_for_within_reach():
    first = parsed("Mary/NNP/nsubj/1 came/VBD/ROOT/1")
    later = [parsed("She/PRP/nsubj/1 sat/VBD/ROOT/1", number=n * LOOK_BACK, start=100 * n) for n in (1, 2, 3)]
    assert chains_of(first, *later) == [["mary", "she", "she", "she"]]


def test_an_it_before_a_that_clause_stands_for_nothing():
    clear = "It/PRP/nsubj/1 is/VBZ/ROOT/1 clear/JJ/acomp/1 that/IN/mark/5 he/PRP/nsubj/5 left/VBD/ccomp/1"
    red = "It/PRP/nsubj/1 is/VBZ/ROOT/1 red/JJ/acomp/1"
    assert is_expletive(parsed(clear), 0)
    assert not is_expletive(parsed(red), 0)


def test_people_are_not_it_and_things_are_not_he():
    sentence = "The/DT/det/1 {}/NN/nsubj/2 fell/VBD/ROOT/2"
    follow_up = parsed("It/PRP/nsubj/1 lay/VBD/ROOT/1", number=1, start=100)
    assert chains_of(parsed(sentence.format("stone")), follow_up) == [["the ...", "it"]]
    assert chains_of(parsed(sentence.format("teacher")), follow_up) == []
    follow_up = parsed("He/PRP/nsubj/1 lay/VBD/ROOT/1", number=1, start=100)
    assert chains_of(parsed(sentence.format("stone")), follow_up) == []
    assert chains_of(parsed(sentence.format("teacher")), follow_up) == [["the ...", "he"]]
