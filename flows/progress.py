"""What a run tells while it is going on: a bar in a terminal, now and then a line elsewhere."""

import time
from contextvars import ContextVar
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from chunkfit.reporting.text import duration, plural


class Watcher:
    """Is told how a run goes, in the flow's own thread; this one keeps it to itself."""

    def say(self, what: str) -> None:
        """What is being done now, as a short phrase: "starting Prefect"."""

    def begin(self, documents: int, work: int) -> None:
        """So many documents, and so much work in any unit."""

    def advance(self, work: int, finished: int, failed: int) -> None:
        """Some work is done; so many documents more are through, or have failed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """The run is over."""


watcher: ContextVar[Watcher] = ContextVar("watcher", default=Watcher())  # noqa: B039 - it holds nothing


def watch(console: Console) -> Watcher:
    """The watcher that suits where the output goes."""
    return Bar(console) if console.is_terminal else Lines(console)


class Bar(Watcher):
    """One line that moves: documents done, failed, and the time left as the work done so far suggests it."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[documents]}"),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("starting", total=None, documents="")
        self._documents = self._finished = self._failed = 0

    def say(self, what: str) -> None:
        self._progress.update(self._task, description=what)

    def begin(self, documents: int, work: int) -> None:
        self._documents, self._finished, self._failed = documents, 0, 0
        self._progress.reset(self._task, total=work, documents=self._count(), description="evaluating")

    def advance(self, work: int, finished: int, failed: int) -> None:
        self._finished += finished
        self._failed += failed
        self._progress.update(self._task, advance=work, documents=self._count())

    def _count(self) -> str:
        failed = f", [red]{self._failed} failed[/red]" if self._failed else ""
        return f"{self._finished}/{plural(self._documents, 'document')}{failed}"

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._progress.stop()


class Lines(Watcher):
    """A line when something new begins, and every few seconds while documents are being worked on."""

    EVERY = 5.0  # seconds

    def __init__(self, console: Console) -> None:
        self._console = console
        self._documents = self._finished = self._failed = 0
        self._work = self._done = 0
        self._began = self._told = time.monotonic()

    def say(self, what: str) -> None:
        self._console.print(f"{what} ...", highlight=False)

    def begin(self, documents: int, work: int) -> None:
        self._documents, self._finished, self._failed = documents, 0, 0
        self._work, self._done = work, 0
        self._began = self._told = time.monotonic()
        self.say(f"evaluating {plural(documents, 'document')}")

    def advance(self, work: int, finished: int, failed: int) -> None:
        self._done += work
        self._finished += finished
        self._failed += failed
        now = time.monotonic()
        if now - self._told < self.EVERY:
            return
        self._told = now
        line = f"  {self._finished}/{plural(self._documents, 'document')}"
        if self._failed:
            line += f", {self._failed} failed"
        if self._finished:  # before, engines that are being loaded would be taken for slow work
            left = (now - self._began) * (self._work - self._done) / self._done
            line += f", about {duration(left)} left"
        self._console.print(line, highlight=False)
