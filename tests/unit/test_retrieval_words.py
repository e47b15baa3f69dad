"""Words for lexical search: where they are, in any script."""

import pytest

from chunkfit.retrieval.words import terms, words_of


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Don't SHOUT, snake_case!", ["don", "t", "shout", "snake_case"]),
        ("3.14 and 2024", ["3", "14", "and", "2024"]),
        ("Straße, naïve", ["straße", "naïve"]),  # lower case is not case folding
        ("cafe\u0301 ", ["cafe\u0301"]),  # a mark belongs to its letter, and nothing is composed
        ("हिन्दी में", ["हिन्दी", "में"]),  # so do vowel signs
        ("running runs the", ["running", "runs", "the"]),  # no stems, no stop words
        ("😀 -- \n", []),
        ("👩\u200d👧 ❤\ufe0f \u0301", []),  # joiners and marks alone are no words
        ("\u0301tea", ["tea"]),
        ("क्\u200dष", ["क्\u200dष"]),
        ("a\ud800b", ["a", "b"]),
        ("", []),
    ],
)
def test_words_are_runs_of_letters_marks_digits_and_underscores_in_lower_case(text, expected):
    assert list(terms(text)) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("東京都", ["東京", "京都"]),
        ("猫", ["猫"]),
        ("コーヒー", ["コー", "ーヒ", "ヒー"]),  # the long mark belongs to kana
        ("한국어 말", ["한국", "국어", "말"]),
        ("ไทย", ["ไท", "ทย"]),
        ("東京2024年x", ["東京", "2024", "年", "x"]),  # digits and other scripts end the run
    ],
)
def test_scripts_without_blanks_give_each_two_neighbouring_characters(text, expected):
    assert list(terms(text)) == expected


def test_places_are_those_of_the_text_though_lower_case_may_be_longer():
    found = words_of("İ is 東京都 IS")
    assert found.starts.tolist() == [0, 2, 5, 6, 9]
    assert found.ends.tolist() == [1, 4, 7, 8, 11]
    assert found.numbers.tolist() == [0, 1, 2, 3, 1]
    assert list(found.vocabulary) == ["i̇", "is", "東京", "京都"]


def test_a_text_without_words_has_none():
    found = words_of("... \n")
    assert [len(column) for column in (found.vocabulary, found.numbers, found.starts, found.ends)] == [0, 0, 0, 0]
