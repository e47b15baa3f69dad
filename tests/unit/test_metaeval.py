"""How well scores foretell retrieval, on recalls by hand."""

import numpy as np
import pytest

from chunkfit.metaeval import (
    Measured,
    Purpose,
    choices,
    columns,
    correlation,
    held_out,
    predict,
    reliability,
    shortfall,
    together,
)
from chunkfit.model import Chance, Score, Scorecard, SizeStatistics
from chunkfit.retrieval.statistics import resamples

DENSE = Purpose("dense", 500)
LEXICAL = Purpose("lexical", 500)


def measured(recall, scores=None, probe=None, document="d", methods="abcdefgh"):
    """A row of recalls a method; the probe's numbers are those of dense search."""
    recall = np.array(recall, float)
    return Measured(
        document=document,
        methods=tuple(methods[: len(recall)]),
        recall={DENSE: recall},
        scores={name: np.array(values, float) for name, values in (scores or {}).items()},
        probes={} if probe is None else {"probe": {DENSE: np.array(probe, float)}},
        groups=np.zeros(recall.shape[1], np.int64),
    )


def predicted(one, score, purpose=DENSE):
    return predict(one, score, purpose, resamples(one.groups, 200))


def test_a_score_is_judged_by_the_order_of_methods_and_by_what_its_pick_loses():
    # mean recalls 0.4, 0.5, 0.2; the score ranks 3, 2, 1 and picks the first: 1 - 6 * 2 / 24, and 1 - 0.4 / 0.5
    one = measured([[0.4, 0.4], [0.5, 0.5], [0.2, 0.2]], {"BI": [0.9, 0.8, 0.1]})
    found = predicted(one, "BI")
    assert found.correlation.value == pytest.approx(0.5)
    assert (found.picked, found.best, found.recall, found.highest) == ("a", "b", pytest.approx(0.4), pytest.approx(0.5))
    # every question says the same, so every sample does
    assert (found.shortfall.value, found.shortfall.low, found.shortfall.high) == pytest.approx((0.2, 0.2, 0.2))


def test_a_probe_speaks_for_its_purpose_alone():
    one = measured([[0.4], [0.5]], probe=[0.1, 0.2])
    assert predicted(one, "probe").picked == "b"
    assert one.predicted("probe", LEXICAL) is None


def test_methods_without_a_value_are_not_ranked_and_not_picked_but_may_be_the_best():
    one = measured([[0.9], [0.2], [0.4]], {"ICC": [np.nan, 0.3, 0.1]})
    found = predicted(one, "ICC")
    assert found.correlation.value == -1
    assert (found.picked, found.best) == ("b", "a")


def test_a_score_that_nobody_has_foretells_nothing():
    assert predicted(measured([[0.9], [0.2]]), "RC") is None
    assert predicted(measured([[0.9], [0.2]], {"RC": [np.nan, np.nan]}), "RC") is None


def test_a_score_that_is_the_same_for_all_has_no_correlation_and_picks_the_first():
    found = predicted(measured([[0.1], [0.2]], {"SC": [1, 1]}), "SC")
    assert found.correlation is None
    assert found.picked == "a"


def test_where_nothing_is_found_nothing_is_lost():
    lost = predicted(measured([[0.0], [0.0]], {"SC": [1, 2]}), "SC").shortfall
    assert (lost.value, lost.low, lost.high) == (0, 0, 0)


def test_documents_together_weigh_by_their_questions():
    # one question against three: scores 0.25 * first + 0.75 * second
    first = measured([[1.0], [0.0]], {"BI": [0.0, 1.0]}, probe=[0.0, 0.4])
    second = measured([[0.0] * 3, [1.0] * 3], {"BI": [1.0, 0.0]}, probe=[0.8, 0.0])
    both = together([first, second])
    assert both.means(DENSE).tolist() == [0.25, 0.75]
    assert both.scores["BI"].tolist() == [0.75, 0.25]
    assert both.probes["probe"][DENSE] == pytest.approx([0.6, 0.1])
    assert both.groups.tolist() == [0, 1, 1, 1]


def test_a_score_that_one_document_lacks_is_the_mean_of_the_others():
    with_it, without = measured([[1.0], [0.0]], {"ICC": [0.2, np.nan]}), measured([[1.0], [0.0]])
    found = together([without, with_it])
    assert found.scores["ICC"] == pytest.approx([0.2, np.nan], nan_ok=True)
    assert not together([without, without]).scores


