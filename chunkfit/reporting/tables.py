"""Leaderboard, choices and failures as tables for the terminal (rich) and as Markdown."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from chunkfit.model import Failure
from chunkfit.reporting.leaderboard import Average, Leaderboard, Standing, ranked_means
from chunkfit.reporting.model import Outcome, RunSummary
from chunkfit.reporting.reference_table import ReferenceStanding, reference_rows
from chunkfit.reporting.text import number, one_line, plural, shortened, signed

if TYPE_CHECKING:
    from chunkfit.reporting.retrieval_run import RetrievalRun

WIDTH = 80  # what every terminal has
GAP = 2  # cells between two columns


def failed_paths(failures: Iterable[Failure]) -> frozenset[str]:
    """Sources with at least one failure, however many stages failed."""
    return frozenset(failure.path for failure in failures)


def show(console: Console, *renderables: RenderableType) -> None:
    """Print tables. Into a file or pipe they take the width they need, so nothing is cut or folded there."""
    for renderable in renderables:
        if console.is_terminal:
            console.print(renderable)
        else:
            needed = Measurement.get(console, console.options.update(max_width=10_000), renderable).maximum
            Console(file=console.file, width=max(console.width, needed), color_system=None).print(renderable)


def leaderboard_table(board: Leaderboard, width: int = WIDTH) -> Table:
    """Methods by metrics, best first: each value with its lift over chance as long as `width` has room for it."""
    lifted = {name: any(one.averages[name].lift is not None for one in board.standings) for name in board.counted}
    rows = _leaderboard_rows(board, lifted)
    if _width(rows) > width:
        rows = _leaderboard_rows(board, dict.fromkeys(board.counted, False))
    table = _table(
        "Leaderboard",
        rows[0],
        caption="mean over documents" + (", and lift over chance" if any("±" in head for head in rows[0]) else ""),
    )
    for row in rows[1:]:
        table.add_row(*(Text(cell) for cell in row))
    return table


def selection_table(outcomes: Iterable[Outcome], width: int = WIDTH, limit: int | None = None) -> Table:
    """Each document's method, its score, the margin and what it tied with; at most `limit` documents."""
    outcomes = tuple(outcomes)
    shown = outcomes[:limit]
    rows = [_choice(outcome) for outcome in shown]
    heads = ("document", "best method", "score", "margin", "note")
    if _width([heads, *rows]) > width:  # names matter more than what they tie with
        ties = (len(outcome.selection.tied) for outcome in shown)
        rows = [(*row[:-1], row[-1] and f"tie of {tied}") for row, tied in zip(rows, ties, strict=True)]
    others = sum(max(cell_len(cell) for cell in column) for column in list(zip(heads, *rows, strict=True))[1:])
    room = max(12, width - others - GAP * (len(heads) - 1))
    hidden = len(outcomes) - len(shown)
    table = _table("Choices", heads, caption=f"and {plural(hidden, 'more document')} in the report" if hidden else None)
    for name, *rest in rows:
        table.add_row(*(Text(cell) for cell in (shortened(name, room), *rest)))
    return table


def diagnostics_table(board: Leaderboard, width: int = WIDTH) -> Table:
    """Diagnostics by methods, which stand in the order of the leaderboard: each value with its lift over chance.

    Where `width` has no room for names on one line, those of diagnostics take several, and then those of methods.
    """
    rows = [
        ("method", *board.diagnostics),
        *(
            (one_line(one.method), *(_with_lift(one.diagnostics[name]) for name in board.diagnostics))
            for one in board.standings
        ),
    ]
    if _width(rows) > width:
        rows[0] = tuple(map(_stacked, rows[0]))
    if _width(rows) > width:
        rows = [(_stacked(name), *cells) for name, *cells in rows]
    table = _table("Diagnostics", rows[0], caption="mean over documents, and lift over chance")
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    return table


def usage_sentence(run: RunSummary) -> str | None:
    """What the models read in this run, in one sentence; None where nothing was asked of them."""
    used = run.usage
    told = []
    if used.characters and run.characters:
        share = used.characters / run.characters
        told.append(f"{used.characters:,} characters embedded, {share:.2f} for each of the corpus")
    if used.calls:
        told.append(plural(used.calls, "call"))
    if used.tokens_in or used.tokens_out:
        told.append(f"{used.tokens_in:,} tokens read and {used.tokens_out:,} written by models")
    if used.cost:
        told.append(f"cost {used.cost:.4f}")
    return "; ".join(told) + "." if told else None


def skipped_lines(run: "RunSummary | RetrievalRun") -> list[str]:
    """What was left out and why, the parts with the same reason on one line."""
    parts: dict[str, list[str]] = {}
    for part, reason in run.skipped.items():
        parts.setdefault(reason, []).append(part)
    return [one_line(f"Left out: {', '.join(names)}: {reason}.") for reason, names in parts.items()]


def fallback_lines(outcomes: Iterable[Outcome]) -> list[str]:
    """Which methods gave up where, so that another one's chunks stand in for theirs."""
    reasons: dict[str, list[str]] = {}
    for outcome in outcomes:
        for card in outcome.scorecards:
            if card.fallback is not None:
                reasons.setdefault(card.method, []).append(f"{outcome.document}: {card.fallback}")
    return [
        one_line(f"{method} fell back on another method for {plural(len(told), 'document')}, first {told[0]}")
        for method, told in reasons.items()
    ]


