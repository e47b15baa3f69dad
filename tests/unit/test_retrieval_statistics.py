"""How sure a number is that was measured on questions."""

import numpy as np
import pytest

from chunkfit.retrieval.statistics import (
    differences,
    estimate,
    holm,
    mean,
    paired,
    rank_correlation,
    resampled,
    resamples,
    spearman,
)


def test_each_group_keeps_its_size_in_every_sample():
    weights = resamples([0, 0, 0, 1, 1], draws=50)
    assert weights.shape == (50, 5)
    assert (weights[:, :3].sum(axis=1) == 3).all()
    assert (weights[:, 3:].sum(axis=1) == 2).all()


def test_the_same_seed_draws_the_same_samples_and_another_one_others():
    one, same, other = (resamples([0] * 20, draws=10, seed=seed) for seed in (3, 3, 4))
    assert (one == same).all()
    assert (one != other).any()


def test_a_group_of_one_question_is_that_question_in_every_sample():
    assert (resamples([0, 1, 2], draws=5) == 1).all()


def test_no_draws_are_refused():
    with pytest.raises(ValueError, match="at least 1 draw, got 0"):
        resamples([0, 0], draws=0)


def test_means_of_samples_weigh_a_question_as_often_as_it_was_drawn():
    # the first question three times, the second once: (3 * 1 + 1 * 5) / 4 and (3 * 2 + 1 * 0) / 4
    found = resampled(np.array([[1.0, 5.0], [2.0, 0.0]]), np.array([[3, 1]]))
    assert found.tolist() == [[2.0, 1.5]]


def test_an_interval_holds_the_middle_of_what_samples_give():
    # of 0..1000 the 2.5 % and 97.5 % quantiles
    found = estimate(7.0, np.arange(1001.0))
    assert (found.value, found.low, found.high) == pytest.approx((7, 25, 975))


def test_the_interval_of_a_mean_is_about_two_standard_errors_wide_on_either_side():
    values = np.random.default_rng(0).normal(size=400)
    found = mean(values, resamples([0] * 400, draws=4000))
    error = values.std() / 20
    assert found.value == pytest.approx(values.mean())
    assert found.high - found.value == pytest.approx(1.96 * error, rel=0.1)
    assert found.value - found.low == pytest.approx(1.96 * error, rel=0.1)


@pytest.mark.parametrize(
    ("first", "second", "rho"),
    [
        ([1, 2, 3], [10, 20, 400], 1),
        ([1, 2, 3], [3, 2, 1], -1),
        ([1, 2, 3, 4], [1, 3, 2, 4], 1 - 6 * 2 / (4 * 15)),  # 1 - 6 sum d^2 / (n (n^2 - 1))
        ([1, 1, 2], [1, 2, 3], np.sqrt(3) / 2),  # ranks 1.5 1.5 3 beside 1 2 3: 1.5 / sqrt(1.5 * 2)
        ([5, 5, 5], [1, 2, 3], np.nan),
    ],
)
def test_correlation_of_ranks(first, second, rho):
    assert spearman(np.array(first), np.array(second)) == pytest.approx(rho, nan_ok=True)


def test_one_ranking_is_compared_with_many():
    assert spearman(np.array([1, 2, 3]), np.array([[1, 2, 3], [3, 2, 1]])).tolist() == pytest.approx([1, -1])


def test_a_score_is_correlated_with_the_means_over_questions():
    # means 0.5, 0.6, 0.1 rank 2, 3, 1; the score ranks 1, 3, 2: 1 - 6 * 2 / (3 * 8)
    recall = np.array([[0.0, 1.0], [0.6, 0.6], [0.2, 0.0]])
    found = rank_correlation(np.array([1.0, 9.0, 2.0]), recall, resamples([0, 0], draws=200))
    assert found.value == pytest.approx(0.5)
    # samples: twice the first question 0.0 0.6 0.2, twice the second 1.0 0.6 0.0, or both
    assert (found.low, found.high) == pytest.approx((-0.5, 1.0))


def test_where_nothing_is_ranked_there_is_no_correlation():
    weights = resamples([0, 0], draws=10)
    assert rank_correlation(np.array([1.0, 1.0]), np.array([[0.1, 0.2], [0.3, 0.4]]), weights) is None
    assert rank_correlation(np.array([1.0, 2.0]), np.ones((2, 2)), weights) is None


def test_tests_are_adjusted_by_holm():
    # 0.01 * 4, 0.02 * 3, 0.03 * 2 raised to the one before, 0.8 * 1
    assert holm([0.03, 0.01, 0.8, 0.02]) == pytest.approx([0.06, 0.04, 0.8, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_questions_on_which_one_method_is_always_better_tell_them_apart():
    # ten differences of one sign: both tails of 2^10 equally likely signs, 2 / 1024
    a = np.linspace(0.1, 1, 10)
    (found,) = differences({"a": a, "b": a - np.linspace(0.01, 0.1, 10)}, resamples([0] * 10))
    assert (found.first, found.second) == ("a", "b")
    assert found.mean.value == pytest.approx(0.055)
    assert 0 < found.mean.low < 0.055 < found.mean.high
    assert found.p == found.adjusted == pytest.approx(2 / 1024)


def test_equal_methods_are_not_told_apart():
    same = np.array([0.1, 0.5, 0.9])
    (found,) = differences({"a": same, "b": same.copy()}, resamples([0] * 3))
    assert (found.mean.value, found.p, found.adjusted) == (0, 1, 1)


def test_all_pairs_are_adjusted_together():
    random = np.random.default_rng(1)
    values = {name: random.random(30) + shift for name, shift in (("a", 0), ("b", 0.3), ("c", 0.31))}
    weights = resamples([0] * 30, draws=10)
    found = differences(values, weights)
    assert [(one.first, one.second) for one in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [one.adjusted for one in found] == pytest.approx(holm([one.p for one in found]))
    (alone,) = paired([(("a", values["a"]), ("b", values["b"]))], weights)
    assert alone.adjusted == alone.p == found[0].p


def test_an_interval_of_samples_that_rank_nothing_is_all_there_is():
    # the only sample holds the first question twice, on which both methods are alike
    recall = np.array([[0.5, 0.1], [0.5, 0.2]])
    found = rank_correlation(np.array([1.0, 2.0]), recall, np.array([[2, 0]]))
    assert (found.value, found.low, found.high) == (1, -1, 1)
