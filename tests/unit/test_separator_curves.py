"""From log-probabilities to boundaries, on curves with known answers."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfit.chunking.separator_curves import above, at_cuts, curve, near_size, nested, standardised, trend
from chunkfit.engines.language_models import Window


def window(positions, context, *levels):
    return Window(np.array(positions, np.int64), np.array(context, np.int64), np.array(levels, float).T)


def decaying(length, peaks, *, start=-4.0, slope=-0.01, height=3.0, noise=0.0):
    """A straight decay with peaks on it, and even noise of that width."""
    context = np.arange(1, length + 1)
    values = start + slope * context + noise * np.random.default_rng(3).uniform(-0.5, 0.5, length)
    values[peaks] += height
    return context, values


def test_peaks_on_a_decaying_trend_are_found_exactly():
    # -4 falls to -24 along 2000 tokens: the last peak, at -20.9, is far below the first place without one
    peaks = [3, 180, 700, 1333, 1990]
    context, values = decaying(2000, peaks)
    assert above(standardised(context, values), 3.0).tolist() == peaks
    assert above(values, values[1990] - 0.1).size > 1000  # what a threshold on the raw values would cut


def test_peaks_in_noise_on_a_decay_that_is_not_straight_are_found_exactly():
    peaks = [90, 400, 401, 1200, 1800]
    context, values = decaying(2000, peaks, slope=0.0, height=4.0, noise=1.0)
    values -= 5 * np.log1p(context / 300)
    assert above(standardised(context, values), 5.0).tolist() == peaks


def test_a_score_counts_robust_standard_deviations():
    # 33 places: median 0, half of them 1 away at most: a score is the value / 1.4826
    values = np.array([-1.0, 0.0, 1.0] * 10 + [0.0, 10.0, -1.0])
    context = np.arange(1, 34)
    assert np.median(np.abs(values)) == 1
    np.testing.assert_allclose(standardised(context, values), values / 1.4826)


@pytest.mark.parametrize("value", [0.0, -7.5, -1e4])
def test_an_even_curve_scores_nothing_anywhere(value):
    scores = standardised(np.arange(1, 500), np.full(499, value))
    assert not scores.any()
    assert above(scores, 0.0).size == 0


def test_what_half_precision_leaves_of_an_even_curve_is_no_boundary():
    values = np.full(499, -8.0)
    values[::7] += 0.06  # a step of bfloat16 there
    assert above(standardised(np.arange(1, 500), values), 1.0).size == 0


def test_an_impossible_separator_scores_nothing_and_impossible_places_count_as_the_least():
    assert standardised(np.arange(1, 4), np.full(3, -np.inf)).tolist() == [0, 0, 0]
    some = standardised(np.arange(1, 6), np.array([-np.inf, -5.0, -5.0, -1.0, -np.inf]))
    assert np.isfinite(some).all()
    assert some.argmax() == 3
    assert some[0] == some[4] == some[1]


def test_a_single_place_is_usual():
    found = curve([window([4], [1], [-2.0], [-9.0])])
    assert found.positions.tolist() == [4]
    assert found.scores.tolist() == [[0, 0]]


def test_no_window_has_no_place():
    assert len(curve(()).positions) == 0


def test_a_straight_trend_is_found_exactly_to_both_ends():
    context, values = decaying(640, [])
    np.testing.assert_allclose(trend(context, values), values)


def test_few_places_have_a_level_trend():
    assert trend(np.array([1, 2, 3]), np.array([-1.0, -5.0, -2.0])).tolist() == [-2, -2, -2]


def test_windows_of_equal_contexts_only_have_a_level_trend():
    assert trend(np.full(100, 4), np.repeat([-1.0, -3.0, -2.0, -2.0], 25)).tolist() == [-2] * 100


def overlapping(signal, length, size, shared, decay):
    """Windows over one signal, each with its own decay from its start."""
    found, first = [], 0
    while True:
        last = min(first + size, length)
        context = np.arange(1, last - first + 1)
        found.append(window(np.arange(first, last), context, signal[first:last] + decay(context)))
        if last == length:
            return found
        first = last - shared


def test_windows_agree_where_they_overlap_once_the_decay_is_taken_off():
    signal = np.random.default_rng(5).normal(-6, 1, 3000)
    windows = overlapping(signal, 3000, 600, 100, lambda context: -0.01 * context)
    pooled_context = np.concatenate([one.context for one in windows])
    pooled = np.concatenate([one.log_probabilities[:, 0] for one in windows])
    scores = np.split(standardised(pooled_context, pooled), np.cumsum([len(one.context) for one in windows])[:-1])
    for before, after, raw, other in zip(scores, scores[1:], windows, windows[1:], strict=False):
        assert np.abs(raw.log_probabilities[-100:] - other.log_probabilities[:100]).min() > 4.5  # 500 tokens of decay
        assert np.abs(before[-100:] - after[:100]).max() < 0.5


def test_a_place_takes_its_value_from_the_window_with_most_before_it():
    found = curve(
        [
            window([1, 2, 3, 4], [1, 2, 3, 4], [-5, -5, -5, -1]),
            window([3, 4, 5], [1, 2, 3], [-5, -5, -2]),
        ]
    )
    # 4 has four tokens before it in the first window, and is high there alone; level trend -5, scale 0.1
    assert found.positions.tolist() == [1, 2, 3, 4, 5]
    assert found.scores[:, 0].tolist() == pytest.approx([0, 0, 0, 40, 30])


def test_each_boundary_of_the_big_level_is_one_of_the_small_level():
    scores = np.array([[0.0, 0.0], [5.0, 1.0], [0.0, 4.0], [6.0, 6.0]])
    big, small = (set(above(nested(scores)[:, level], 3.0).tolist()) for level in (0, 1))
    assert big == {1, 3}
    assert small == {1, 2, 3}


def test_a_place_among_blanks_counts_for_the_cut_behind_them():
    text = "ab.\n\n cd ef"
    visible = np.cumsum([0, *(not character.isspace() for character in text)])
    places = window([1, 3, 4, 5, 6, 9], [1, 2, 3, 4, 5, 6], [-1, -7, -2, -9, -8, -3])
    found = at_cuts(places, np.array([6, 9]), visible)
    # 1 is inside a word: dropped. 3, 4 and 5 are blanks before the cut at 6, where the best of them counts
    assert found.positions.tolist() == [6, 9]
    assert found.context.tolist() == [5, 6]
    assert found.log_probabilities.tolist() == [[-2], [-3]]


def test_places_without_a_cut_behind_them_are_dropped():
    assert len(at_cuts(window([2, 3], [1, 2], [-1, -1]), np.array([1]), np.arange(5)).positions) == 0
    assert len(at_cuts(window([], [], []), np.array([1]), np.arange(5)).positions) == 0


def test_the_best_place_within_bounds_is_taken_and_the_next_is_looked_for_from_there():
    # size 10: from 0 the places at 5 ... 15, best at 7; from 7 those at 12 ... 22, best at 20; 25 - 20 = 5 stay
    at = np.array([3, 7, 10, 14, 20, 24])
    scores = np.array([99.0, 5, 1, 2, 4, 9])
    assert at[near_size(scores, at, 25, 10)].tolist() == [7, 20]


def test_an_even_curve_is_cut_evenly():
    at = np.arange(1, 100)
    assert at[near_size(np.zeros(99), at, 100, 10)].tolist() == [10, 20, 30, 40, 50, 60, 70, 80, 90]


def test_without_a_place_within_bounds_the_next_one_is_taken():
    at = np.array([2, 40, 45])
    assert at[near_size(np.array([9.0, 0, 1]), at, 60, 10)].tolist() == [40, 45]
    assert near_size(np.zeros(1), np.array([2]), 60, 10).size == 0  # 2 tokens are less than half the size


def test_a_text_of_one_and_a_half_sizes_stays_whole():
    at = np.arange(1, 15)
    assert near_size(np.ones(14), at, 15, 10).size == 0
    # 16 tokens: the cut leaves 5 on either side at least
    assert at[near_size(np.zeros(14), at, 16, 10)].tolist() == [10]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(-9, 9)), max_size=80),
    st.integers(0, 30),
    st.integers(1, 40),
)
def test_sizes_near_a_target_come_in_order_and_none_is_below_half(places, rest, size):
    at = np.cumsum([step for step, _ in places], dtype=np.int64)
    total = int(at[-1] if len(at) else 0) + rest
    cuts = near_size(np.array([score for _, score in places]), at, total, size)
    edges = [0, *at[cuts].tolist(), total]
    assert all(after - before >= size / 2 for before, after in pairwise(edges) if len(cuts))


@given(st.lists(st.floats(-1e4, 0) | st.just(-np.inf), min_size=1, max_size=200), st.integers(1, 3))
def test_scores_are_finite_and_do_not_depend_on_the_level_of_the_curve(values, stretch):
    context = np.arange(1, len(values) + 1) * stretch
    scores = standardised(context, np.array(values))
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(standardised(context, np.array(values) - 8), scores, atol=1e-6)
