import io
from dataclasses import replace
from datetime import datetime

import pytest
from rich.console import Console
from rich.table import Table

from chunkfit.model import Chance, Failure, Ranked, Score, Scorecard, Selection, SizeStatistics
from chunkfit.references import MEASURES, Comparison, Measure
from chunkfit.reporting import Outcome, RunSummary, leaderboard, tables
from chunkfit.reporting.reference_table import reference_standings
from chunkfit.reporting.text import duration, number, one_line, shortened, signed
from chunkfit.settings import Settings
from chunkfit.usage import Usage

LONG = "langchain_default"
METRICS = ("SC", "BI", "RC", "ICC", "DCC")


def outcome(name: str = "report.pdf", methods: tuple[str, ...] = (LONG, "page")) -> Outcome:
    scores = {metric: Score(0.8125, chance=None if metric == "SC" else Chance(0.79, 0.01, 20)) for metric in METRICS}
    cards = tuple(Scorecard(method, scores, SizeStatistics(4, 9, 0, 9, 9, 9)) for method in methods)
    ranking = tuple(Ranked(method, 0.8125, 4) for method in methods)
    return Outcome(name, cards, Selection(methods[0], ranking, 0.0, methods, {}, METRICS, {}, "a tie | cheaper wins"))


def printed(table: Table, width: int = 80, terminal: bool = True) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)
    tables.show(console, table)
    return console.file.getvalue()  # type: ignore[attr-defined]


def summary(**more: object) -> RunSummary:
    settled: dict[str, object] = {"started": datetime(2026, 1, 1), "seconds": 4.25, "settings": Settings()}
    return RunSummary("run", "data", **(settled | more))  # type: ignore[arg-type]


def test_the_leaderboard_of_the_five_metrics_fits_80_columns_with_its_lifts():
    lines = printed(tables.leaderboard_table(leaderboard([outcome()]))).splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 80
    assert any(line.split()[:5] == [LONG, "1", "0.812", "0.81", "0.81"] and "+.02" in line for line in lines)


def test_a_narrow_leaderboard_keeps_method_names_and_drops_the_lifts():
    text = printed(tables.leaderboard_table(leaderboard([outcome()]), width=60), width=60)
    assert LONG in text
    assert "+.02" not in text


def test_a_piped_table_takes_the_width_it_needs():
    name = "a_method_with_a_name_that_is_much_longer_than_any_terminal_column_would_like_it_to_be"
    text = printed(tables.leaderboard_table(leaderboard([outcome(methods=(name,))])), width=40, terminal=False)
    assert name in text


def test_a_missing_value_reads_na():
    one = outcome()
    cards = tuple(
        Scorecard(card.method, dict(card.scores) | {"RC": Score(None, "no pairs")}) for card in one.scorecards
    )
    board = leaderboard([Outcome(one.document, cards, one.selection)])
    assert "n/a" in printed(tables.leaderboard_table(board))
    assert "| n/a |" in tables.leaderboard_markdown(board)


def test_a_long_document_name_loses_its_middle_and_keeps_its_ends():
    name = "contracts/2026/a very long name of a document about nothing in particular, final version.docx"
    lines = printed(tables.selection_table([outcome(name)])).splitlines()
    row = next(line for line in lines if "…" in line)
    assert row.startswith("contracts/")
    assert "rsion.docx" in row
    assert max(len(line.rstrip()) for line in lines) <= 80


def test_choices_beyond_the_limit_are_counted():
    text = printed(tables.selection_table([outcome(f"{n}.md") for n in range(5)], limit=2))
    assert "1.md" in text
    assert "2.md" not in text
    assert "and 3 more documents in the report" in text


def test_a_file_name_cannot_drive_the_terminal_or_use_markup():
    text = printed(tables.failures_table([Failure("\x1b[31m[bold]x[/bold]\n\u202ey", "parse", "broken")]))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[bold]x[/bold]" in text


@pytest.mark.parametrize("hostile", ["a|b", "a\nb", "<img src=x>", "*a*", "[a](http://b)", "`a`"])
def test_markdown_shows_names_and_reasons_as_they_are(hostile: str):
    failures = tables.failures_markdown([Failure(hostile, "parse", hostile)])
    _, _, row = failures.strip().splitlines()
    assert row.count("|") - row.count(r"\|") == 4  # the cells' own edges alone
    assert "<img" not in failures
    selections = tables.selection_markdown([outcome(hostile)])
    assert len(selections.strip().splitlines()) == 3
    assert r"a tie \| cheaper wins" in selections


def test_a_name_is_shortened_by_terminal_cells():
    # each of the letters takes two cells: 2 + 2 for the head, 1 for the ellipsis, 2 + 2 for the tail
    assert shortened("文件名称说明书", 9) == "文件…明书"
    assert shortened("short", 9) == "short"
    with pytest.raises(ValueError, match="at least 3"):
        shortened("abcdef", 2)


def test_one_line_keeps_letters_of_all_scripts_and_emoji_families():
    assert one_line("é 漢 \u05e9 👨‍👩‍👧\tx") == "é 漢 \u05e9 👨‍👩‍👧 x"


def test_a_difference_that_rounds_to_nothing_has_no_sign():
    assert [signed(0.02), signed(-0.02), signed(-0.0001), signed(None)] == ["+0.020", "−0.020", "0.000", "n/a"]
    assert [number(0.02), number(-0.02), number(-0.0001), number(None)] == ["0.020", "−0.020", "0.000", "n/a"]


