"""The partition whose chunks hold what is most alike, within a hard limit. Each word is a piece here, and a token."""

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkfit.chunking import cut_raw
from chunkfit.chunking.cluster_semantic import cluster_semantic
from chunkfit.engines import Engines, default_engines
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from chunkfit.tokens import TokenIndex

WORDS = {
    "a": " international",
    "b": " administration",
    "c": " understanding",
    "d": " communication",
    "e": " organization",
    "-": " ----------",
}
AXES = {kind: np.eye(5)[number].tolist() for number, kind in enumerate("abcde")}
ALIKE = {kind: [0.6, 0.8] for kind in "abcde"}


@dataclass(frozen=True)
class WordEmbedder:
    """A vector for each span by the first word in it; a rule of dashes has none."""

    vectors: dict[str, list[float]]
    id: str = "words"

    def embed(self, document):
        of_word = {WORDS[kind].strip(): np.array(vector) for kind, vector in self.vectors.items()}
        nothing = np.zeros(len(next(iter(of_word.values()))))

        def found(starts, ends):
            words = [document.text[a:b].split()[0] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
            return np.array([of_word.get(word, nothing) for word in words], np.float32)

        return found


def chunks(kinds: str, vectors=AXES, **settings) -> list[str]:
    """The chunks of a text of one word a kind, as the kinds in each."""
    text = "".join(WORDS[kind] for kind in kinds)
    default = default_engines()
    engines = Engines(WordEmbedder(vectors), default.segmenter, default.coreference)
    chunking = cluster_semantic(Evidence(Document("d", text), engines), piece=1, **settings)
    starts = np.cumsum([0, *(len(WORDS[kind]) for kind in kinds)])
    numbers = np.searchsorted(starts, [0, *(span.end for span in chunking.spans)])
    return [kinds[a:b] for a, b in pairwise(numbers)]


def test_what_is_alike_stays_together():
    # 6 of 15 pairs have cosine 1, the others 0: mean 0.4. Two runs give 6 · 0.6 = 3.6, one run 9 · 0.4 less
    assert chunks("aaabbb", size=6) == ["aaa", "bbb"]


def test_a_chunk_holds_what_pays_together():
    # one c in the middle of a: of 10 pairs 6 are alike, mean 0.6. Whole: 6 · 0.4 - 4 · 0.6 = 0, parted: 2 · 0.4 = 0.8
    assert chunks("aacaa", size=5) == ["aa", "c", "aa"]
    # among eight a the pairs are 28 of 36, mean 0.78: parted, 2 · 6 · 0.22 = 2.7; whole, 28 · 0.22 - 8 · 0.78 = 0
    assert chunks("aaaacaaaa", size=9) == ["aaaa", "c", "aaaa"]


def test_equal_pieces_fill_the_limit():
    # no pair is above the mean: nothing is gained by any cut, and the fewest chunks win, the first ones full
    assert chunks("aaaaaaaa", size=3) == ["aaa", "aaa", "aa"]
    assert chunks("abcdeabcde", ALIKE, size=4) == ["abcd", "eabc", "de"]


def test_pieces_unlike_all_others_fill_the_limit():
    assert chunks("abcde", size=5) == ["abcde"]
    assert chunks("abcde", size=3) == ["abc", "de"]


def test_alternating_pieces_keep_the_limit():
    # neighbours have 0, mean 0.4: two together lose 0.4, three 2 · 0.4 - 0.6 = 0.2. All six neither gain nor lose
    assert chunks("ababab", size=2) == ["a", "b", "a", "b", "a", "b"]
    assert chunks("ababab", size=3) == ["a", "b", "a", "b", "a", "b"]
    assert chunks("ababab", size=6) == ["ababab"]


def test_pieces_without_any_token_go_with_any_neighbour():
    # the mean is that of a and b alone, 2 of 6; the rule of dashes gains and loses nothing, and opens no chunk
    assert chunks("aa-bb", size=5) == ["aa-", "bb"]
    assert chunks("---", size=3) == ["---"]


def test_one_piece_is_one_chunk_and_no_text_none():
    assert chunks("a", size=5) == ["a"]
    assert cluster_semantic(Evidence(Document("empty", ""), engines=None)).spans == ()


def test_the_text_of_a_chunk_is_counted_not_the_sum_of_its_pieces():
    # letters of one word: eight are a token together, and each is one alone
    text = "a" * 64
    chunking = cluster_semantic(Evidence(Document("a", text), default_engines()), size=4, piece=1)
    counts = [TokenIndex(span.of(text)).total for span in chunking.spans]
    assert counts == [4, 4]


def total(kinds: str, edges: list[int], vectors) -> float:
    """The sum over chunks and pairs that the method is to make as large as possible."""
    rows = np.array([vectors[kind] for kind in kinds])
    alike = rows @ rows.T
    mean = np.mean([alike[i, j] for i, j in combinations(range(len(kinds)), 2)]) if len(kinds) > 1 else 0.0
    return sum(alike[i, j] - mean for a, b in pairwise(edges) for i, j in combinations(range(a, b), 2))


@settings(deadline=None, max_examples=100)
@given(
    st.text("abcde", min_size=1, max_size=9),
    st.integers(1, 6),
    st.lists(st.floats(0, 6.28, allow_subnormal=False), min_size=5, max_size=5),
)
def test_no_partition_within_the_limit_has_a_larger_sum(kinds, size, angles):
    vectors = {kind: [np.cos(angle), np.sin(angle)] for kind, angle in zip("abcde", angles, strict=True)}
    found = chunks(kinds, vectors, size=size)
    assert all(len(chunk) <= size for chunk in found)
    edges = np.cumsum([0, *map(len, found)]).tolist()
    inner = range(1, len(kinds))
    others = ([0, *cuts, len(kinds)] for n in range(len(kinds)) for cuts in combinations(inner, n))
    best = max(total(kinds, some, vectors) for some in others if max(b - a for a, b in pairwise(some)) <= size)
    # similarities are taken to five digits
    assert total(kinds, edges, vectors) == pytest.approx(best, abs=36 * 1e-5)


def test_a_long_text_is_worked_out_in_parts_as_if_in_one(monkeypatch):
    kinds = "aabbbcdddeaacb" * 8
    whole = chunks(kinds, size=5)
    monkeypatch.setattr("chunkfit.chunking.cluster_semantic._ROWS", 7)
    assert chunks(kinds, size=5) == whole == chunks(kinds, size=5, batch=3)


def test_an_eighth_of_the_size_is_a_piece_unless_given():
    evidence = Evidence(Document("d", "Tea is hot. Ice is cold. Rain falls. The sun is out. " * 9), default_engines())
    for small, given_ in ((80, 10), (7, 1)):
        assert cut_raw(f"cluster_semantic[size={small}]", evidence).spans == (
            cut_raw(f"cluster_semantic[size={small},piece={given_}]", evidence).spans
        )


def test_an_embedder_that_drops_inputs_is_named_with_the_document():
    class Forgetful(WordEmbedder):
        def embed(self, document):
            vectors = super().embed(document)
            return lambda starts, ends: vectors(starts, ends)[1:]

    default = default_engines()
    evidence = Evidence(
        Document("d", " international administration"), Engines(Forgetful(AXES), default.segmenter, default.coreference)
    )
    with pytest.raises(MethodFailed, match="words gave 1 vectors for 2 spans of 'd'"):
        cluster_semantic(evidence, size=2, piece=1)


@pytest.mark.parametrize(
    "settings", [{"size": 0}, {"size": -1}, {"piece": 0}, {"size": 4, "piece": 5}, {"batch": 0}], ids=str
)
def test_settings_that_leave_no_room_are_refused_before_anything_else(settings):
    with pytest.raises(ValueError, match="got"):
        cluster_semantic(Evidence(Document("empty", ""), engines=None), **settings)
