"""Thresholds over distances, worked out by hand."""

import numpy as np
import pytest

from chunkfit.chunking.breakpoints import above, amount_of, largest, signal

FIVE = np.array([0.1, 0.2, 0.3, 0.4, 1.0])


@pytest.mark.parametrize(
    ("kind", "amount", "found"),
    [
        # sorted as they are: the 75th percentile is 0.4, and only 1.0 is above; the 50th is 0.3
        ("percentile", 75, [4]),
        ("percentile", 50, [3, 4]),
        ("percentile", 100, []),
        ("percentile", 0, [1, 2, 3, 4]),
        # mean 0.4, squares of what is off it 0.09, 0.04, 0.01, 0, 0.36: deviation √0.1 = 0.316
        ("standard_deviation", 1.8, [4]),  # 0.969
        ("standard_deviation", 1.9, []),  # 1.001
        ("standard_deviation", -0.5, [2, 3, 4]),  # 0.242
        # quartiles 0.2 and 0.4, mean 0.4
        ("interquartile", 2.9, [4]),  # 0.98
        ("interquartile", 3.1, []),  # 1.02
    ],
)
def test_values_above_the_threshold_are_cut_at(kind, amount, found):
    assert above(FIVE, kind, amount).tolist() == found


def test_the_gradient_is_the_central_difference():
    # at the ends the difference to the one neighbour, inside half of that between both
    assert signal(FIVE, "gradient") == pytest.approx([0.1, 0.1, 0.1, 0.35, 0.6])
    assert signal(FIVE, "percentile") is FIVE


@pytest.mark.parametrize("kind", ["percentile", "standard_deviation", "interquartile", "gradient"])
@pytest.mark.parametrize("values", [[], [0.7]])
def test_one_value_or_none_is_never_above(kind, values):
    distances = np.array(values)
    assert above(signal(distances, kind), kind, 0.0).size == 0


def test_the_largest_values_come_in_order_and_of_equal_ones_the_earlier():
    assert largest(np.array([0.3, 0.9, 0.3, 0.5]), 3).tolist() == [0, 1, 3]
    assert largest(np.array([0.3]), 5).tolist() == [0]
    assert largest(np.array([0.3, 0.9]), 0).size == 0


def test_each_kind_has_its_own_amount():
    found = {kind: amount_of(kind, None) for kind in ("percentile", "standard_deviation", "interquartile", "gradient")}
    assert found == {"percentile": 95, "standard_deviation": 3, "interquartile": 1.5, "gradient": 95}
    assert amount_of("interquartile", 2.5) == 2.5
