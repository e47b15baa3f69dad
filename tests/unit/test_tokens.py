"""Exact token counts of spans."""

import threading

import numpy as np
import pytest
import tiktoken

from chunkfit import tokens
from chunkfit.tokens import TokenIndex

MILLION = 1_000_000


def test_a_count_is_that_of_the_span_encoded_alone():
    # "Tea" " is" " hot" "." and " Ice" " is" " cold" "."; without its blank, "Ice" is one token as well
    index = TokenIndex("Tea is hot. Ice is cold.")
    assert index.total == 8
    assert index.count(0, 11) == 4
    assert index.count(12, 24) == 4
    assert index.count(4, 10) == 2


def test_an_edge_inside_a_word_is_counted_as_the_piece_of_the_word():
    # " internationalization" is " international" "ization"; cut after "inter" it is " inter" and "national" "ization"
    index = TokenIndex("about internationalization again")
    assert index.count(5, 26) == 2
    assert index.count(5, 11) == 1
    assert index.count(11, 26) == 2


def test_an_empty_span_has_no_tokens():
    index = TokenIndex("word")
    assert index.count(2, 2) == 0
    assert index.count(4, 4) == 0
    assert TokenIndex("").total == 0
    assert TokenIndex("").count(0, 0) == 0


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 1), (0, 5)])
def test_a_span_of_another_text_is_refused(start, end):
    index = TokenIndex("word")
    with pytest.raises(ValueError, match="span"):
        index.count(start, end)
    with pytest.raises(ValueError, match="span"):
        index.counts(np.array([start]), np.array([end]))


def test_counts_answers_for_many_spans_at_once():
    index = TokenIndex("one two three")
    assert index.counts(np.array([0, 4, 0, 5]), np.array([3, 7, 13, 5])).tolist() == [1, 1, 3, 0]
    assert index.counts(np.array([], np.int64), np.array([], np.int64)).tolist() == []


@pytest.mark.parametrize("spelling", ["<|endoftext|>", "<|im_start|>", "<s>", "[SEP]"])
def test_a_special_token_is_plain_text(spelling):
    text = f"x {spelling} y"
    assert TokenIndex(text).total >= 5  # the special token itself would be one, and three in all


def test_a_lone_surrogate_counts_as_the_replacement_character():
    assert TokenIndex("a\ud800b").total == TokenIndex("a\ufffdb").total
    assert TokenIndex("a\ud800b").text == "a\ud800b"


def test_longest_is_where_one_code_point_more_would_be_too_much():
    index = TokenIndex("one two three four")
    assert index.longest(0, 2) == 7
    assert index.longest(0, 4) == 18
    assert index.longest(0, 0) == 0
    assert index.longest(4, 1) == 7
    assert index.longest(4, 9, end=10) == 10


def test_longest_refuses_what_count_refuses_and_a_limit_below_zero():
    for start, limit, end in ((3, 1, 2), (-1, 1, 3), (0, 1, 4), (0, -1, 3)):
        with pytest.raises(ValueError, match=r"span|limit"):
            TokenIndex("abc").longest(start, limit, end)


def test_longest_cuts_inside_a_word_without_end():
    # o200k_base has a token of 8 equal letters "a"
    index = TokenIndex("a" * 1000)
    assert index.longest(0, 5) == 40
    assert index.longest(3, 5) == 43


def test_longest_cuts_between_code_points_where_one_is_several_tokens():
    # an Egyptian hieroglyph is more than one token
    index = TokenIndex("𓀀𓀁𓀂")
    each = index.count(0, 1)
    assert each > 1
    assert index.longest(0, each + 1) == 1
    assert index.longest(0, 1) == 0


def test_threads_may_share_an_index():
    text = "Shared by many: 12 readers, and 1,000 questions. " * 50
    index = TokenIndex(text)
    starts = np.arange(0, 1000, 7)
    expected = TokenIndex(text).counts(starts, starts + 333).tolist()
    answers: list[list[int]] = []
    threads = [
        threading.Thread(target=lambda: answers.append(index.counts(starts, starts + 333).tolist())) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 8


@pytest.mark.slow
@pytest.mark.timeout(60)  # each takes a few seconds; the tokeniser by itself panics or takes minutes
@pytest.mark.parametrize("unit", ["B", " ", "\n", "-", "\u0301", "漢", "\r\n", " \n", "  x", "'", "Aa"])
def test_a_million_characters_without_a_word_are_counted(unit):
    text = (" " + unit * MILLION)[:MILLION]
    index = TokenIndex(text)
    edge = index.longest(MILLION // 2, 512)
    assert 0 < index.count(MILLION // 2, edge) <= 512


@pytest.mark.slow
def test_a_long_document_keeps_an_index_of_at_most_four_bytes_a_character():
    text = "Every word here, all 9 of them, ends soon. " * 40_000  # 1.7 million characters
    index = TokenIndex(text)
    arrays = sum(value.nbytes for value in vars(index).values() if isinstance(value, np.ndarray))
    assert arrays < 4 * len(text)


def test_ranks_that_are_not_o200k_base_are_refused(monkeypatch):
    monkeypatch.setattr(tokens, "RANKS_SHA256", "0" * 64)
    with pytest.raises(RuntimeError, match="reinstall bpe-openai"):
        tokens._tokens()


def test_the_ranks_are_those_that_tiktoken_publishes():
    from tiktoken_ext import openai_public

    assert tokens.RANKS_SHA256 in openai_public.o200k_base.__code__.co_consts
    assert isinstance(tokens._encoding(), tiktoken.Encoding)


def test_tokens_before_an_offset_are_those_of_the_whole_text_that_end_there():
    # "Tea| is| hot|.": tokens end at 3, 6, 10, 11
    index = TokenIndex("Tea is hot.")
    assert index.before(np.array([0, 2, 3, 5, 6, 10, 11])).tolist() == [0, 0, 1, 1, 2, 3, 4]


def test_tokens_inside_one_character_end_with_it():
    # the flag of Wales is 7 code points of 4 bytes each, and o200k_base needs several tokens for most of them
    flag = "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
    index = TokenIndex(flag)
    before = index.before(np.arange(8)).tolist()
    assert before[-1] == index.total > 7
    assert before == sorted(before)
