import pytest

from chunkfit.model import Chance, Ranked, Score, Scorecard, Selection, SizeStatistics
from chunkfit.reporting import Outcome, leaderboard


def card(method: str, chunks: int = 2, disqualified: str | None = None, **scores: Score) -> Scorecard:
    return Scorecard(method, scores, SizeStatistics(chunks, 10, 0, 10, 10, 10), disqualified)


def outcome(
    name: str, cards: list[Scorecard], means: dict[str, float | None], best: str | None, **more: object
) -> Outcome:
    ranking = tuple(Ranked(method, mean, 2) for method, mean in means.items())
    settled: dict[str, object] = {
        "margin": None,
        "tied": (),
        "disqualified": {},
        "metrics": ("SC", "BI"),
        "left_out": {},
    }
    return Outcome(name, tuple(cards), Selection(best=best, ranking=ranking, reason="because", **(settled | more)))  # type: ignore[arg-type]


def chance(mean: float) -> Chance:
    return Chance(mean, 0.01, 20)


def test_values_chances_and_lifts_are_averaged_over_the_documents_that_have_them():
    board = leaderboard(
        [
            outcome("a", [card("page", BI=Score(0.8, chance=chance(0.7)))], {"page": 0.8}, "page"),
            outcome("b", [card("page", BI=Score(0.6, chance=chance(0.8)))], {"page": 0.6}, "page"),
            outcome("c", [card("page", BI=Score(0.1))], {"page": 0.1}, "page"),
        ]
    )
    bi = board.standings[0].averages["BI"]
    # value (0.8 + 0.6 + 0.1) / 3; chance (0.7 + 0.8) / 2 and lift (0.1 - 0.2) / 2 over the two that have both
    assert (bi.value, bi.chance, bi.lift) == pytest.approx((0.5, 0.75, -0.05))
    assert bi.documents == 3


def test_a_missing_score_joins_no_mean_and_never_counts_as_zero():
    missing = Score(None, "no pronouns")
    board = leaderboard(
        [
            outcome("a", [card("page", RC=Score(0.9)), card("fixed", RC=missing)], {"page": 0.9}, "page"),
            outcome("b", [card("page", RC=missing), card("fixed")], {"page": 0.5}, "page"),
        ]
    )
    by_method = {standing.method: standing.averages["RC"] for standing in board.standings}
    assert (by_method["page"].value, by_method["page"].documents) == (0.9, 1)
    assert (by_method["fixed"].value, by_method["fixed"].lift, by_method["fixed"].documents) == (None, None, 0)


def test_methods_stand_by_mean_then_wins_then_name_and_those_without_a_mean_last():
    board = leaderboard(
        [
            outcome("a", [card("z"), card("y"), card("x"), card("w")], {"z": 0.5, "y": 0.5, "x": 0.7}, "y"),
            outcome("b", [card("z"), card("y"), card("x"), card("w")], {"z": 0.5, "y": 0.5, "x": 0.7}, "x"),
        ]
    )
    assert [standing.method for standing in board.standings] == ["x", "y", "z", "w"]
    assert [standing.wins for standing in board.standings] == [1, 1, 0, 0]


def test_wins_competitions_disqualifications_and_chunks_are_counted():
    board = leaderboard(
        [
            outcome("a", [card("page", 3), card("semantic", 5)], {"page": 0.5, "semantic": 0.6}, "semantic"),
            outcome(
                "b",
                [card("page", 4), Scorecard("semantic", disqualified="no sentences")],
                {"page": 0.5},
                "page",
                disqualified={"semantic": "no sentences"},
            ),
        ]
    )
    semantic, page = board.standings
    assert (semantic.wins, semantic.competed, semantic.disqualified, semantic.chunks) == (1, 1, 1, 5)
    assert (page.wins, page.competed, page.disqualified, page.chunks) == (1, 2, 0, 7)


def test_the_gain_compares_with_the_method_that_can_cut_the_most_documents():
    # semantic has the higher mean but cuts one document only, so the one method for all would be page:
    # chosen (0.9 + 0.6) / 2 = 0.75 against page (0.7 + 0.6) / 2 = 0.65
    board = leaderboard(
        [
            outcome("a", [card("page"), card("semantic")], {"semantic": 0.9, "page": 0.7}, "semantic"),
            outcome("b", [card("page")], {"page": 0.6}, "page"),
        ]
    )
    assert board.gain is not None
    assert (board.gain.method, board.gain.documents) == ("page", 2)
    assert (board.gain.adaptive, board.gain.single, board.gain.value) == pytest.approx((0.75, 0.65, 0.10))


def test_documents_without_a_choice_are_counted_and_join_no_gain():
    board = leaderboard(
        [
            outcome("a", [card("page")], {"page": 0.7}, "page"),
            outcome("b", [card("page")], {}, None),
            outcome("c", [card("page")], {"page": None}, "page"),
        ]
    )
    assert board.gain is not None
    assert (board.documents, board.undecided, board.gain.documents) == (3, 1, 1)
    assert (board.standings[0].competed, board.standings[0].mean) == (2, 0.7)


def test_no_documents_give_an_empty_leaderboard():
    board = leaderboard([])
    assert (board.documents, board.standings, board.gain) == (0, (), None)


def test_metrics_that_no_selection_weighs_are_kept_apart_as_gates():
    cards = [card("page", coverage=Score(1.0), SC=Score(1.0), RC=Score(None, "French"))]
    board = leaderboard([outcome("a", cards, {"page": 1.0}, "page", metrics=("SC",), left_out={"RC": "French"})])
    assert (board.metrics, board.counted) == (("coverage", "SC", "RC"), ("SC", "RC"))
