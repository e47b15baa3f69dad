"""What holds for every metric of both profiles and every diagnostic, on any text and any chunking of it."""

import math
import sys
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkfit.engines import Engines
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.engines.static import StaticEmbedder
from chunkfit.evidence import Evidence
from chunkfit.metrics import diagnostics, profiles, score
from chunkfit.metrics.chance import shuffled
from chunkfit.model import Block, Chunking, Document, Mentions, Pair, Score, Span
from chunkfit.settings import ChanceSettings, Settings


class NoCoreference:
    id = "none"

    def resolve(self, document):
        return Mentions("none", reason="nobody looked for mentions")


ENGINES = Engines(StaticEmbedder(), RuleSegmenter(), NoCoreference())
REGISTRIES = {**profiles, "diagnostic": diagnostics}
PARTS = [
    pytest.param(part.make, id=f"{name}-{part.name}", marks=[pytest.mark.slow] if part.traits.get("costly") else [])
    for name, parts in REGISTRIES.items()
    for part in parts
]
TEXTS = {
    "empty": "",
    "blank": " \n\t\r\n ",
    "one letter": "a",
    "prose": "Tea is hot. It cools. Ice is cold, and it melts.\n\n# Head\nThe pump runs. She saw it run.\n" * 4,
    "no spaces": "今天下雨。我在家！你呢？" * 20,
    "digits": "12 34 56\n7.8 9\n" * 12,
    "no words": "?! -- ... ***\n\n" * 20,
    "Thai": "ชาร้อนมาก น้ำแข็งเย็น ปั๊มทำงาน " * 20,
    "equal letters": "a" * 3000,
    "awkward": "a\r\nb\r\n\r\ncafe\u0301 👩‍👩‍👧 \ud800 שלום <|endoftext|> <s>\u2028\x00\x1c" * 8,
}


def evidence(text, block_edges=(), pairs=None):
    """Every third block is a heading, and the mentions of each pair are a chain."""
    edges = sorted({0, len(text), *block_edges})
    blocks = tuple(
        Block("other" if number % 3 else "heading", Span(a, b)) for number, (a, b) in enumerate(pairwise(edges))
    )
    chains = tuple((pair.entity, pair.pronoun) for pair in pairs or ())
    mentions = Mentions("given", chains, pairs) if pairs else None
    return Evidence(Document("d", text, blocks=blocks if block_edges else ()), ENGINES, mentions)


def cut(text, edges, overlap=0):
    inner = sorted({0, len(text), *edges})
    return Chunking("m", tuple(Span(max(0, a - overlap if a else a), b) for a, b in pairwise(inner)), overlap=overlap)


def is_a_score(found):
    if found.value is None:
        return bool(found.reason)
    return isinstance(found.value, float) and math.isfinite(found.value) and 0 <= found.value <= 1


