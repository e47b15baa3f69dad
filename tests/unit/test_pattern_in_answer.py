"""A pattern is found in an answer however a model wraps it."""

from contextlib import suppress

import pytest

from chunkfit.chunking.asking import LONGEST_ANSWER, UselessAnswer
from chunkfit.chunking.pattern_in_answer import pattern_in


@pytest.mark.parametrize(
    "answer",
    [
        r'{"pattern": "^Rule \\d+\\."}',
        '```json\n{"pattern": "^Rule \\\\d+\\\\."}\n```',
        'Here it is:\n\n{"pattern": "^Rule \\\\d+\\\\."}\n\nHope that helps {really}!',
        '<think>{"pattern": "^Rule"} is too short</think>{"pattern": "^Rule \\\\d+\\\\.", "why": "rules repeat"}',
        r'{"pattern": "^Rule \d+\."}',  # no JSON: the backslashes are not doubled
        "```regex\n^Rule \\d+\\.\n```",
        "```\r\n^Rule \\d+\\.\r\n```",
        '```python\nre.compile(r"^Rule \\d+\\.", re.MULTILINE)\n```',
        "Use this one:\n```python\nr'^Rule \\d+\\.'\n```\nIt cuts before each rule.",
        "The pattern is `^Rule \\d+\\.` since rules repeat.",
        "^Rule \\d+\\.",
        '  r"^Rule \\d+\\."\n',
        '"^Rule \\\\d+\\\\."',
    ],
)
def test_the_pattern_is_read(answer):
    assert pattern_in(answer) == r"^Rule \d+\."


def test_braces_quotes_and_line_ends_belong_to_the_pattern():
    assert pattern_in(r'{"pattern": "\n(?=\"Q\\d{1,3})"}') == '\n(?="Q\\d{1,3})'
    assert pattern_in(r'{"pattern": "(?=\"Q\d{1,3})"}') == r'(?="Q\d{1,3})'


def test_a_backspace_is_the_edge_of_a_word_written_carelessly():
    assert pattern_in('{"pattern": "\\bQ"}') == r"\bQ"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", 'no {"pattern": "..."} in it'),
        ("I am sorry.\nI cannot read that.", "it begins with 'I am sorry."),
        ('{"pattern": 7}', "its \"pattern\" is '7' and not a string"),
        ('{"pattern": null}', "not a string"),
        ("Either `^a` or `^b`.", "no {"),
        ("```\na\nb\n```", "no {"),
    ],
)
def test_an_answer_without_a_pattern_says_so(answer, reason):
    with pytest.raises(UselessAnswer) as raised:
        pattern_in(answer)
    assert reason in str(raised.value)


@pytest.mark.parametrize("unit", ['{"a":', "{", '{"', "```\n", "x```\n", "`", '"pattern": "', '",', "\\", "r'"])
def test_the_longest_answer_comes_to_an_end(unit):
    with suppress(UselessAnswer):
        assert isinstance(pattern_in((unit * LONGEST_ANSWER)[:LONGEST_ANSWER]), str)
