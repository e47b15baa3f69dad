"""Where a text may be cut without tearing a word."""

import pytest

from chunkfit.chunking.word_starts import word_starts


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", []),
        ("One two", ["two"]),
        ("a\r\n\r\n- b", ["- b", "b"]),
        ("3.14 e-mail, don't", ["e-mail, don't", "don't"]),
        ("  x  ", ["x  "]),
        ("今天下雨。我在家！", ["天下雨。我在家！", "下雨。我在家！", "雨。我在家！", "我在家！", "在家！", "家！"]),
        ("他说「好」。", ["说「好」。", "「好」。"]),
        ("나는 간다", ["간다"]),
        ("a \u0301b c", ["c"]),
        ("👍🏽 👨\u200d👩\u200d👧", ["👨\u200d👩\u200d👧"]),
        ("\ufeffab", []),
    ],
)
def test_words_start_behind_blanks_or_at_each_character_of_a_script_without_them(text, starts):
    assert [text[at:] for at in word_starts(text)] == starts
