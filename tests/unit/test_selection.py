import random
from dataclasses import replace

import pytest

from chunkfit.metrics import strict
from chunkfit.model import Score, Scorecard, SizeStatistics
from chunkfit.selection import select
from chunkfit.settings import SelectionRules


def card(method, chunks=10, disqualified=None, **values):
    scores = {name: Score(None, "no pronouns") if value is None else Score(value) for name, value in values.items()}
    return Scorecard(method, scores, SizeStatistics(chunks, 500.0, 0.0, 500, 500.0, 500), disqualified)


COSTS = {"cheap": 0, "middle": 1, "dear": 3}


def test_the_highest_mean_wins_and_the_margin_is_to_the_next():
    # means 0.7 and 0.5
    selection = select([card("cheap", RC=0.4, BI=0.6), card("dear", RC=0.8, BI=0.6)], costs=COSTS)
    assert selection.best == "dear"
    assert [(one.method, one.mean) for one in selection.ranking] == [
        ("dear", pytest.approx(0.7)),
        ("cheap", pytest.approx(0.5)),
    ]
    assert selection.margin == pytest.approx(0.2)
    assert selection.tied == ("dear",)
    assert selection.metrics == ("RC", "BI")
    assert selection.reason == "dear has the highest mean, 0.7000, 0.2000 above cheap."


def test_weights_decide_how_much_a_metric_counts():
    # 3 to 1: (3 * 0.4 + 0.8) / 4 = 0.5 and (3 * 0.6 + 0.2) / 4 = 0.5 would tie; 4 to 1 does not: 0.48 and 0.52
    cards = [card("cheap", RC=0.4, BI=0.8), card("dear", RC=0.6, BI=0.2)]
    assert select(cards, SelectionRules(weights={"RC": 3, "BI": 1}), COSTS).best == "cheap"
    heavy = select(cards, SelectionRules(weights={"RC": 4, "BI": 1}), COSTS)
    assert heavy.best == "dear"
    assert heavy.ranking[0].mean == pytest.approx(0.52)


def test_a_metric_without_a_weight_is_left_out_and_named():
    selection = select([card("cheap", RC=0.4, BI=0.8)], SelectionRules(weights={"RC": 1}), COSTS)
    assert selection.metrics == ("RC",)
    assert selection.left_out == {"BI": "its weight is 0"}


def test_a_metric_counts_only_where_every_competitor_has_a_value():
    # RC alone would make cheap the winner; it has no value for dear, so BI decides
    cards = [card("cheap", RC=1.0, BI=0.5), card("dear", RC=None, BI=0.6)]
    selection = select(cards, costs=COSTS)
    assert selection.best == "dear"
    assert selection.metrics == ("BI",)
    assert selection.left_out == {"RC": "no value for dear: no pronouns"}


def test_a_disqualified_method_neither_competes_nor_keeps_a_metric_out():
    cards = [card("cheap", RC=0.4), card("dear", RC=None, disqualified="it drops text"), card("middle", RC=0.3)]
    selection = select(cards, costs=COSTS)
    assert selection.best == "cheap"
    assert selection.metrics == ("RC",)
    assert selection.disqualified == {"dear": "it drops text"}
    assert [one.method for one in selection.ranking] == ["cheap", "middle"]


def test_gates_do_not_join_the_mean():
    assert "coverage" in strict
    selection = select([card("cheap", coverage=1.0, RC=0.4)], costs=COSTS)
    assert selection.ranking[0].mean == pytest.approx(0.4)
    assert "coverage" not in {*selection.metrics, *selection.left_out}


@pytest.mark.parametrize("higher, best", [(0.502, "cheap"), (0.503, "dear")])
def test_means_within_the_tie_margin_tie_and_the_cheaper_method_wins(higher, best):
    selection = select([card("dear", RC=higher), card("cheap", RC=0.5)], SelectionRules(tie_margin=0.002), COSTS)
    assert selection.best == best


def test_a_tie_names_its_methods_and_may_have_a_margin_below_zero():
    selection = select([card("dear", RC=0.501), card("cheap", RC=0.5), card("middle", RC=0.3)], costs=COSTS)
    assert selection.tied == ("cheap", "dear")
    assert [one.method for one in selection.ranking] == ["cheap", "dear", "middle"]
    assert selection.margin == pytest.approx(-0.001)
    assert selection.reason == (
        "2 methods are within 0.002 of the highest mean, a tie, and cheap (0.5000) is the cheapest of them."
    )


