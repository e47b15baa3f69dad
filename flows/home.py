"""Where a run keeps what it makes."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Home:
    """`./data`, or the folder that CHUNKFIT_HOME names.

    The store is shared by all runs, so that a new one recomputes only what is new; it may be deleted at any time.
    """

    folder: Path

    @classmethod
    def default(cls) -> "Home":
        return cls(Path(os.environ.get("CHUNKFIT_HOME") or "data"))

    @property
    def store(self) -> Path:
        return self.folder / "store"

    def prepare(self) -> None:
        """Make the store, and mark it as one that backups and searches for documents leave out."""
        self.store.mkdir(parents=True, exist_ok=True)
        tag = self.store / "CACHEDIR.TAG"
        if not tag.exists():
            tag.write_text("Signature: 8a477f597d28d172789f06886806bc55\n# https://bford.info/cachedir/\n")

    @property
    def studies(self) -> Path:
        """The trials of all tuning, in SQLite. They are not in the store: what they cost is worth keeping."""
        return self.folder / "studies.db"

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    @property
    def prefect(self) -> Path:
        """Prefect's database, its records of finished tasks and the log of our own server."""
        return self.store / "prefect"
