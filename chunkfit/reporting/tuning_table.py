"""What tuning has found, for the terminal and as Markdown."""

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from chunkfit.reporting.text import number, one_line, plural, signed
from chunkfit.tuning import Tried, Tuned
from chunkfit.tuning.front import cost

HEADS = ("method", "min", "quality", "chunks", "tokens", "cost")


def front_table(tuned: Tuned) -> Table:
    """The Pareto front of quality against chunks and cost, best quality first, and the best default under it."""
    table = Table(
        title="Quality against chunks and cost",
        title_justify="left",
        title_style="bold",
        caption="min: fewest tokens of a chunk; tokens: to embed; cost: rank of the method",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for index, head in enumerate(HEADS):
        table.add_column(head, justify="right" if index else "left", overflow="fold", no_wrap=index > 0)
    for row in _rows(tuned.front):
        table.add_row(*map(Text, row))
    table.add_section()
    table.add_row(*map(Text, _row(tuned.default, " (default)")))
    return table


def front_markdown(tuned: Tuned) -> str:
    """The same as a Markdown table."""
    rule = ["---", *("---:" for _ in HEADS[1:])]
    rows = [HEADS, rule, *_rows(tuned.front), _row(tuned.default, " (default)")]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in rows) + "\n"


def tuning_sentences(tuned: Tuned) -> list[str]:
    """What was found, and what it is worth on documents that the search has not seen."""
    best, default = tuned.best, tuned.default
    told = [
        f"Best of {plural(len(tuned.tried), 'trial')} on {plural(len(tuned.documents), 'document')}: "
        f"{one_line(best.candidate.name)} with {number(best.quality)}; "
        f"the best default, {one_line(default.candidate.method)}, has {number(default.quality)}."
    ]
    if tuned.gain is None:
        told.append("Nothing was held out, so nobody knows what that is worth on other documents.")
    else:
        held_out = sum(len(fold.gains) for fold in tuned.folds)
        gain, low, high = (signed(value) for value in (tuned.gain.value, tuned.gain.low, tuned.gain.high))
        verdict = "" if tuned.gain.low > 0 else "; the defaults may do as well"
        told.append(
            f"Held out, in {plural(len(tuned.folds), 'fold')} and {plural(held_out, 'document')}, tuning gains {gain} "
            f"over the best default (95 % between {low} and {high}){verdict}."
        )
    told += [f"Not tuned on {one_line(name)}: {reason}." for name, reason in tuned.left_out.items()]
    return told


def _rows(front: Sequence[Tried]) -> list[tuple[str, ...]]:
    return [_row(one) for one in front]


def _row(one: Tried, note: str = "") -> tuple[str, ...]:
    return (
        one_line(one.candidate.method) + note,
        f"{one.candidate.min_tokens}",
        number(one.quality),
        f"{one.chunks:,}",
        f"{one.tokens:,}",
        f"{cost(one)[0]}",
    )
