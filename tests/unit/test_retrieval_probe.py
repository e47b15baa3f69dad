"""Questions that a document asks itself."""

import pytest

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from chunkfit.retrieval.probe import FEWEST_WORDS, Design, probe
from chunkfit.retrieval.words import terms

HARBOURS = ["Dover", "Calais", "Ostend", "Bergen", "Malmo", "Gdansk", "Riga", "Tallinn", "Turku", "Vaasa"]
LETTERS = "abcdefghij"
USUAL = Design()
# Each sentence has six words that no other has: four letters of its own number, and one harbour.
STORY = " ".join(
    f"Near {harbour} the {a}{b}ulmen and {a}{b}arken drew {a}{b}iston, {a}{b}entil, {a}{b}orvo."
    for harbour, a in zip(HARBOURS, LETTERS, strict=True)
    for b in LETTERS
)


def evidence(text: str) -> Evidence:
    return Evidence(Document("story", text), default_engines())


def test_a_query_is_made_of_words_of_its_target_and_of_what_stands_around_it():
    known = evidence(STORY)
    sentences = known.sentences
    assert len(sentences) == 100
    for question in probe(known, 60).questions:
        (target,) = question.references
        held = [i for i, one in enumerate(sentences) if one.overlaps(target)]
        assert len(held) in USUAL.sentences
        assert (target.start, STORY[target.end - 1]) == (sentences[held[0]].start, ".")
        inside = set(terms(target.of(STORY)))
        near = range(max(0, held[0] - USUAL.near), min(held[-1] + USUAL.near + 1, 100))
        nearby = {word for i in near for word in terms(sentences[i].of(STORY))}
        asked = terms(question.text)
        assert len(set(asked)) == len(asked)
        assert len(inside & set(asked)) in USUAL.own
        assert len(set(asked) - inside) in USUAL.around
        assert set(asked) <= nearby
        assert not {"near", "the", "and", "drew"} & set(asked)  # in every sentence, so they tell of none


def test_fewer_queries_are_the_first_of_more_and_another_seed_asks_others():
    known = evidence(STORY)
    assert probe(known, 5).questions == probe(known, 40).questions[:5]
    assert probe(known, 40).questions == probe(evidence(STORY), 40).questions
    assert probe(known, 40, seed=1).questions != probe(known, 40).questions


@pytest.mark.parametrize("text", ["", " \n ", "One.", "12 34. 56 78. " * 30, "the the the. " * 30])
def test_a_text_without_content_has_nothing_to_ask(text):
    assert probe(evidence(text), 20).questions == ()


def test_scripts_without_blanks_are_asked_in_pairs_of_characters():
    text = "春天的花园里有很多玫瑰花。夏天的池塘边住着一只青蛙。秋天的山坡上落满金色树叶。冬天的屋顶盖着厚厚白雪。" * 2
    questions = probe(evidence(text), 10).questions
    assert len(questions) == 10
    assert all(len(word) == 2 for question in questions for word in question.text.split())


def test_a_probe_of_no_queries_is_refused():
    with pytest.raises(ValueError, match="at least 1 query, got 0"):
        probe(evidence(STORY), 0)


def test_a_target_has_enough_content_words():
    # every second sentence has three content words, one fewer than it takes
    text = " ".join(f"A{a}ulmen b{a}arken c{a}iston. D{a}entil e{a}orvo f{a}akro g{a}umbo h{a}essel." for a in LETTERS)
    known = evidence(text)
    alone = [question for question in probe(known, 80).questions if len(question.references[0]) < 40]
    assert FEWEST_WORDS == 4
    assert alone
    assert all(question.references[0].of(text).startswith("D") for question in alone)


def test_a_design_says_how_queries_are_drawn():
    # one sentence a target, and of it all words of content; harbours are in a tenth of the sentences, and say nothing
    known = evidence(STORY)
    design = Design(sentences=(1,), own=(6,), around=(0,))
    for question in probe(known, 20, design=design).questions:
        (target,) = question.references
        assert STORY[target.start : target.end].count(".") == 1
        assert len(terms(question.text)) == 5
        assert set(terms(question.text)) <= set(terms(target.of(STORY)))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sentences": (0, 1)}, "sentences must be one or more numbers from 1 up"),
        ({"own": ()}, "own must be one or more numbers from 1 up"),
        ({"around": (-1,)}, "around must be one or more numbers from 0 up"),
        ({"near": -1}, "near must be at least 0 sentences, got -1"),
    ],
)
def test_a_design_that_cannot_be_followed_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Design(**wrong)
