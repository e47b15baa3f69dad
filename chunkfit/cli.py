"""`chunkfit`: the library on the command line, without Prefect."""

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from chunkfit.settings import EngineSettings

if TYPE_CHECKING:
    from rich.table import Table

    from chunkfit.engines import Embedder, Engines
    from chunkfit.export import DocumentChunks
    from chunkfit.registry import Part
    from chunkfit.settings import Settings

FINE, NOTHING_USABLE, WRONG_USAGE, SOME_FAILED = 0, 1, 2, 3

_ENGINES = EngineSettings()

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


class Format(StrEnum):
    jsonl = "jsonl"
    parquet = "parquet"
    markdown = "markdown"


class Target(StrEnum):
    jsonl = "jsonl"
    parquet = "parquet"
    lancedb = "lancedb"


@app.command(epilog="Exit code: 0 all fine, 1 nothing usable, 2 wrong usage, 3 some files failed.")
def chunk(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files, folders or globs.")],
    method: Annotated[str, typer.Option(help="A name from `chunkfit methods`, or best: the best for each.")] = "best",
    format: Annotated[Format, typer.Option(help="How chunks are written.")] = Format.jsonl,
    output: Annotated[Path | None, typer.Option(help="File to write. Default: standard output.")] = None,
    embedder: Annotated[str, typer.Option(envvar="CHUNKFIT_EMBEDDER", help="An engine.")] = _ENGINES.embedder,
    segmenter: Annotated[str, typer.Option(envvar="CHUNKFIT_SEGMENTER", help="An engine.")] = _ENGINES.segmenter,
    chat: Annotated[str | None, typer.Option(envvar="CHUNKFIT_CHAT", help="An engine: openai[model=...].")] = None,
    language_model: Annotated[
        str | None, typer.Option(envvar="CHUNKFIT_LANGUAGE_MODEL", help="An engine: hf[model=...].")
    ] = None,
) -> None:
    """Cut documents into chunks, ready to index: text, offsets, pages, titles, tokens.

    Chunks are post-processed with the paper's settings: at most 1100 tokens (1150 after merging), at least 100 where
    there is a neighbour to join.
    """
    settings, made = _prepared(method, embedder, segmenter, chat, language_model)
    if output is not None:
        _require_file(output)
    if format is Format.parquet and output is None and sys.stdout.isatty():
        _stop("Parquet is not for a terminal; name a file with --output, or pipe the output on")
    failures: list[str] = []
    with _target(output) as target:
        if not _WRITERS[format](_chunked(files, method, settings, made, failures), target):
            raise typer.Exit(NOTHING_USABLE)  # from in here, so that no empty file takes the place of a good one
    raise typer.Exit(SOME_FAILED if failures else FINE)