def test_durations_read_naturally():
    assert [duration(4.25), duration(42), duration(75), duration(3700)] == ["4.2 s", "42 s", "1 min 15 s", "1 h 1 min"]


def test_a_piped_failure_stays_on_one_line():
    path, reason = "folder/" * 12 + "a.pdf", "The file is encrypted, and " * 5 + "so it stays."
    text = printed(tables.failures_table([Failure(path, "parse", reason)]), terminal=False)
    assert any(path in line and reason in line for line in text.splitlines())


def test_the_gain_is_told_in_one_sentence():
    sentence = tables.gain_sentence(leaderboard([outcome()]))
    assert sentence == (
        "Choosing per document scores 0.8125; the best single method, langchain_default, 0.8125: 0.0000."
    )
    assert tables.gain_sentence(leaderboard([])).startswith("No document could be decided")


LONG_NAMES = ("page", "recursive[size=400,overlap=50]")
DIAGNOSTICS = (
    *("boundary_contrast", "intra_chunk_similarity", "semantic_dissimilarity"),
    *("lexical_dissimilarity", "reference_chains"),
)


def diagnosed(*names: str, value: Score = Score(0.5, chance=Chance(0.45, 0.01, 20))) -> Outcome:  # noqa: B008 - frozen
    one = outcome(methods=LONG_NAMES)
    cards = tuple(replace(card, diagnostics=dict.fromkeys(names, value)) for card in one.scorecards)
    return replace(one, scorecards=cards)


def test_diagnostics_stand_beside_their_lifts_on_one_line_where_there_is_room():
    lines = printed(tables.diagnostics_table(leaderboard([diagnosed(*DIAGNOSTICS[:2])]))).splitlines()
    assert any(line.split() == ["method", *DIAGNOSTICS[:2]] for line in lines)
    assert any(line.split() == [LONG_NAMES[1], "0.50", "+.05", "0.50", "+.05"] for line in lines)


def test_names_that_find_no_room_are_broken_where_their_words_and_settings_end():
    first, all_ = (leaderboard([diagnosed(*names)]) for names in (DIAGNOSTICS[:3], DIAGNOSTICS))
    words = [line.split() for line in printed(tables.diagnostics_table(first)).splitlines()]
    assert ["method", "contrast", "similarity", "dissimilarity"] in words
    assert words[-2][0] == LONG_NAMES[1]  # names of methods are broken last
    lines = [line.rstrip() for line in printed(tables.diagnostics_table(all_)).splitlines()]
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[-4:-1]] == ["recursive[", "size=400,", "overlap=50]"]


def test_a_diagnostic_without_a_value_reads_na():
    missing = diagnosed("reference_chains", value=Score(None, "no chains"))
    assert "n/a" in printed(tables.diagnostics_table(leaderboard([missing])))


def test_what_models_used_is_told_in_one_sentence():
    used = Usage(characters=1500, texts=9, calls=2, tokens_in=3000, tokens_out=40, cost=0.0125)
    assert tables.usage_sentence(summary(usage=used, characters=1000)) == (
        "1,500 characters embedded, 1.50 for each of the corpus; 2 calls; "
        "3,000 tokens read and 40 written by models; cost 0.0125."
    )
    assert tables.usage_sentence(summary(usage=Usage(calls=1), characters=1000)) == "1 call."
    assert tables.usage_sentence(summary(characters=1000)) is None


def test_parts_left_out_for_the_same_reason_share_a_line():
    run = summary(
        skipped={
            "agentic": "it needs a chat model",
            "zchunk": "no language model",
            "llm_regex": "it needs a chat model",
        }
    )
    assert tables.skipped_lines(run) == [
        "Left out: agentic, llm_regex: it needs a chat model.",
        "Left out: zchunk: no language model.",
    ]


def fallen_back(document: str, reason: str) -> Outcome:
    one = outcome(document)
    first, *others = one.scorecards
    return replace(one, scorecards=(replace(first, fallback=reason), *others))


def test_fallbacks_are_counted_by_method_with_the_first_reason():
    outcomes = [outcome("a"), fallen_back("b", "the pattern never matches"), fallen_back("c", "another reason")]
    assert tables.fallback_lines(outcomes) == [
        f"{LONG} fell back on another method for 2 documents, first b: the pattern never matches"
    ]
    assert tables.fallback_lines([outcome()]) == []


def test_what_servers_and_files_say_cannot_drive_the_terminal():
    hostile = "\x1b[2J gone\nnew line \u202eesrever"
    lines = tables.skipped_lines(summary(skipped={hostile: hostile})) + tables.fallback_lines(
        [fallen_back("a", hostile)]
    )
    for line in lines:
        assert not set(line) & {"\x1b", "\n", "\u202e"}


def test_notes_are_a_markdown_list_without_markup_of_their_own():
    assert tables.notes_markdown(["Left out: a_b: <b>", "x"]) == "- Left out: a\\_b: &lt;b&gt;\n- x\n"


def test_comparisons_with_people_are_a_markdown_table_with_every_chance_level():
    measures = {name: Measure(0.5, better, None, 0.5, {"no cuts": 0.25}) for name, better in MEASURES.items()}
    standings = reference_standings([Comparison("a", "recursive[size=4]", measures, tolerance=10)])
    lines = tables.references_markdown(standings).splitlines()
    assert lines[0].startswith("| method | documents | words |")
    assert lines[2].startswith("| recursive\\[size=4\\] | 1 | 0.500 |")
    assert any(": no cuts |  | 0.250 |" in line for line in lines)