def test_of_equally_cheap_methods_the_one_with_fewer_chunks_wins_then_the_one_registered_first():
    costs = {"page": 1, "zzz": 1, "aaa": 1}
    assert select([card("aaa", chunks=9, RC=0.5), card("zzz", chunks=8, RC=0.5)], costs=costs).best == "zzz"
    # page is registered, the others are not; those go by name
    assert select([card("aaa", RC=0.5), card("page", RC=0.5)], costs=costs).best == "page"
    assert select([card("zzz", RC=0.5), card("aaa", RC=0.5)], costs=costs).best == "aaa"


def test_without_any_metric_all_tie_and_none_has_a_mean():
    selection = select([card("dear", RC=None), card("cheap", RC=None)], costs=COSTS)
    assert selection.best == "cheap"
    assert [one.mean for one in selection.ranking] == [None, None]
    assert selection.margin is None
    assert selection.left_out == {"RC": "no value for any method: no pronouns"}
    assert selection.reason == "No metric has a value for every method, so all 2 tie, and cheap is the cheapest."


def test_a_single_method_wins_without_a_margin():
    selection = select([card("cheap", RC=0.1), card("dear", RC=0.9, disqualified="it failed")], costs=COSTS)
    assert (selection.best, selection.margin) == ("cheap", None)
    assert selection.reason == "cheap is the only method left; disqualified: dear."


def test_where_no_method_is_left_there_is_no_best():
    selection = select([card("cheap", RC=0.1, disqualified="it failed")], costs=COSTS)
    assert selection.best is None
    assert selection.ranking == ()
    assert selection.reason == "No method can be used: every method was disqualified."
    assert select([], costs=COSTS).best is None


def test_the_order_of_scorecards_scores_and_costs_changes_nothing():
    cards = [
        card("page", RC=0.5, BI=0.6, ICC=0.7),
        card("recursive_600", RC=0.6, BI=0.5, ICC=0.7),
        card("dear", RC=0.7, BI=0.4, ICC=0.7),
        card("aaa", RC=0.1, BI=0.2, ICC=0.3),
        card("bbb", RC=0.9, disqualified="it failed"),
    ]
    costs = {"page": 1, "recursive_600": 1, "dear": 1, "aaa": 0, "bbb": 0}
    expected = select(cards, costs=costs)
    shuffle = random.Random(0)
    for _ in range(20):
        mixed = [
            Scorecard(one.method, dict(shuffle.sample(list(one.scores.items()), len(one.scores))), one.sizes,
                      one.disqualified)
            for one in shuffle.sample(cards, len(cards))
        ]  # fmt: skip
        again = select(mixed, costs=dict(shuffle.sample(list(costs.items()), len(costs))))
        assert again == expected
        assert repr(again) == repr(expected)


@pytest.mark.parametrize(
    "weights, message",
    [
        ({"RC": -1.0}, "a finite number from 0 up, got -1.0"),
        ({"RC": float("nan")}, "a finite number from 0 up"),
        ({"XX": 1.0}, "'XX', which was not scored; scored are RC"),
    ],
)
def test_weights_that_mean_nothing_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        select([card("cheap", RC=0.5)], SelectionRules(weights=weights), COSTS)


def test_one_scorecard_a_method():
    with pytest.raises(ValueError, match="one scorecard a method"):
        select([card("cheap", RC=0.5), card("cheap", RC=0.6)], costs=COSTS)


def test_an_unknown_cost_is_refused():
    with pytest.raises(ValueError, match="no cost is known of 'odd'"):
        select([card("odd", RC=0.5)], costs=COSTS)


def test_a_method_whose_chunks_were_split_again_costs_more_than_the_splitter():
    # page (cost 0) left one chunk that post-processing had to split: recursive_1100 (cost 1) does that by itself
    page = replace(card("page", BI=0.9), repairs=("split_oversized",))
    assert select([page, card("recursive_1100", BI=0.9)]).best == "recursive_1100"
    assert select([replace(page, repairs=("merge_tiny",)), card("recursive_1100", BI=0.9)]).best == "page"
