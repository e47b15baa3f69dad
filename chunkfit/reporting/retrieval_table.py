"""Methods by what they retrieve, as a table for the terminal and as Markdown."""

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from chunkfit.reporting.retrieval_run import RetrievalRun, RetrievalStanding, half_width, leaders
from chunkfit.reporting.text import number, one_line, plural
from chunkfit.retrieval.statistics import Estimate


def retrieval_table(retriever: str, standings: Sequence[RetrievalStanding], budgets: Sequence[int]) -> Table:
    """Methods by recall within each budget, best first; a star where the questions cannot tell one from the best."""
    table = Table(
        title=f"{retriever.capitalize()} retrieval: recall by budget",
        title_justify="left",
        title_style="bold",
        caption="±: half the 95 % interval over questions; *: not told from the best",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    heads, *rows = _rows(standings, budgets)
    for index, head in enumerate(heads):
        table.add_column(head, justify="right" if index else "left", overflow="fold", no_wrap=index > 0)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def retrieval_markdown(retriever: str, standings: Sequence[RetrievalStanding], budgets: Sequence[int]) -> str:
    """The same as a Markdown table under its heading."""
    heads, *rows = _rows(standings, budgets)
    rule = ["---", *("---:" for _ in heads[1:])]
    body = "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in [heads, rule, *rows])
    return f"{retriever} retrieval: recall within a budget of tokens\n\n{body}\n"


def retrieval_sentence(run: RetrievalRun) -> str:
    """Which method to take, as far as the questions tell."""
    told = []
    for retriever, standings in run.standings.items():
        first, *others = leaders(standings)
        recall = number(standings[0].recall[run.budgets[-1]].value)
        also = f", not told from it: {', '.join(map(one_line, others))}" if others else ""
        told.append(f"{retriever}: {one_line(first)} ({recall}){also}")
    return f"Best recall at {run.budgets[-1]:,} tokens by {plural(len(run.labelled), 'question')}: {'; '.join(told)}."


def _rows(standings: Sequence[RetrievalStanding], budgets: Sequence[int]) -> list[tuple[str, ...]]:
    near = leaders(standings)
    heads = ("method", "chunks", *(f"{budget:,}" for budget in budgets))
    return [
        heads,
        *(
            (
                one_line(one.method) + (" *" if one.method in near else ""),
                f"{one.chunks:,}",
                *(_with_interval(one.recall[budget]) for budget in budgets),
            )
            for one in standings
        ),
    ]


def _with_interval(one: Estimate) -> str:
    return f"{number(one.value)} ±{number(half_width(one)).removeprefix('0')}"
