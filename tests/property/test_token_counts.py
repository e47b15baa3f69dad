"""Counting by index is counting by encoding."""

import numpy as np
import pytest
import tiktoken
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkfit import tokens
from chunkfit.tokens import TokenIndex

# As tiktoken defines o200k_base, look-ahead included.
PATTERN = "|".join(
    [
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""",
        r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
        r"""\s*[\r\n]+""",
        r"""\s+(?!\S)""",
        r"""\s+""",
    ]
)
# What the pattern treats differently: cases, marks, digits, symbols, contractions, slashes, every kind of blank.
ALPHABET = (
    "aBéǅʰ漢ㅎ\u0301\u0903sStTrReE0٣½Ⅷ👍🏽𓀀€/-.'’’\u200d\u200b\ufeff\x00\U000e0041"
    " \t\r\n\v\f\x1c\x85\xa0\u1680\u2003\u2028\u202f\u3000"
)
TEXTS = st.one_of(
    st.text(alphabet=ALPHABET, max_size=60),
    st.text(max_size=40),
    st.lists(
        st.sampled_from(["don't", "I'LL", "  ", "\n\n", " \n ", "x", "1,234", "://", "-\n/", " word", "ﷺ"]), max_size=20
    ).map("".join),
)
on_any_text = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def encoding():
    ranks = {token: rank for rank, token in enumerate(tokens._tokens())}
    return tiktoken.Encoding("oracle", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})


@on_any_text
@given(text=TEXTS, data=st.data())
def test_a_count_equals_that_of_the_span_encoded_alone(encoding, text, data):
    index = TokenIndex(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    # A surrogate counts as U+FFFD each; tiktoken would make one character of a pair of them.
    plain = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    expected = len(encoding.encode_ordinary(plain[start:end]))
    assert index.count(start, end) == expected
    assert index.counts(np.array([start]), np.array([end])).tolist() == [expected]
    assert index.total == len(encoding.encode_ordinary(plain))


@on_any_text
@given(text=TEXTS, limit=st.integers(0, 20), data=st.data())
def test_the_longest_span_fits_and_one_code_point_more_does_not(text, limit, data):
    index = TokenIndex(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    longest = index.longest(start, limit, end)
    assert start <= longest <= end
    assert index.count(start, longest) <= limit
    assert longest == end or index.count(start, longest + 1) > limit


@pytest.mark.slow
def test_counts_on_real_documents_equal_those_of_spans_encoded_alone(clair, encoding):
    import json

    random = np.random.default_rng(0)
    for path in sorted((clair / "parsed").glob("*.json")):
        text = json.loads(path.read_text(encoding="utf-8"))["full_text"]
        starts = random.integers(0, len(text), 60)
        ends = np.minimum(len(text), starts + random.integers(0, 6000, 60))
        expected = [len(encoding.encode_ordinary(text[start:end])) for start, end in zip(starts, ends, strict=True)]
        assert TokenIndex(text).counts(starts, ends).tolist() == expected
