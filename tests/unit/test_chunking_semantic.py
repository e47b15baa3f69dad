"""Cuts where meaning changes, on vectors made by hand."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from fakes.letters import LetterEmbedder, letters

from chunkfit.chunking import cut_raw
from chunkfit.chunking.semantic import semantic
from chunkfit.engines import default_engines
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Document

KINDS = ("percentile", "standard_deviation", "interquartile", "gradient")


@dataclass(frozen=True)
class ForgetfulEmbedder(LetterEmbedder):
    """Leaves out what has no direction, as some servers do with blank inputs."""

    def embed(self, document):
        vectors = super().embed(document)

        def some(starts, ends):
            found = vectors(starts, ends)
            return found[np.linalg.norm(found, axis=1) > 0]

        return some


@dataclass(frozen=True)
class BrokenEmbedder(LetterEmbedder):
    """Divides by the length of a vector that has none."""

    def embed(self, document):
        vectors = super().embed(document)
        return lambda starts, ends: np.where(vectors(starts, ends).any(axis=1, keepdims=True), 1.0, np.nan)


@dataclass(frozen=True)
class StrictServer(LetterEmbedder):
    """Refuses more than 64 texts at once."""

    asked: list[int] = field(default_factory=list)

    def embed(self, document):
        vectors = super().embed(document)

        def some(starts, ends):
            assert len(starts) <= 64
            self.asked.append(len(starts))
            return vectors(starts, ends)

        return some


def texts(text: str, embedder=None, **settings) -> list[str]:
    return [span.of(text) for span in semantic(letters(text, embedder), **settings).spans]


def test_text_is_cut_where_the_topic_changes():
    # windows around the change are aab and abb: cosine (2·1 + 1·2) / 5 = 0.8, and 2 / √5 = 0.89 next to it
    assert texts("aaaaaabbbbbb", breakpoint="percentile") == ["aaaaaa", "bbbbbb"]


def test_each_change_of_topic_is_found():
    # 3 changes among 23 pairs: 0.2, next to 0.11 on each side; 87 % of the distances are below
    assert texts("aaaaaabbbbbbccccccdddddd", breakpoint="percentile", amount=87) == [
        "aaaaaa",
        "bbbbbb",
        "cccccc",
        "dddddd",
    ]


def test_the_gradient_cuts_where_the_distance_rises():
    # distances around the change: 0, 0.11, 0.2, 0.11, 0; their central difference is largest one pair before it
    assert texts("aaaaaabbbbbb") == ["aaaaa", "abbbbbb"]


def test_a_change_is_found_by_deviation_and_by_quartiles():
    # without neighbours the distances are 0 and, once, 1: of 11, mean 1/11 = 0.09, deviation √(10/121) = 0.29, no
    # distance between the quartiles; the thresholds are 0.09 + 3·0.29 = 0.95 and 0.09
    assert texts("aaaaaabbbbbb", breakpoint="standard_deviation", buffer=0) == ["aaaaaa", "bbbbbb"]
    assert texts("aaaaaabbbbbb", breakpoint="standard_deviation", buffer=0, amount=3.2) == ["aaaaaabbbbbb"]
    assert texts("aaaaaabbbbbb", breakpoint="interquartile", buffer=0) == ["aaaaaa", "bbbbbb"]


def test_a_wider_buffer_reads_over_a_single_sentence_of_another_topic():
    # one b among a: alone it is at distance 1 on both sides. With two neighbours on each side all windows near it hold
    # one b and four a, and the change is where it comes in and goes out: windows aaaaa, aaaab, ..., baaaa, aaaaa
    assert texts("aaaaaabaaaaaa", breakpoint="percentile", amount=80, buffer=0) == ["aaaaaa", "b", "aaaaaa"]
    assert texts("aaaaaabaaaaaa", breakpoint="percentile", amount=80, buffer=2) == ["aaaa", "aabaa", "aaaa"]


@pytest.mark.parametrize("kind", ["percentile", "standard_deviation", "interquartile"])
def test_a_change_behind_the_first_sentence_is_found(kind):
    # the first window would be ab, part of the second, abb; counted double, its sentence makes it aab
    assert texts("abb", breakpoint=kind, amount=50 if kind == "percentile" else 0) == ["a", "bb"]
    assert texts("bba", breakpoint=kind, amount=50 if kind == "percentile" else 0) == ["bb", "a"]


def test_the_sentence_at_the_end_stands_in_for_each_neighbour_that_is_missing():
    # buffer 2: of abb, window 1 is abb + 2·a, window 2 abb + a + b, window 3 abb + 2·b; with abb = (1, 2)/√5 these are
    # (2.45, 0.89), (1.45, 1.89), (0.45, 2.89): distances 0.160 and 0.116
    assert texts("abb", breakpoint="percentile", amount=50, buffer=2) == ["a", "bb"]


def test_windows_as_langchain_makes_them_are_short_at_the_ends():
    # ab, abb, bb: cosines 3/√10 = 0.95 and 2/√5 = 0.89, so the change behind the first sentence looks like the lesser
    assert texts("abb", breakpoint="percentile", amount=50, windows="langchain") == ["ab", "b"]


def test_as_many_chunks_as_asked_for():
    assert texts("aaabbbccc", chunks=3, breakpoint="percentile") == ["aaa", "bbb", "ccc"]
    assert texts("aaabbbccc", chunks=1) == ["aaabbbccc"]
    assert texts("ab", chunks=2) == ["a", "b"]
    assert texts("ab", chunks=9) == ["a", "b"]
    for kind in KINDS:
        assert len(texts("aabbab", chunks=4, breakpoint=kind)) == 4


def test_an_even_text_is_one_chunk():
    for kind in KINDS:
        assert texts("aaaaaaaa", breakpoint=kind) == ["aaaaaaaa"]


def test_an_even_text_is_cut_evenly_where_it_is_above_the_size():
    # eight of these letters are a token: halves, and halves of them
    assert texts("a" * 32, size=2) == ["a" * 16] * 2
    assert texts("a" * 32, size=1) == ["a" * 8] * 4


def test_sentences_without_any_token_cut_nothing():
    assert texts("aaaa    aaaa", breakpoint="percentile", amount=0) == ["aaaa    aaaa"]
    assert texts("      ", breakpoint="percentile", amount=0) == ["      "]


def test_a_topic_may_change_across_sentences_without_any_token():
    # a window of blanks counts as the window before it: the change comes with the first window that holds a b
    assert texts("aaaa     bbbb", breakpoint="percentile", amount=95) == ["aaaa    ", " bbbb"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["a", "ab", " "])
def test_one_or_two_sentences_are_one_chunk(text, kind):
    assert texts(text, breakpoint=kind) == [text]


def test_an_empty_text_has_no_chunks_and_asks_nobody():
    assert texts("") == []
    assert semantic(Evidence(Document("empty", ""), engines=None)).spans == ()


def test_a_chunk_above_the_size_is_cut_where_the_change_is_greatest():
    # 6 tokens in all, 2 in each part; nothing is above the largest distance, so without a size nothing is cut
    text = "a" * 16 + "b" * 8
    assert texts(text, breakpoint="percentile", amount=100) == [text]
    assert texts(text, breakpoint="percentile", amount=100, size=2) == ["a" * 16, "b" * 8]


def test_a_chunk_below_the_least_joins_a_neighbour():
    # without neighbours the one distance above the median is that behind the a
    assert texts("abbbbbbbbb", breakpoint="percentile", amount=50, buffer=0) == ["a", "bbbbbbbbb"]
    assert texts("abbbbbbbbb", breakpoint="percentile", amount=50, buffer=0, min_size=2) == ["abbbbbbbbb"]


def test_an_embedder_that_drops_inputs_is_named_with_the_document():
    with pytest.raises(MethodFailed, match="letters gave 1 vectors for 2 spans of 'letters'"):
        texts("aa    ", ForgetfulEmbedder())


def test_an_embedder_that_gives_no_numbers_is_named_with_the_document():
    with pytest.raises(MethodFailed, match=r"letters gave vectors .* no finite numbers for 'letters'"):
        texts("aa    ", BrokenEmbedder())


def test_windows_are_embedded_in_batches():
    server = StrictServer()
    whole = texts("aab" * 3000, server)
    assert sum(server.asked) == 9000 + 2  # a window for each sentence, and the first and the last sentence alone
    assert texts("aab" * 3000, batch=9000) == whole == texts("aab" * 3000, batch=7)


def test_settings_are_given_on_one_line():
    text = "The sea is deep. Its water is salt. Bread is baked of flour. An oven is hot."
    line = "semantic[breakpoint=interquartile,amount=1.5,buffer=2,min_size=5,size=40]"
    chunking = cut_raw(line, Evidence(Document("d", text), default_engines()))
    assert chunking.method == line
    assert "".join(span.of(text) for span in chunking.spans) == text


@pytest.mark.parametrize(
    "settings",
    [
        {"breakpoint": "slope"},
        {"amount": -1},
        {"amount": 101},
        {"breakpoint": "percentile", "amount": 100.5},
        {"breakpoint": "standard_deviation", "amount": float("nan")},
        {"breakpoint": "interquartile", "amount": float("inf")},
        {"chunks": 0},
        {"chunks": 2, "amount": 95.0},
        {"buffer": -1},
        {"windows": "none"},
        {"min_size": -1},
        {"size": 0},
        {"size": -1},
        {"size": 10, "min_size": 11},
        {"batch": 0},
    ],
    ids=str,
)
def test_settings_out_of_range_are_refused_before_anything_else(settings):
    with pytest.raises(ValueError, match=r"got|both"):
        semantic(Evidence(Document("empty", ""), engines=None), **settings)