def test_documents_cut_by_other_methods_do_not_go_together():
    with pytest.raises(ValueError, match="'e' was cut by other methods than 'd'"):
        together([measured([[1.0]]), measured([[1.0]], document="e", methods="xyz")])
    with pytest.raises(ValueError, match="no documents"):
        together([])


def test_ways_to_choose_are_measured_on_every_document_alike():
    # recalls of a, b, c: 0.6 0.5 0.1 in the first document; 0.1 0.5 0.9 in the second, which has more questions
    first = measured([[0.6], [0.5], [0.1]], {"mean": [1, 2, 3]}, probe=[3, 2, 1])
    second = measured([[0.1] * 4, [0.5] * 4, [0.9] * 4], {"mean": [3, 2, 1]}, probe=[1, 3, 2], document="e")
    found = {choice.way: choice for choice in choices([first, second], DENSE, {"probe": "probe", "mean": "paper"})}
    expected = {
        "oracle": (("a", "c"), (0.6 + 0.9) / 2),
        "probe": (("a", "b"), (0.6 + 0.5) / 2),
        "paper": (("c", "a"), (0.1 + 0.1) / 2),
        "best fixed": (("b", "b"), 0.5),  # a 0.35, b 0.5, c 0.5: the first of equal ones
        "best fixed elsewhere": (("c", "a"), (0.1 + 0.1) / 2),
        "random": ((), (0.4 + 0.5) / 2),
        "worst": (("c", "a"), (0.1 + 0.1) / 2),
    }
    assert {way: choice.picks for way, choice in found.items()} == {way: picks for way, (picks, _) in expected.items()}
    for way, (_, recall) in expected.items():
        assert found[way].recall.value == pytest.approx(recall)
        assert found[way].regret.value == pytest.approx(0.75 - recall)
        assert found[way].regret.low == pytest.approx(found[way].regret.high)  # all questions agree


def test_intervals_of_choices_are_of_questions():
    one = measured([[0.0, 1.0], [0.4, 0.4]], probe=[0, 1])
    found = {choice.way: choice for choice in choices([one], DENSE, {"probe": "probe"})}
    # the oracle takes a: 0.5 in the mean, 0 or 1 where one question is drawn twice; b always has 0.4
    assert (found["oracle"].recall.low, found["oracle"].recall.high) == (0, 1)
    regret = found["probe"].regret
    assert (regret.value, regret.low, regret.high) == pytest.approx((0.1, -0.4, 0.6))
    assert "best fixed elsewhere" not in found  # there is no other document


def test_a_way_without_a_score_in_every_document_is_left_out():
    found = choices([measured([[1.0]], {"RC": [1]}), measured([[1.0]])], DENSE, {"RC": "RC"})
    assert "RC" not in {choice.way for choice in found}


def test_scores_are_chosen_on_some_documents_and_reported_on_the_others():
    # "good" ranks as recall does in d and e, "odd" does only in f
    up, down = [[0.1], [0.4], [0.7]], [[0.3], [0.2], [0.1]]  # together they rise
    scores = {"good": [1, 2, 3], "odd": [3, 2, 1]}
    documents = [measured(recall, scores, document=name) for name, recall in zip("def", (up, up, down), strict=True)]
    found = {one.documents: one for one in held_out(documents, ["odd", "good"], [DENSE], size=1)}
    assert set(found) == {("d",), ("e",), ("f",)}
    last = found["f",]  # chosen on d and e, where "good" is right; in f it picks c: 1 - 0.1 / 0.3
    assert (last.chosen, last.design, last.correlation, last.best) == ("good", 1, -1, 1)
    assert last.shortfall == pytest.approx(2 / 3)


def test_what_ranks_nothing_is_not_chosen():
    documents = [measured([[0.1], [0.2]], {"flat": [1, 1], "right": [1, 2]}, document=name) for name in "de"]
    assert {one.chosen for one in held_out(documents, ["flat", "absent", "right"], [DENSE], size=1)} == {"right"}


def test_a_choice_that_has_no_value_on_what_is_held_out_has_no_correlation_there():
    documents = [measured([[0.1], [0.2]], {"RC": [1, 2]}, document="d"), measured([[0.1], [0.2]], document="e")]
    documents.append(measured([[0.1], [0.2]], {"RC": [1, 2]}, document="f"))
    found = {one.documents: one for one in held_out(documents, ["RC"], [DENSE], size=1)}
    assert (found["e",].correlation, found["e",].shortfall, found["e",].best) == (None, None, None)
    assert found["d",].correlation == 1


