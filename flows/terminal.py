"""The commands of `python -m flows`: run a flow, show what came of it, tell by the exit code how it went."""

import glob
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from chunkfit.calls import lines
from chunkfit.engines import engines
from chunkfit.errors import BadDocument, EngineUnavailable
from chunkfit.pipeline import methods as asked_for
from chunkfit.pipeline import skipped
from chunkfit.registry import UnknownPart
from chunkfit.reporting.leaderboard import leaderboard
from chunkfit.reporting.reference_table import reference_standings, reference_table
from chunkfit.reporting.retrieval_table import retrieval_sentence, retrieval_table
from chunkfit.reporting.tables import (
    diagnostics_table,
    failed_paths,
    failures_table,
    fallback_lines,
    gain_sentence,
    leaderboard_table,
    selection_table,
    show,
    skipped_lines,
    usage_sentence,
)
from chunkfit.reporting.text import duration, plural
from chunkfit.results import require_ours
from chunkfit.retrieval import Retriever
from chunkfit.retrieval_results import require_own
from chunkfit.settings import Budget, EngineSettings, ProfileName, Settings
from flows.home import Home
from flows.session import session

if TYPE_CHECKING:
    from flows.evaluate import Evaluated
    from flows.replicate import Cell
    from flows.retrieve import Compared

FINE, NOTHING_USABLE, WRONG_USAGE, SOME_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
SHOWN = 40  # documents in the table of choices; the report has them all


@dataclass(frozen=True)
class Choices:
    """What the command line says of the settings, as written there."""

    methods: str | None
    profile: str
    diagnostics: str | None
    embedder: str
    segmenter: str
    chat: str | None
    language_model: str | None
    calls: int
    tokens: int

    def settings(self) -> Settings:
        """Raises UnknownPart or ValueError before anything is started."""
        methods = None if self.methods is None else tuple(lines(self.methods))
        if methods == ():
            raise ValueError("--methods names no method; leave it out for all of them")
        named = lines(self.diagnostics or "")
        diagnostics = None if self.diagnostics is None else () if named == ["none"] else tuple(named)
        chosen = EngineSettings(
            embedder=self.embedder,
            segmenter=self.segmenter,
            chat=self.chat or None,
            language_model=self.language_model or None,
        )
        settings = Settings(
            methods=methods,
            profile=cast("ProfileName", self.profile),
            diagnostics=diagnostics,
            engines=chosen,
            budget=Budget(calls=self.calls, tokens=self.tokens),
        )
        unable = skipped(asked_for(settings), engines(chosen))
        if methods and len(unable) == len(asked_for(settings)):
            raise ValueError("; ".join(f"{name}: {reason}" for name, reason in unable.items()))
        return settings


def evaluate(
    sources: Sequence[str], choices: Choices, mentions: Path | None, references: Path | None, output: Path | None
) -> int:
    """Run `evaluate_corpus` and print its tables."""
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    home = Home.default()
    try:
        settings = choices.settings()
        if mentions is not None and not mentions.is_file():
            raise FileNotFoundError(f"no mentions at {mentions}; --mentions needs a Parquet file")
        if references is not None and not references.exists():
            raise FileNotFoundError(f"no reference chunks at {references}; --references needs a JSON file or a folder")
        if output is not None:
            require_ours(output)
    except (UnknownPart, FileNotFoundError, ValueError) as wrong:
        errors.print(str(wrong), style="red", markup=False, soft_wrap=True)
        return WRONG_USAGE
    try:
        with session(home, errors):
            from flows.evaluate import evaluate_corpus

            state = evaluate_corpus(
                [_speakable(source) for source in sources],
                settings,
                mentions_file=None if mentions is None else str(mentions),
                references=None if references is None else str(references),
                output=None if output is None else str(output),
                home=str(home.folder),
                return_state=True,
            )
            result = state.result(raise_on_failure=False)
        if isinstance(result, BaseException):
            raise result
    except (BadDocument, EngineUnavailable) as problem:
        errors.print(str(problem), style="red", markup=False, soft_wrap=True)
        return WRONG_USAGE if isinstance(problem, BadDocument) else NOTHING_USABLE
    except KeyboardInterrupt:
        errors.print("\nInterrupted. Start it again to go on from here.")
        return INTERRUPTED
    evaluated: Evaluated = result
    print_evaluated(console, evaluated)
    if not evaluated.units:
        return NOTHING_USABLE
    return SOME_FAILED if evaluated.summary.failures else FINE


