"""Which language a document is in: sure, or silent."""

import pytest

from chunkfit.engines.language import detect_language, language_name


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The committee adopted its report and sent it to the members.", "en"),
        ("Le comité a adopté son rapport et l'a envoyé aux membres.", "fr"),
        ("Der Ausschuss hat seinen Bericht angenommen.", "de"),
        ("今天下雨。我在家！你呢？", "zh"),
        ("나는 간다. 너는 온다.", "ko"),
        ("שלום עולם 12", "he"),
        ("Alice lost her key. She went home.", "en"),
        ("ሰላም። እንዴት ነህ? ዛሬ ጥሩ ቀን ነው።", "am"),
        ("Բարեւ։ Ինչպես ես։ Այսօր լավ օր է։", "hy"),
        ("Сәлем. Қалайсың? Бүгін жақсы күн.", "kk"),
        ("Привет. Как дела? Сегодня хороший день.", "ru"),
        ("नमस्कार. तू कसा आहेस? आज चांगला दिवस आहे.", "mr"),
        ("नमस्ते। आप कैसे हैं? आज अच्छा दिन है।", "hi"),
    ],
)
def test_a_sentence_or_two_is_enough(text, language):
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "   ", "12 34 56", "| 1 | 2 |\n|---|---|", "S. " * 50, "a" * 10_000, "😀 👍🏽"])
def test_without_words_there_is_no_language(text):
    assert detect_language(text) is None


def test_a_foreign_cover_page_does_not_speak_for_the_report():
    cover = "The committee adopted this report and sent it to all of its members. " * 10
    report = "Le comité a adopté son rapport et l'a envoyé à tous les membres. " * 500
    assert detect_language(cover + report) == "fr"


def test_the_answer_does_not_depend_on_what_was_asked_before():
    text = "Le chat dort sur le lit."
    alone = detect_language(text)
    detect_language("The dog sleeps under the table.")
    assert detect_language(text) == alone == "fr"


def test_names_are_given_in_english_and_unknown_codes_as_they_are():
    assert language_name("fr") == "French"
    assert language_name("xx") == "xx"