def test_there_must_be_something_to_choose_by():
    documents = [measured([[0.1], [0.2]], {"flat": [1, 1]}, document=name) for name in "de"]
    with pytest.raises(ValueError, match="none of flat, absent ranks the methods"):
        held_out(documents, ["flat", "absent"], [DENSE], size=1)


@pytest.mark.parametrize("size", [0, 2])
def test_some_documents_must_be_left_on_either_side(size):
    with pytest.raises(ValueError, match=f"of 2 documents, 1 to 1 can be held out, got {size}"):
        held_out([measured([[1.0]]), measured([[1.0]])], ["x"], [DENSE], size)


def test_labels_that_agree_have_no_ceiling_below_one():
    found = reliability(measured([[0.1] * 6, [0.5] * 6, [0.9] * 6]), DENSE)
    assert (found.halves.value, found.halves.low, found.whole, found.ceiling) == (1, 1, 1, 1)


def test_labels_that_contradict_one_another_bear_no_correlation():
    # each question ranks the two methods its own way: halves of one question each never agree
    found = reliability(measured([[0.1, 0.9], [0.9, 0.1]]), DENSE)
    assert (found.halves.value, found.whole, found.ceiling) == (-1, 0, 0)


def test_agreement_of_halves_is_stepped_up_to_all_questions():
    # a is better than b by 0.3, -0.1, 0.2 and 0.05. Of the three ways to halve, the halves of 0.3 and 0.2 beside -0.1
    # and 0.05 disagree, the others agree: (1 + 1 - 1) / 3, and 2 / 3 / (4 / 3) for all questions
    found = reliability(measured([[0.8, 0.4, 0.7, 0.55], [0.5] * 4]), DENSE, halvings=3000)
    assert found.halves.value == pytest.approx(1 / 3, abs=0.05)
    assert found.whole == pytest.approx(1 / 2, abs=0.06)
    assert found.ceiling == pytest.approx(np.sqrt(found.whole))


def test_halves_need_questions():
    assert reliability(measured([[0.1], [0.2]]), DENSE) is None
    assert reliability(measured([[0.5, 0.5], [0.5, 0.5]]), DENSE) is None
    with pytest.raises(ValueError, match="at least 1 way"):
        reliability(measured([[0.1], [0.2]]), DENSE, halvings=0)


def card(method, tokens, diagnostics=None, **scores):
    sizes = SizeStatistics(3, tokens, 0.0, 1, 1.0, 1)
    return Scorecard(method, scores, sizes, diagnostics=diagnostics or {})


def test_scorecards_become_columns():
    beside = Chance(0.25, 0.1, 20)
    cards = [
        card("a", 100.0, {"contrast": Score(0.3)}, coverage=Score(1.0), BI=Score(0.5, chance=beside), SC=Score(1.0)),
        card("b", 200.0, {"contrast": Score(0.4)}, coverage=Score(1.0), BI=Score(0.75, chance=beside), SC=Score(0.0)),
    ]
    found = {name: values.tolist() for name, values in columns(cards).items()}
    assert found == {
        "BI": [0.5, 0.75],
        "lift of BI": [0.25, 0.5],
        "SC": [1, 0],
        "mean": [0.75, 0.375],  # of BI and SC: coverage is a gate
        "contrast": [0.3, 0.4],
        "small chunks": [-100, -200],
    }


def test_the_mean_is_of_metrics_that_all_methods_have():
    missing = Score(None, "one block")
    cards = [
        card("a", 1.0, BI=Score(0.5), ICC=missing, RC=missing),
        card("b", 1.0, BI=Score(0.7), ICC=Score(0.1), RC=missing),
    ]
    found = columns(cards)
    assert found["mean"].tolist() == [0.5, 0.7]
    assert found["ICC"] == pytest.approx([np.nan, 0.1], nan_ok=True)
    assert "RC" not in found
    assert columns([]) == {}


def test_one_number_is_enough_where_no_interval_is_wanted():
    one = measured([[0.4, 0.4], [0.5, 0.5], [0.2, 0.2]], {"BI": [0.9, 0.8, 0.1], "SC": [1, 1, 1]})
    assert correlation(one, "BI", DENSE) == pytest.approx(0.5)
    assert shortfall(one, "BI", DENSE) == pytest.approx(0.2)
    assert correlation(one, "SC", DENSE) is None
    assert correlation(one, "RC", DENSE) is None
    assert shortfall(one, "RC", DENSE) is None