def failures_table(failures: Iterable[Failure]) -> Table:
    """What went wrong, where, and what to do."""
    table = Table(title="Failures", title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("source", overflow="fold")
    table.add_column("stage", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for failure in failures:
        table.add_row(*(Text(one_line(cell)) for cell in (failure.path, failure.stage, failure.reason)))
    return table


def leaderboard_markdown(board: Leaderboard) -> str:
    """The leaderboard as a Markdown table; under it what choosing per document gains."""
    heads = ("method", "wins", "score", *board.metrics, "chunks", "disqualified")
    rows = [
        (
            _code(one.method),
            f"{one.wins}",
            number(one.mean),
            *(_markdown_average(one.averages[name]) for name in board.metrics),
            f"{one.chunks:,}",
            f"{one.disqualified}" if one.disqualified else "",
        )
        for one in board.standings
    ]
    return _markdown(heads, rows, right=range(1, len(heads))) + "\n\n" + markdown_escaped(gain_sentence(board)) + "\n"


def selection_markdown(outcomes: Iterable[Outcome]) -> str:
    """Each document's method, its score, the margin and the reason as a Markdown table."""
    rows = []
    for outcome in outcomes:
        name, best, score, margin, _ = _choice(outcome)
        chosen = _code(best) if outcome.selection.best else "none"
        rows.append((markdown_escaped(name), chosen, score, margin, markdown_escaped(outcome.selection.reason)))
    return _markdown(("document", "best method", "score", "margin", "reason"), rows, right=(2, 3)) + "\n"


def failures_markdown(failures: Iterable[Failure]) -> str:
    """What went wrong, where, and what to do as a Markdown table."""
    rows = [
        (markdown_escaped(failure.path), markdown_escaped(failure.stage), markdown_escaped(failure.reason))
        for failure in failures
    ]
    return _markdown(("source", "stage", "reason"), rows) + "\n"


def references_markdown(standings: Sequence[ReferenceStanding]) -> str:
    """Methods beside people's chunks, each above its chance levels, as a Markdown table."""
    heads, *rows = reference_rows(standings)
    escaped = [(markdown_escaped(name), *cells) for name, *cells in rows]
    return _markdown(heads, escaped, right=range(1, len(heads))) + "\n"


def notes_markdown(lines: Iterable[str]) -> str:
    """Lines as a Markdown list."""
    return "".join(f"- {markdown_escaped(line)}\n" for line in lines)


def markdown_escaped(text: str) -> str:
    """Text on one line that Markdown shows as it is: no markup, no HTML, no new cell."""
    unmarked = re.sub(r"([\\`*_\[\]|~#!$])", r"\\\1", one_line(text))
    return unmarked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def gain_sentence(board: Leaderboard) -> str:
    """What choosing per document gains on the same score, in one sentence."""
    gain = board.gain
    if gain is None:
        return "No document could be decided, so there is nothing to compare."
    scope = "" if gain.documents == board.documents else f" (over the {plural(gain.documents, 'document')} it can cut)"
    return (
        f"Choosing per document scores {number(gain.adaptive, 4)}; the best single method, {gain.method}, "
        f"{number(gain.single, 4)}{scope}: {signed(gain.value, 4)}."
    )


def winners(outcomes: Iterable[Outcome]) -> list[tuple[str, int]]:
    """Methods with the number of documents they were chosen for, most first."""
    counts = Counter(outcome.selection.best for outcome in outcomes if outcome.selection.best)
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def _leaderboard_rows(board: Leaderboard, lifted: dict[str, bool]) -> list[tuple[str, ...]]:
    heads = ("method", "wins", "score", *(f"{name} ±" if lifted[name] else name for name in board.counted))
    return [heads, *(_leaderboard_row(one, board, lifted) for one in board.standings)]


def _leaderboard_row(one: Standing, board: Leaderboard, lifted: dict[str, bool]) -> tuple[str, ...]:
    cells = []
    for name in board.counted:
        average = one.averages[name]
        cells.append(_with_lift(average) if lifted[name] else number(average.value, 2))
    return one_line(one.method), f"{one.wins}", number(one.mean), *cells


def _with_lift(average: Average) -> str:
    lift = signed(average.lift, 2) if average.lift is not None else ""
    return f"{number(average.value, 2)} {lift.replace('0.', '.', 1):>4}"


def _choice(outcome: Outcome) -> tuple[str, str, str, str, str]:
    selection = outcome.selection
    others = [method for method in selection.tied if method != selection.best]
    note = f"ties {others[0]}" + (f" +{len(others) - 1}" if len(others) > 1 else "") if others else ""
    return (
        one_line(outcome.document),
        one_line(selection.best or "none"),
        number(ranked_means(outcome).get(selection.best or "")),
        number(selection.margin),
        one_line(note),
    )


def _width(rows: Sequence[tuple[str, ...]]) -> int:
    widest = (max(cell_len(line) for cell in column for line in cell.split("\n")) for column in zip(*rows, strict=True))
    return sum(widest) + GAP * (len(rows[0]) - 1)


def _stacked(name: str) -> str:
    """A name over several lines, broken where its words and settings end."""
    return re.sub(r"(?<=[_\[,])(?=.)", "\n", name)


def _table(title: str, heads: Sequence[str], caption: str | None) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, GAP - 1, 0, 0),  # the box adds one cell between columns
    )
    for index, head in enumerate(heads):
        numeric = index > 0 and head not in ("best method", "note")
        # Too narrow a terminal folds a name onto a second line; a name cut short could be another method's.
        table.add_column(Text(head), justify="right" if numeric else "left", overflow="fold")
    return table


def _markdown_average(average: Average) -> str:
    if average.value is None or average.lift is None:
        return number(average.value)
    return f"{number(average.value)} ({signed(average.lift)})"


def _code(name: str) -> str:
    return "`" + one_line(name).replace("`", "'").replace("|", r"\|") + "`"


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> str:
    aligned = set(right)
    rule = ["---:" if index in aligned else "---" for index in range(len(heads))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, rule, *rows])