@app.command(epilog="Exit code: 0 all fine, 1 nothing usable, 2 wrong usage, 3 some files failed.")
def export(
    output: Annotated[Path, typer.Option(help="File to write, or the folder of a LanceDB database.")],
    to: Annotated[Target, typer.Option(help="What is written. A database keeps its other documents.")],
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE...", help="Files, folders or globs.")] = None,
    run: Annotated[Path | None, typer.Option(help="Instead of files: the folder of a run, and what it chose.")] = None,
    method: Annotated[str, typer.Option(help="A name from `chunkfit methods`, or best: the best for each.")] = "best",
    vectors: Annotated[bool | None, typer.Option(help="The embedder's. Default: for a database.")] = None,
    embedder: Annotated[str, typer.Option(envvar="CHUNKFIT_EMBEDDER", help="An engine.")] = _ENGINES.embedder,
    segmenter: Annotated[str, typer.Option(envvar="CHUNKFIT_SEGMENTER", help="An engine.")] = _ENGINES.segmenter,
    chat: Annotated[str | None, typer.Option(envvar="CHUNKFIT_CHAT", help="An engine: openai[model=...].")] = None,
    language_model: Annotated[
        str | None, typer.Option(envvar="CHUNKFIT_LANGUAGE_MODEL", help="An engine: hf[model=...].")
    ] = None,
) -> None:
    """Put chunks with scores, lasting ids and vectors into a vector database or a file.

    A database is made where it is missing. Documents that it holds by the same name are replaced.
    """
    from chunkfit.export import OtherTable, chosen_in, embedder_of_run, write_lancedb
    from chunkfit.export.extras import extra

    if (run is None) == (not files):
        _stop("name files to export, or the folder of a run with --run")
    if run is not None and method != "best":
        _stop(f"a run has chosen already; leave out --method, or give the files that {method} should cut")
    wanted = to is Target.lancedb if vectors is None else vectors
    if to is not Target.lancedb:
        _require_file(output)
    elif output.exists() and not output.is_dir():
        _stop(f"--output needs the folder of a database, new or not, got the file {output}")
    failures: list[str] = []
    try:
        if to is Target.lancedb:
            extra("lancedb", "retrieval")
        if run is not None:
            found, reader = chosen_in(run), embedder_of_run(run) if wanted else None
        else:
            settings, made = _prepared(method, embedder, segmenter, chat, language_model)
            found, reader = _chunked(files or (), method, settings, made, failures), made.embedder if wanted else None
    except (ValueError, ModuleNotFoundError) as wrong:
        _stop(str(wrong))
    if reader is not None:
        found = _embedded(found, reader, failures)
    try:
        if to is Target.lancedb:
            if not write_lancedb(found, output):
                raise typer.Exit(NOTHING_USABLE)
        else:
            with _target(output) as target:
                if not _WRITERS[Format(to)](found, target):
                    raise typer.Exit(NOTHING_USABLE)
    except OtherTable as other:
        _stop(str(other))
    raise typer.Exit(SOME_FAILED if failures else FINE)


@app.command()
def methods() -> None:
    """The chunking methods, with versions and settings."""
    from chunkfit.chunking import chunkers

    _print(_parts("Chunking methods", chunkers))


@app.command()
def metrics() -> None:
    """The metrics of both profiles, with versions and settings."""
    from chunkfit.metrics import diagnostics, profiles

    tables = (_parts(f"Metrics of the {name} profile", registry) for name, registry in profiles.items())
    _print(*tables, _parts("Diagnostics, of either profile", diagnostics))


@app.command()
def engines() -> None:
    """The engines that settings can name, with versions and settings."""
    from chunkfit.engines import making  # noqa: F401 - registers
    from chunkfit.engines.registry import KINDS

    _print(*(_parts(f"{registry.kind.capitalize()}s", registry) for registry in KINDS.values() if len(registry)))


def main() -> None:
    app(prog_name="chunkfit")


def _prepared(
    method: str, embedder: str, segmenter: str, chat: str | None, language_model: str | None
) -> tuple["Settings", "Engines"]:
    """The settings of one method, or of all, and their engines. Stops where these are unknown or cannot run."""
    from chunkfit.engines import engines
    from chunkfit.pipeline import methods, skipped
    from chunkfit.registry import UnknownPart
    from chunkfit.settings import Settings

    chosen = EngineSettings(
        embedder=embedder, segmenter=segmenter, chat=chat or None, language_model=language_model or None
    )
    settings = Settings(methods=None if method == "best" else (method,), engines=chosen)
    try:
        made = engines(chosen)
        unable = skipped(methods(settings), made)
    except UnknownPart as unknown:
        _stop(f"{unknown}, best" if unknown.kind == "chunker" else str(unknown))
    except ValueError as wrong:
        _stop(str(wrong))
    if method != "best" and unable:
        _stop("; ".join(f"{name}: {reason}" for name, reason in unable.items()))
    return settings, made


def _require_file(output: Path) -> None:
    if output.is_dir() or not output.parent.is_dir():
        _stop(f"--output needs a file in a folder that exists, got {output}")


def _chunked(
    files: Iterable[str], method: str, settings: "Settings", engines: "Engines", failures: list[str]
) -> Iterator["DocumentChunks"]:
    """Document by document. What fails is told on standard error, added to `failures`, and left out."""
    from chunkfit.errors import BadDocument, EngineUnavailable, MethodFailed
    from chunkfit.export import choose
    from chunkfit.parsing import discover, parse

    sources, missing = discover(files)
    for failure in missing:
        _fail(failure.path, failure.reason, failures)
    for source in sources:
        try:
            document = parse(source.path, name=source.name)
            for what in document.unread:
                print(f"{source.path}: not read: {what}", file=sys.stderr)
            found = choose(document, method, settings, engines)
        except (BadDocument, EngineUnavailable, MethodFailed) as problem:
            _fail(source.path, problem, failures)
        else:
            yield found