def retrieve(corpus: str, questions: Path, choices: Choices, budgets: str, retriever: str, output: Path | None) -> int:
    """Run `retrieve_corpus` and print its tables."""
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    home = Home.default()
    try:
        settings = choices.settings()
        tokens = token_budgets(budgets)
        if not questions.is_file():
            raise FileNotFoundError(f"no questions at {questions}; --questions needs a CSV, JSONL or Parquet file")
        if output is not None:
            require_own(output)
    except (UnknownPart, FileNotFoundError, ValueError) as wrong:
        errors.print(str(wrong), style="red", markup=False, soft_wrap=True)
        return WRONG_USAGE
    try:
        with session(home, errors):
            from flows.retrieve import retrieve_corpus

            state = retrieve_corpus(
                _speakable(corpus),
                str(questions),
                settings,
                retrievers=get_args(Retriever) if retriever == "all" else (retriever,),
                budgets=tokens,
                output=None if output is None else str(output),
                home=str(home.folder),
                return_state=True,
            )
            result = state.result(raise_on_failure=False)
        if isinstance(result, BaseException):
            raise result
    except (BadDocument, EngineUnavailable) as problem:
        errors.print(str(problem), style="red", markup=False, soft_wrap=True)
        return WRONG_USAGE if isinstance(problem, BadDocument) else NOTHING_USABLE
    except KeyboardInterrupt:
        errors.print("\nInterrupted. Start it again to go on from here.")
        return INTERRUPTED
    compared: Compared = result
    print_compared(console, compared)
    if not compared.run.retrievals:
        return NOTHING_USABLE
    return SOME_FAILED if compared.run.failures else FINE


def token_budgets(text: str) -> tuple[int, ...]:
    """Budgets such as "500,1000". Raises ValueError for anything else."""
    written = [one.strip() for one in text.split(",") if one.strip()]
    if not written or not all(one.isascii() and one.isdecimal() and 0 < int(one) < 10**9 for one in written):
        raise ValueError(f"budgets are whole numbers of tokens, separated by commas, such as 500,1000; got {text!r}")
    return tuple(sorted({int(one) for one in written}))


def print_compared(console: Console, compared: "Compared") -> None:
    """A table for each retriever, then what took no part, and where the report is."""
    run = compared.run
    for retriever, standings in run.standings.items():
        show(console, retrieval_table(retriever, standings, run.budgets), "")
    if run.standings:
        console.print(retrieval_sentence(run), soft_wrap=True, markup=False)
    for line in skipped_lines(run):
        console.print(line, soft_wrap=True, markup=False)
    if run.failures:
        show(console, "", failures_table(run.failures))
    questions, documents = plural(len(run.labelled), "question"), plural(len(run.documents), "document")
    console.print(
        f"Asked {questions} of {documents} ({plural(run.computed, 'result')} computed, {run.reused:,} reused, "
        f"{duration(run.seconds)}).",
        soft_wrap=True,
    )
    console.print(f"Report: {compared.report}", soft_wrap=True, markup=False)


def smoke() -> int:
    """Run `smoke_test` and print its checks."""
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    with session(Home.default(), errors), tempfile.TemporaryDirectory(prefix="chunkfit-smoke-") as folder:
        from flows.smoke import smoke_test

        checks = smoke_test(folder)
    for check in checks:
        problem = f": {check.problem}" if check.problem else ""
        console.print(f"{'FAILED' if problem else 'ok':8}{check.what}{problem}", soft_wrap=True, markup=False)
    failed = sum(check.problem is not None for check in checks)
    console.print(f"Smoke test: {plural(failed, 'check')} failed." if failed else "Smoke test: all is well.")
    return 1 if failed else FINE


