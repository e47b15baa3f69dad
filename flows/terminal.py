"""The commands of `python -m flows`: run a flow, show what came of it, tell by the exit code how it went."""

import glob
import re
import shlex
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast, get_args

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from chunkfit.calls import lines
from chunkfit.engines import engines
from chunkfit.errors import BadDocument, EngineUnavailable
from chunkfit.pipeline import methods as asked_for
from chunkfit.pipeline import skipped
from chunkfit.questions import read_questions
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
from chunkfit.settings import Frozen, Settings, read_settings
from flows.home import Home
from flows.session import session

if TYPE_CHECKING:
    from prefect import State

    from chunkfit.tuning import Aim
    from flows.evaluate import Evaluated
    from flows.replicate import Cell
    from flows.retrieve import Compared
    from flows.tune import TunedCorpus

Part = TypeVar("Part", bound=Frozen)
Left = TypeVar("Left")  # what a flow leaves

FINE, NOTHING_USABLE, WRONG_USAGE, SOME_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
SHOWN = 40  # documents in the table of choices; the report has them all


@dataclass(frozen=True)
class Choices:
    """What the command line says of the settings, as written there; what it leaves open is as in the file."""

    file: Path | None = None
    methods: str | None = None
    profile: str | None = None
    diagnostics: str | None = None
    embedder: str | None = None
    segmenter: str | None = None
    chat: str | None = None
    language_model: str | None = None
    calls: int | None = None
    tokens: int | None = None

    def settings(self) -> Settings:
        """Raises UnknownPart, FileNotFoundError or ValueError before anything is started."""
        base = Settings() if self.file is None else read_settings(self.file)
        methods = base.methods if self.methods is None else tuple(lines(self.methods))
        if methods == ():
            raise ValueError("--methods names no method; leave it out for all of them")
        named = lines(self.diagnostics or "")
        told = () if named == ["none"] else tuple(named)
        settings = base.model_copy(
            update={
                "methods": methods,
                "profile": self.profile or base.profile,
                "diagnostics": base.diagnostics if self.diagnostics is None else told,
                "engines": _changed(
                    base.engines,
                    embedder=self.embedder,
                    segmenter=self.segmenter,
                    chat=self.chat or None,
                    language_model=self.language_model or None,
                ),
                "budget": _changed(base.budget, calls=self.calls, tokens=self.tokens),
            }
        )
        unable = skipped(asked_for(settings), engines(settings.engines))
        if methods and len(unable) == len(asked_for(settings)):
            raise ValueError("; ".join(f"{name}: {reason}" for name, reason in unable.items()))
        return settings


def _changed(settings: Part, **given: object) -> Part:
    """The settings with those that were given."""
    return settings.model_copy(update={name: value for name, value in given.items() if value is not None})


def _ran(start: "Callable[[], State[Left]]", home: Home, errors: Console) -> Left:
    """What a flow leaves, whether it ended well or not.

    Where it leaves nothing the reason is told, and typer.Exit raised with the exit code.
    """
    try:
        with session(home, errors):
            result = start().result(raise_on_failure=False)
        if isinstance(result, BaseException):
            raise result
    except (BadDocument, EngineUnavailable) as problem:
        errors.print(str(problem), style="red", markup=False, soft_wrap=True)
        raise typer.Exit(WRONG_USAGE if isinstance(problem, BadDocument) else NOTHING_USABLE) from problem
    except KeyboardInterrupt:
        errors.print("\nInterrupted. Start it again to go on from here.")
        raise typer.Exit(INTERRUPTED) from None
    return cast("Left", result)


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

    def start() -> "State[Evaluated]":
        from flows.evaluate import evaluate_corpus

        return evaluate_corpus(
            [_speakable(source) for source in sources],
            settings,
            mentions_file=None if mentions is None else str(mentions),
            references=None if references is None else str(references),
            output=None if output is None else str(output),
            home=str(home.folder),
            return_state=True,
        )

    evaluated = _ran(start, home, errors)
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
        read_questions(questions)
        if output is not None:
            require_own(output)
    except (UnknownPart, FileNotFoundError, ValueError) as wrong:
        errors.print(str(wrong), style="red", markup=False, soft_wrap=True)
        return WRONG_USAGE

    def start() -> "State[Compared]":
        from flows.retrieve import retrieve_corpus

        return retrieve_corpus(
            _speakable(corpus),
            str(questions),
            settings,
            retrievers=get_args(Retriever) if retriever == "all" else (retriever,),
            budgets=tokens,
            output=None if output is None else str(output),
            home=str(home.folder),
            return_state=True,
        )

    compared = _ran(start, home, errors)
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


def tune(
    corpus: str,
    questions: Path | None,
    choices: Choices,
    aim: "Aim",
    methods: str | None,
    trials: int,
    folds: int,
    seed: int,
    study: Path | None,
    output: Path | None,
) -> int:
    """Run `tune_corpus` and print what it found."""
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    home = Home.default()
    try:
        settings = choices.settings()
        if find_spec("optuna") is None:
            raise ValueError('tuning needs Optuna: pip install "chunkfit[tune]"')
        from chunkfit.tuning import SPACE, require_methods

        searched = tuple(SPACE) if methods is None else tuple(lines(methods))
        require_methods(searched)
        if questions is None and aim.objective != "probe":
            raise ValueError(f"--objective {aim.objective} needs --questions")
        if questions is not None:
            read_questions(questions)
        if study is not None and not study.absolute().parent.is_dir():
            raise FileNotFoundError(f"there is no folder {study.parent} for the study")
        if output is not None:
            from chunkfit.tuning_results import require_own as require_own_tuning

            require_own_tuning(output)
    except (UnknownPart, FileNotFoundError, ValueError) as wrong:
        errors.print(str(wrong), style="red", markup=False, soft_wrap=True)
        return WRONG_USAGE

    def start() -> "State[TunedCorpus]":
        from flows.tune import tune_corpus

        return tune_corpus(
            _speakable(corpus),
            None if questions is None else str(questions),
            settings,
            aim=aim,
            methods=searched,
            trials=trials,
            folds=folds,
            seed=seed,
            study=None if study is None else str(study),
            output=None if output is None else str(output),
            home=str(home.folder),
            return_state=True,
        )

    done = _ran(start, home, errors)
    print_tuned(console, done)
    if done.tuned is None:
        return NOTHING_USABLE
    return SOME_FAILED if done.failures else FINE


def print_tuned(console: Console, done: "TunedCorpus") -> None:
    """The front, what the best is worth, and how to use it."""
    from chunkfit.reporting.tuning_table import front_table, tuning_sentences

    if done.tuned is not None:
        show(console, front_table(done.tuned), "")
        for line in tuning_sentences(done.tuned):
            console.print(line, soft_wrap=True, markup=False)
    if done.failures:
        show(console, "", failures_table(done.failures))
    if done.tuned is not None:
        console.print(f"Took {duration(done.seconds)}. Use it: python -m flows evaluate ... --settings", end=" ")
        console.print(shlex.quote(str(done.settings)), soft_wrap=True, markup=False)


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