def chunkings(text):
    n = len(text)
    whole = Span(0, n)
    yield Chunking("none", ())
    yield Chunking("whole", (whole,))
    yield Chunking("twice", (whole, whole), overlap=n)
    yield Chunking("empty ones", (Span(0, 0), Span(0, 0), whole, Span(n, n)))
    yield Chunking("nothing but empty ones", (Span(0, 0), Span(n // 2, n // 2)))
    yield Chunking("dropping", (Span(n // 4, n // 2),))
    yield cut(text, range(0, n, 1 + n // 7))
    yield cut(text, range(0, n, 1 + n // 7), overlap=1 + n // 20)
    yield cut(text, range(0, n, 1 + n // 1000))
    yield Chunking("gaps", tuple(Span(a, min(n, a + 1 + n // 9)) for a in range(0, n, 1 + n // 5)))
    yield Chunking("nested", (whole, Span(n // 3, n // 2), Span(n // 2, n)), overlap=n)


@pytest.mark.parametrize("metric", PARTS)
@pytest.mark.parametrize("name", TEXTS)
def test_every_value_is_finite_and_within_0_and_1_or_none_with_a_reason(metric, name):
    text = TEXTS[name]
    n = len(text)
    pairs = (Pair(Span(0, n // 5), Span(n // 2, n // 2 + n // 5)), Pair(Span(n // 2, n), Span(0, n // 3))) if n else ()
    for known in (evidence(text), evidence(text, range(1, n, 1 + n // 9), pairs)):
        for chunking in chunkings(text):
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                assert is_a_score(metric(chunking, known)), chunking.method


@pytest.mark.parametrize("metric", PARTS)
def test_a_chunk_outside_the_text_is_an_error_and_no_score(metric):
    for spans in ((Span(0, 8),), (Span(0, 3), Span(9, 12)), (Span(4, 4), Span(8, 8))):
        with pytest.raises(ValueError, match="the text has 7 code points"):
            metric(Chunking("of another text", spans), evidence("abc def", [3], (Pair(Span(0, 3), Span(4, 7)),)))


@pytest.mark.slow
@pytest.mark.parametrize("profile", profiles)
@pytest.mark.parametrize("name", TEXTS)
def test_a_scorecard_is_the_same_every_time(profile, name):
    text = TEXTS[name]
    asked = Settings(profile=profile, diagnostics=diagnostics.names(), chance=ChanceSettings(draws=3))
    for chunking in chunkings(text):
        edges = range(1, len(text), 1 + len(text) // 9)
        first, again = (score(chunking, evidence(text, edges), asked) for _ in range(2))
        assert first == again
        assert repr(first) == repr(again)
        assert all(
            one.chance is None or (0 <= one.chance.mean <= 1 and math.isfinite(one.chance.deviation))
            for one in (*first.scores.values(), *first.diagnostics.values())
        )


WORDS = st.lists(st.sampled_from(["tea", "ice", "pump", "it", "runs.", "\n\n", "汉", "#"]), min_size=8, max_size=60)
FRACTIONS = st.lists(st.floats(0, 1), max_size=6)
relaxed = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def at(text, fractions):
    return [int(fraction * len(text)) for fraction in fractions]


@given(words=WORDS, cuts=FRACTIONS, blocks=FRACTIONS, mentions=st.lists(st.floats(0, 0.9), min_size=2, max_size=8))
@relaxed
def test_an_overlap_never_lowers_what_it_can_only_make_whole(words, cuts, blocks, mentions):
    text = " ".join(words)
    spans = [Span(offset, offset + 2) for offset in at(text[:-2], mentions)]
    known = evidence(text, [1, *at(text, blocks)], tuple(Pair(a, b) for a, b in pairwise(spans)))
    without, overlapping = cut(text, at(text, cuts)), cut(text, at(text, cuts), overlap=5)
    for part in (profiles["strict"]["BI"], profiles["strict"]["RC"], diagnostics["reference_chains"]):
        assert (part.make(overlapping, known).value or 0) >= (part.make(without, known).value or 0), part.name
    assert profiles["strict"]["coverage"].make(overlapping, known) == Score(1.0)


@given(words=WORDS, cuts=FRACTIONS, blocks=FRACTIONS)
@relaxed
def test_a_chunk_that_is_there_twice_scores_as_if_it_were_there_once(words, cuts, blocks):
    text = " ".join(words)
    known = evidence(text, [1, *at(text, blocks)], (Pair(Span(0, 2), Span(6, 8)),))
    once = cut(text, at(text, cuts))
    twice = Chunking("m", tuple(span for span in once.spans for _ in range(2)), overlap=len(text))
    for part in (*profiles["strict"], *diagnostics):
        first, second = part.make(once, known), part.make(twice, known)
        assert second.value == pytest.approx(first.value, abs=1e-6), part.name


@given(words=WORDS, cuts=FRACTIONS, blocks=FRACTIONS)
@relaxed
def test_an_overlap_changes_no_diagnostic_that_asks_where_the_text_turns(words, cuts, blocks):
    text = " ".join(words)
    known = evidence(text, [1, *at(text, blocks)])
    without, overlapping = cut(text, at(text, cuts)), cut(text, at(text, cuts), overlap=5)
    for part in diagnostics:
        if part.name != "reference_chains":
            assert part.make(overlapping, known) == part.make(without, known), part.name


@given(words=WORDS, cuts=FRACTIONS)
@relaxed
def test_draws_of_chance_tile_what_the_chunking_tiles_and_keep_each_length_to_a_word(words, cuts):
    text = " ".join(words)
    known, chunking = evidence(text), cut(text, at(text, cuts))
    for draw in shuffled(chunking, known, ChanceSettings(draws=4)):
        assert [a.end for a, _ in pairwise(draw.spans)] == [b.start for _, b in pairwise(draw.spans)]
        assert (draw.spans[0].start, draw.spans[-1].end) == (0, len(text))
        # an edge moves by at most 24 code points, so the k-th longest changes by as much
        sizes = [sorted(len(span) for span in one.spans) for one in (chunking, draw)]
        assert np.abs(np.subtract(*sizes)).max() <= 24


def test_metrics_do_not_remember_other_chunkings_or_documents():
    text = TEXTS["prose"]
    asked, other = cut(text, range(0, 300, 40)), cut(text, range(0, 300, 7))
    fresh = score(asked, evidence(text, [50, 90]), Settings(profile="strict", chance=ChanceSettings(draws=2)))
    used = evidence(text, [50, 90])
    score(other, used, Settings(profile="paper", chance=ChanceSettings(draws=2)))
    score(
        cut(TEXTS["awkward"], [9]),
        evidence(TEXTS["awkward"]),
        Settings(profile="strict", chance=ChanceSettings(draws=2)),
    )
    again = score(asked, used, Settings(profile="strict", chance=ChanceSettings(draws=2)))
    for before, after in ((fresh.scores, again.scores), (fresh.diagnostics, again.diagnostics)):
        assert {name: one.value for name, one in after.items()} == pytest.approx(
            {name: one.value for name, one in before.items()}, abs=sys.float_info.epsilon * 100
        )