def replicate(data: Path) -> int:
    """Run `replicate_paper` and print its table."""
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    missing = [name for name in ("parsed", "mentions.parquet", "golden/table3.json") if not (data / name).exists()]
    if missing:
        errors.print(f"{data} has no {missing[0]}; --data needs the folder with the paper's documents", markup=False)
        return WRONG_USAGE
    home = Home.default()
    with session(home, errors):
        from flows.replicate import EMBEDDED, EXACT, replicate_paper

        try:
            cells = replicate_paper(str(data), str(home.folder))
        except BadDocument as unusable:
            errors.print(str(unusable), style="red", markup=False, soft_wrap=True)
            return NOTHING_USABLE
    lines = list(dict.fromkeys(cell.line for cell in cells))
    table = Table(
        title="Table 3 of the paper in percent, ours/theirs",
        title_justify="left",
        title_style="bold",
        caption="* after post-processing, the others without",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )
    table.add_column("line", no_wrap=True)
    for metric in (*EXACT, *EMBEDDED):
        table.add_column(metric + ("" if metric in EXACT else " †"), justify="right", no_wrap=True)
    for line in lines:
        row = [_beside(cell) for cell in cells if cell.line == line]
        table.add_row(line, *row)
    show(console, table)
    console.print(
        "† The paper embeds with jinaai/jina-embeddings-v3, we with static vectors: these two need not agree.\n"
        "The paper's other four lines need models that are not part of this installation.",
        soft_wrap=True,
    )
    differing = [cell for cell in cells if cell.differs]
    exact = sum(cell.metric in EXACT for cell in cells)
    console.print(f"{', '.join(EXACT)}: {exact - len(differing)} of {exact} cells equal the printed ones.")
    return 1 if differing else FINE


def _beside(cell: "Cell") -> Text:
    sign, style = ("≠", "red") if cell.differs else ("/", "")
    return Text(f"{cell.ours:.1f}{sign}{cell.theirs:.1f}", style)


def print_evaluated(console: Console, evaluated: "Evaluated") -> None:
    """Leaderboard, choices and failures, then one line on the run and where its report is."""
    summary = evaluated.summary
    width = console.width if console.is_terminal else 80
    if evaluated.units:
        outcomes = evaluated.outcomes
        board = leaderboard(outcomes)
        show(console, leaderboard_table(board, width), "", selection_table(outcomes, width, SHOWN), "")
        if board.diagnostics and summary.settings.diagnostics is not None:
            show(console, diagnostics_table(board, width), "")
        console.print(gain_sentence(board), soft_wrap=True, markup=False)
        if compared := reference_standings(evaluated.comparisons):
            show(console, "", reference_table(compared))
        for line in fallback_lines(outcomes):
            console.print(line, soft_wrap=True, markup=False)
    for line in skipped_lines(summary):
        console.print(line, soft_wrap=True, markup=False)
    if summary.failures:
        show(console, "", failures_table(summary.failures))
    console.print(_what_was_done(evaluated), soft_wrap=True, markup=False)
    if used := usage_sentence(summary):
        console.print(used, soft_wrap=True, markup=False)
    console.print(f"Report: {evaluated.report}", soft_wrap=True, markup=False)


def _what_was_done(evaluated: "Evaluated") -> str:
    summary = evaluated.summary
    documents = plural(len(evaluated.units), "document")
    failed = f", {len(failed_paths(summary.failures))} failed" if summary.failures else ""
    took = duration(summary.seconds)
    if evaluated.units and not summary.computed:
        return (
            f"Nothing to recompute: {documents} unchanged{failed} ({plural(summary.reused, 'result')} reused, {took})."
        )
    unchanged = f", {evaluated.unchanged} of them unchanged" if evaluated.unchanged else ""
    results = f"{plural(summary.computed, 'result')} computed, {summary.reused:,} reused"
    return f"Evaluated {documents}{unchanged}{failed} ({results}, {took})."


def _speakable(source: str) -> str:
    """A path that Prefect can record. One that is not UTF-8 becomes the pattern that matches it."""
    lone_surrogates = re.compile("[\ud800-\udfff]")
    return lone_surrogates.sub("?", glob.escape(source)) if lone_surrogates.search(source) else source