def _embedded(
    documents: Iterable["DocumentChunks"], embedder: "Embedder", failures: list[str]
) -> Iterator["DocumentChunks"]:
    from chunkfit.errors import EngineUnavailable, MethodFailed
    from chunkfit.export import with_vectors

    for found in documents:
        try:
            complete = with_vectors(found, embedder)
        except (EngineUnavailable, MethodFailed) as problem:
            _fail(found.document, problem, failures)
        else:
            yield complete


def _fail(what: object, reason: object, failures: list[str]) -> None:
    failures.append(str(what))
    print(f"{what}: {reason}", file=sys.stderr)


@contextmanager
def _target(output: Path | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file that appears when it is complete."""
    if output is None:
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # whoever reads our output has seen enough
            os.dup2(
                os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
            )  # or Python complains when it flushes at exit
            raise typer.Exit(FINE) from None
    elif output.exists() and not output.is_file():
        with output.open("wb") as device:
            yield device
    else:
        part = output.with_name(f".{output.name}.part")
        try:
            with part.open("wb") as file:
                yield file
            part.replace(output)
        finally:
            part.unlink(missing_ok=True)


def _write_jsonl(documents: Iterable["DocumentChunks"], target: IO[bytes]) -> int:
    from chunkfit.export import write_jsonl

    return write_jsonl(documents, target)


def _write_parquet(documents: Iterable["DocumentChunks"], target: IO[bytes]) -> int:
    from chunkfit.export import write_parquet

    return write_parquet(documents, target)


def _write_markdown(documents: Iterable["DocumentChunks"], target: IO[bytes]) -> int:
    done = 0
    for found in documents:
        done += 1
        target.write(_utf8(f"# {_line(found.document)}\n\n"))
        for one in found.chunks:
            fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", one.text))])
            pages = ", ".join(map(str, one.pages)) or "none"
            facts = [
                one.method,
                f"{one.tokens} tokens",
                f"pages: {pages}",
                f"characters {one.start}-{one.end}",
                *one.flags,
            ]
            titles = " > ".join(_line(title) for title in one.titles)
            heading = f"## {one.index}" + (f". {titles}" if titles else "")
            end = "" if one.text.endswith("\n") else "\n"
            target.write(_utf8(f"{heading}\n\n{', '.join(facts)}\n\n{fence}\n{one.text}{end}{fence}\n\n"))
    return done


_WRITERS: dict[Format, Callable[[Iterable["DocumentChunks"], IO[bytes]], int]] = {
    Format.jsonl: _write_jsonl,
    Format.parquet: _write_parquet,
    Format.markdown: _write_markdown,
}


def _utf8(text: str) -> bytes:
    """UTF-8 whatever the locale says. A lone surrogate, which UTF-8 lacks, is written as JSON spells it."""
    return text.encode("utf-8", "backslashreplace")


def _line(text: str) -> str:
    """A name or title on one line, where Markdown takes nothing in it for markup."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", " ".join(text.split()))


def _parts(title: str, parts: "Iterable[Part[Any]]") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("name", no_wrap=True)
    table.add_column("version", justify="right")
    table.add_column("what it does, and its settings", overflow="fold")
    for part in parts:
        settings = [
            f"{name} = {parameter.default!r}" if parameter.default is not parameter.empty else f"{name} (required)"
            for name, parameter in inspect.signature(part.make).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        ]
        told = Text(part.summary + (" Runs only where it is named." if part.traits.get("on_request") else ""))
        if settings:
            told.append("\n" + ", ".join(settings), style="dim")
        table.add_row(part.name, str(part.version), told)
    return table


def _print(*tables: "Table") -> None:
    from rich.console import Console

    console = Console(width=80) if not sys.stdout.isatty() else Console()
    for table in tables:
        console.print(table)


def _stop(problem: str) -> NoReturn:
    print(problem, file=sys.stderr)
    raise typer.Exit(WRONG_USAGE)


if __name__ == "__main__":
    main()
