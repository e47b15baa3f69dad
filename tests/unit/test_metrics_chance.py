from itertools import pairwise

import pytest

from chunkfit.metrics import score, strict
from chunkfit.metrics.chance import chance_of, shuffled
from chunkfit.model import Chance, Score, Span
from chunkfit.settings import ChanceSettings, Settings

WORDS = "a " * 50  # a word begins at every even offset
NO_WORDS = "a" * 100  # nothing for an edge to move to
TEN = ChanceSettings(draws=10)


def lengths(chunking):
    return [len(span) for span in chunking.spans]


def test_a_draw_has_the_same_lengths_in_another_order(evidence, chunking):
    cut = chunking((0, 10), (10, 16), (16, 46), (46, 100))
    draws = shuffled(cut, evidence(WORDS), TEN)
    assert len(draws) == 10
    assert all(sorted(lengths(draw)) == [6, 10, 30, 54] for draw in draws)
    assert len({tuple(lengths(draw)) for draw in draws}) > 1
    assert all(a.end == b.start for draw in draws for a, b in pairwise(draw.spans))


def test_the_same_seed_draws_the_same(evidence, chunking):
    known, cut = evidence(WORDS), chunking((0, 10), (10, 16), (16, 46), (46, 100))
    assert shuffled(cut, known, TEN) == shuffled(cut, known, TEN)
    assert shuffled(cut, known, TEN) != shuffled(cut, known, ChanceSettings(draws=10, seed=1))


def test_edges_move_on_to_the_beginning_of_a_word(evidence, chunking):
    # words begin at 0, 5, 8 and 15: an edge at 4 or 1 moves to 5, one at 12 to 15
    cut = chunking((0, 4), (4, 16), (16, 17))
    assert {draw.spans[0].end for draw in shuffled(cut, evidence("abc, de fghijk lm"), TEN)} == {5, 15}


def test_without_words_edges_stay_where_the_lengths_put_them(evidence, chunking):
    cut = chunking((0, 7), (7, 30), (30, 100))
    assert all(sorted(lengths(draw)) == [7, 23, 70] for draw in shuffled(cut, evidence(NO_WORDS), TEN))


def test_overlaps_and_gaps_keep_their_sizes(evidence, chunking):
    # a chunk of 40 that shares 10 with the next, one of 30 with a gap of 6 behind it, one of 34 at the end
    cut = chunking((0, 40), (30, 60), (66, 100), overlap=10)
    for draw in shuffled(cut, evidence(WORDS), TEN):
        for span, following in pairwise(draw.spans):
            assert following.start - span.end == {40: -10, 30: 6, 34: 0}[len(span)]
        assert draw.spans[-1].end <= 100
        assert draw.overlap == 10


def test_a_chunking_without_chunks_has_no_draws(evidence, chunking):
    assert shuffled(chunking(), evidence(WORDS), TEN) == ()


def test_chance_is_the_mean_and_deviation_of_the_draws_that_have_a_value():
    # 0.2 and 0.6: mean 0.4, deviation 0.2
    assert chance_of([Score(0.2), Score(None, "nothing"), Score(0.6)]) == Chance(
        pytest.approx(0.4), pytest.approx(0.2), draws=2
    )
    assert chance_of([Score(None, "nothing")]) is None


def test_a_scorecard_has_the_metrics_in_order_with_chance_where_it_tells_something(evidence, chunking):
    known = evidence(WORDS, block_ends=[20, 60, 100], pairs=[((10, 11), (14, 15))])
    card = score(chunking((0, 20), (20, 60), (60, 100)), known, Settings(profile="strict", chance=TEN))
    assert tuple(card.scores) == strict.names() == ("coverage", "RC", "ICC", "DCC", "BI", "SC")
    assert {name for name, one in card.scores.items() if one.chance} == {"RC", "DCC", "BI"}  # ICC has no value here
    assert card.scores["BI"].value == 1.0
    assert card.scores["BI"].lift == pytest.approx(1.0 - card.scores["BI"].chance.mean)
    assert card.scores["BI"].chance.draws == 10
    assert card.disqualified is None


def test_a_scorecard_knows_the_sizes(evidence, chunking):
    # "a a a a a", " a a a", " a": 5, 3 and 1 tokens
    sizes = score(
        chunking((0, 9), (9, 15), (15, 17)), evidence("a a a a a a a a a"), Settings(profile="paper", chance=TEN)
    ).sizes
    assert (sizes.chunks, sizes.mean, sizes.minimum, sizes.median, sizes.maximum) == (3, 3.0, 1, 3.0, 5)
    assert sizes.deviation == pytest.approx((8 / 3) ** 0.5)


def test_no_draws_are_no_chance(evidence, chunking):
    card = score(
        chunking((0, 20), (20, 100)), evidence(WORDS), Settings(profile="paper", chance=ChanceSettings(draws=0))
    )
    assert all(one.chance is None for one in card.scores.values())


def test_a_closed_gate_disqualifies_in_strict_and_paper_has_no_gate(evidence, chunking):
    dropped = chunking((0, 20), (40, 100))
    strict_card = score(dropped, evidence(WORDS), Settings(profile="strict", chance=TEN))
    assert strict_card.disqualified == "coverage is below 1: it drops 10 of 50 non-blank characters"
    assert score(dropped, evidence(WORDS), Settings(profile="paper", chance=TEN)).disqualified is None


@pytest.mark.parametrize("profile", ["paper", "strict"])
def test_no_chunks_disqualify(profile, evidence, chunking):
    card = score(chunking(), evidence(WORDS), Settings(profile=profile, chance=TEN))
    assert "it made no chunks" in card.disqualified
    assert card.sizes is None


@pytest.mark.parametrize(
    "spans, message", [([(0, 5), (4, 101)], "has 100 code points"), ([(5, 9), (0, 5)], "sort the")]
)
def test_a_chunking_of_another_text_is_refused(spans, message, evidence, chunking):
    cut = chunking(*spans)
    for part in strict:
        with pytest.raises(ValueError, match=message):
            part.make(cut, evidence(WORDS, block_ends=[100], pairs=[((0, 1), (2, 3))]))
    assert cut.spans[0] == Span(*spans[0])
