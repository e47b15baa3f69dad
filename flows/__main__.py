"""`python -m flows`: evaluate documents, compare by retrieval, tune, check an installation, replicate the paper."""

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


class OneRetriever(StrEnum):
    lexical = "lexical"
    dense = "dense"
    hybrid = "hybrid"


class Objectives(StrEnum):
    probe = "probe"
    labelled = "labelled"
    both = "both"


class Profile(StrEnum):
    strict = "strict"
    paper = "paper"


SettingsFile = Annotated[
    Path | None, typer.Option(help="JSON file, such as a run's or that of tune; other options come before it.")
]
Embedder = Annotated[
    str | None, typer.Option(envvar="CHUNKFIT_EMBEDDER", help=f"An engine. Default: {ENGINES.embedder}.")
]
Segmenter = Annotated[
    str | None, typer.Option(envvar="CHUNKFIT_SEGMENTER", help=f"An engine. Default: {ENGINES.segmenter}.")
]
Chat = Annotated[str | None, typer.Option(envvar="CHUNKFIT_CHAT", help="An engine: openai[model=...].")]
LanguageModel = Annotated[str | None, typer.Option(envvar="CHUNKFIT_LANGUAGE_MODEL", help="An engine: hf[model=...].")]
Calls = Annotated[
    int | None, typer.Option(min=0, help=f"How often the chat model may be asked. Default: {BUDGET.calls:,}.")
]
Tokens = Annotated[
    int | None, typer.Option(min=0, help=f"How many tokens it may read and write. Default: {BUDGET.tokens:,}.")
]
Output = Annotated[Path | None, typer.Option(help="Folder for the results. Default: data/runs/...")]


@app.command(epilog=EXIT)
def evaluate(
    sources: Annotated[list[str], typer.Argument(help="Files, folders (with all below them) or globs.")],
    methods: Annotated[
        str | None, typer.Option(help="Names, separated by commas: page,recursive[size=400]. Default: all.")
    ] = None,
    profile: Annotated[
        Profile | None, typer.Option(help="paper: exactly what the paper computes. Default: strict.")
    ] = None,
    diagnostics: Annotated[
        str | None, typer.Option(help="Names, separated by commas, or none. Default: all but the costly ones.")
    ] = None,
    embedder: Embedder = None,
    segmenter: Segmenter = None,
    chat: Chat = None,
    language_model: LanguageModel = None,
    calls: Calls = None,
    tokens: Tokens = None,
    mentions: Annotated[Path | None, typer.Option(help="Parquet file of mentions found elsewhere.")] = None,
    references: Annotated[
        Path | None, typer.Option(help="JSON file or folder with chunks made by people, to compare with.")
    ] = None,
    settings: SettingsFile = None,
    output: Output = None,
) -> None:
    """Find each document's best chunking method, with the evidence, and its chunks.

    Results of every step are kept in data/store (CHUNKFIT_HOME moves data elsewhere): a second run recomputes only what
    has changed. `chunkfit methods`, `chunkfit metrics` and `chunkfit engines` list what can be named here.
    """
    from flows.terminal import Choices, evaluate

    named = None if profile is None else profile.value
    engines = (embedder, segmenter, chat, language_model)
    choices = Choices(settings, methods, named, diagnostics, *engines, calls, tokens)
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
    embedder: Embedder = None,
    segmenter: Segmenter = None,
    chat: Chat = None,
    language_model: LanguageModel = None,
    calls: Calls = None,
    tokens: Tokens = None,
    settings: SettingsFile = None,
    output: Output = None,
) -> None:
    """Compare methods by what they retrieve for questions whose answers are known, with intervals.

    The chunks of all documents are searched together. The folder of an evaluation may be the output: the results then
    stand beside its report.
    """
    from flows.terminal import Choices, retrieve

    engines = (embedder, segmenter, chat, language_model)
    choices = Choices(settings, methods, None, "none", *engines, calls, tokens)
    raise typer.Exit(retrieve(corpus, questions, choices, budgets, retriever.value, output))


@app.command(epilog=RETRIEVE_EXIT)
def tune(
    corpus: Annotated[str, typer.Option(help="The documents: a file, a folder (with all below it) or a glob.")],
    questions: Annotated[
        Path | None, typer.Option(help="CSV, JSONL or Parquet file: question, document, references.")
    ] = None,
    objective: Annotated[
        Objectives, typer.Option(help="Recall of what documents ask themselves, of the questions, or of both.")
    ] = Objectives.probe,
    budget: Annotated[int, typer.Option(min=1, help="Tokens of retrieved text.")] = 2000,
    retriever: Annotated[OneRetriever, typer.Option(help="What the chunks are searched by.")] = OneRetriever.hybrid,
    methods: Annotated[
        str | None, typer.Option(help="Which methods, separated by commas. Default: all it knows.")
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="How many in all, those of earlier runs included.")] = 50,
    folds: Annotated[int, typer.Option(min=0, help="Searches with documents held out; 0 for none.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Where the search begins.")] = 0,
    study: Annotated[Path | None, typer.Option(help="SQLite file of the trials. Default: data/studies.db")] = None,
    embedder: Embedder = None,
    segmenter: Segmenter = None,
    settings: SettingsFile = None,
    output: Output = None,
) -> None:
    """Find the method and the settings that retrieve best, and what that is worth on documents held out.

    Each document is searched alone. A search that was interrupted goes on where it was.
    """
    from chunkfit.tuning import Aim
    from flows.terminal import Choices, tune

    choices = Choices(settings, embedder=embedder, segmenter=segmenter)
    aim = Aim(objective.value, budget, retriever.value)
    raise typer.Exit(tune(corpus, questions, choices, aim, methods, trials, folds, seed, study, output))


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
