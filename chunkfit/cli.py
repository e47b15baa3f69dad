"""`chunkfit`: the library on the command line, without Prefect."""

import inspect
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from chunkfit.settings import EngineSettings

if TYPE_CHECKING:
    from rich.table import Table

    from chunkfit.model import Chunk
    from chunkfit.registry import Part
    from chunkfit.settings import Settings

FINE, NOTHING_USABLE, WRONG_USAGE, SOME_FAILED = 0, 1, 2, 3

Chunked = tuple[str, tuple["Chunk", ...]]
"""A document's name and its chunks."""

_ENGINES = EngineSettings()

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


class Format(StrEnum):
    jsonl = "jsonl"
    parquet = "parquet"
    markdown = "markdown"


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
    from chunkfit.engines import engines
    from chunkfit.pipeline import methods, skipped
    from chunkfit.registry import UnknownPart
    from chunkfit.settings import Settings

    chosen = EngineSettings(
        embedder=embedder, segmenter=segmenter, chat=chat or None, language_model=language_model or None
    )
    settings = Settings(methods=None if method == "best" else (method,), engines=chosen)
    try:
        unable = skipped(methods(settings), engines(chosen))
    except UnknownPart as unknown:
        _stop(f"{unknown}, best" if unknown.kind == "chunker" else str(unknown))
    except ValueError as wrong:
        _stop(str(wrong))
    if method != "best" and unable:
        _stop("; ".join(f"{name}: {reason}" for name, reason in unable.items()))
    if output is not None and (output.is_dir() or not output.parent.is_dir()):
        _stop(f"--output needs a file in a folder that exists, got {output}")
    if format is Format.parquet and output is None and sys.stdout.isatty():
        _stop("Parquet is not for a terminal; name a file with --output, or pipe the output on")
    failures: list[str] = []
    with _target(output) as target:
        if not _WRITERS[format](_chunked(files, method, settings, failures), target):
            raise typer.Exit(NOTHING_USABLE)  # from in here, so that no empty file takes the place of a good one
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


def _chunked(files: Iterable[str], method: str, settings: "Settings", failures: list[str]) -> Iterator[Chunked]:
    """Document by document. What fails is told on standard error, added to `failures`, and left out."""
    from chunkfit.errors import BadDocument, EngineUnavailable, MethodFailed
    from chunkfit.parsing import discover, parse
    from chunkfit.pipeline import chunk

    def fail(path: object, reason: object) -> None:
        failures.append(str(path))
        print(f"{path}: {reason}", file=sys.stderr)

    sources, missing = discover(files)
    for failure in missing:
        fail(failure.path, failure.reason)
    for source in sources:
        try:
            document = parse(source.path, name=source.name)
            for what in document.unread:
                print(f"{source.path}: not read: {what}", file=sys.stderr)
            found = chunk(document, method, settings)
        except (BadDocument, EngineUnavailable, MethodFailed) as problem:
            fail(source.path, problem)
        else:
            yield source.name, found


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


def _write_jsonl(documents: Iterable[Chunked], target: IO[bytes]) -> int:
    done = 0
    for _, chunks in documents:
        done += 1
        for one in chunks:
            target.write(_utf8(json.dumps(asdict(one), ensure_ascii=False)) + b"\n")
    return done


def _write_parquet(documents: Iterable[Chunked], target: IO[bytes]) -> int:
    import pyarrow.parquet as pq

    from chunkfit.results import chunk_table

    done = 0
    schema = chunk_table((), "no_small_chunks").schema
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for _, chunks in documents:
            done += 1
            writer.write_table(chunk_table(chunks, "no_small_chunks"))
    return done


def _write_markdown(documents: Iterable[Chunked], target: IO[bytes]) -> int:
    done = 0
    for name, chunks in documents:
        done += 1
        target.write(_utf8(f"# {_line(name)}\n\n"))
        for one in chunks:
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


_WRITERS: dict[Format, Callable[[Iterable[Chunked], IO[bytes]], int]] = {
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
