"""`python -m flows`: evaluate documents, compare by retrieval, check an installation, replicate the paper."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from chunkfit.settings import Budget, EngineSettings

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)

ENGINES = EngineSettings()
BUDGET = Budget()
EXIT = "Exit code: 0 all fine, 1 nothing usable, 2 wrong usage, 3 some documents failed."
RETRIEVE_EXIT = "Exit code: 0 all fine, 1 nothing usable, 2 wrong usage, 3 some documents or questions took no part."


class Retrievers(StrEnum):
    lexical = "lexical"
    dense = "dense"
    hybrid = "hybrid"
    all = "all"


class Profile(StrEnum):
    strict = "strict"
    paper = "paper"


@app.command(epilog=EXIT)
def evaluate(
    sources: Annotated[list[str], typer.Argument(help="Files, folders (with all below them) or globs.")],
    methods: Annotated[
        str | None, typer.Option(help="Names, separated by commas: page,recursive[size=400]. Default: all.")
    ] = None,
    profile: Annotated[Profile, typer.Option(help="paper: exactly what the paper computes.")] = Profile.strict,
    diagnostics: Annotated[
        str | None, typer.Option(help="Names, separated by commas, or none. Default: all but the costly ones.")
    ] = None,
    embedder: Annotated[str, typer.Option(envvar="CHUNKFIT_EMBEDDER", help="An engine.")] = ENGINES.embedder,
    segmenter: Annotated[str, typer.Option(envvar="CHUNKFIT_SEGMENTER", help="An engine.")] = ENGINES.segmenter,
    chat: Annotated[str | None, typer.Option(envvar="CHUNKFIT_CHAT", help="An engine: openai[model=...].")] = None,
    language_model: Annotated[
        str | None, typer.Option(envvar="CHUNKFIT_LANGUAGE_MODEL", help="An engine: hf[model=...].")
    ] = None,
    calls: Annotated[int, typer.Option(min=0, help="How often the chat model may be asked.")] = BUDGET.calls,
    tokens: Annotated[int, typer.Option(min=0, help="How many tokens it may read and write.")] = BUDGET.tokens,
    mentions: Annotated[Path | None, typer.Option(help="Parquet file of mentions found elsewhere.")] = None,
    references: Annotated[
        Path | None, typer.Option(help="JSON file or folder with chunks made by people, to compare with.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder for the results. Default: data/runs/...")] = None,
) -> None:
    """Find each document's best chunking method, with the evidence, and its chunks.

    Results of every step are kept in data/store (CHUNKFIT_HOME moves data elsewhere): a second run recomputes only what
    has changed. `chunkfit methods`, `chunkfit metrics` and `chunkfit engines` list what can be named here.
    """
    from flows.terminal import Choices, evaluate

    choices = Choices(methods, profile.value, diagnostics, embedder, segmenter, chat, language_model, calls, tokens)
    raise typer.Exit(evaluate(sources, choices, mentions, references, output))


@app.command(epilog=RETRIEVE_EXIT)
def retrieve(
    corpus: Annotated[str, typer.Option(help="The documents: a file, a folder (with all below it) or a glob.")],
    questions: Annotated[Path, typer.Option(help="CSV, JSONL or Parquet file: question, document, references.")],
    methods: Annotated[
        str | None, typer.Option(help="Names, separated by commas: page,recursive[size=400]. Default: all.")
    ] = None,
    budgets: Annotated[str, typer.Option(help="Tokens of retrieved text, separated by commas.")] = "500,1000,2000",
    retriever: Annotated[
        Retrievers, typer.Option(help="lexical: BM25; dense: vectors; hybrid: both by their ranks.")
    ] = Retrievers.hybrid,
    embedder: Annotated[str, typer.Option(envvar="CHUNKFIT_EMBEDDER", help="An engine.")] = ENGINES.embedder,
    segmenter: Annotated[str, typer.Option(envvar="CHUNKFIT_SEGMENTER", help="An engine.")] = ENGINES.segmenter,
    chat: Annotated[str | None, typer.Option(envvar="CHUNKFIT_CHAT", help="An engine: openai[model=...].")] = None,
    language_model: Annotated[
        str | None, typer.Option(envvar="CHUNKFIT_LANGUAGE_MODEL", help="An engine: hf[model=...].")
    ] = None,
    calls: Annotated[int, typer.Option(min=0, help="How often the chat model may be asked.")] = BUDGET.calls,
    tokens: Annotated[int, typer.Option(min=0, help="How many tokens it may read and write.")] = BUDGET.tokens,
    output: Annotated[Path | None, typer.Option(help="Folder for the results. Default: data/runs/...")] = None,
) -> None:
    """Compare methods by what they retrieve for questions whose answers are known, with intervals.

    The chunks of all documents are searched together. The folder of an evaluation may be the output: the results then
    stand beside its report.
    """
    from flows.terminal import Choices, retrieve

    choices = Choices(methods, "strict", "none", embedder, segmenter, chat, language_model, calls, tokens)
    raise typer.Exit(retrieve(corpus, questions, choices, budgets, retriever.value, output))


@app.command()
def smoke() -> None:
    """Take the sample documents through every stage and check the results."""
    from flows.terminal import smoke

    raise typer.Exit(smoke())


@app.command(epilog="Exit code: 0 equal, 1 not.")
def replicate(
    data: Annotated[Path, typer.Option(help="Folder with parsed/, mentions.parquet and golden/table3.json.")],
) -> None:
    """The paper's Table 3, ours beside theirs, cell by cell."""
    from flows.terminal import replicate

    raise typer.Exit(replicate(data))


if __name__ == "__main__":
    app(prog_name="python -m flows")
