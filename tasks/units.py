"""What travels between tasks: short references, never texts."""

from dataclasses import dataclass

from chunkfit.keys import Recipe
from chunkfit.model import Failure
from chunkfit.usage import Usage


@dataclass(frozen=True, slots=True)
class Unit:
    """One document on its way through the stages, and what is known of it so far."""

    name: str  # unique within a run
    path: str
    sha256: str  # of the file
    media_type: str
    size: int  # bytes of the file: what its stages may need in memory follows from it
    document: str = ""  # its key, once parsed
    characters: int = 0  # of its text, once parsed
    mentions: str = ""  # their key, once given or resolved
    annotations: str = ""  # key of the chunks that people made of it, where some were given
    unavailable: tuple[tuple[str, str], ...] = ()  # methods whose engine did not answer in this run, and why

    def methods(self, recipe: Recipe) -> tuple[str, ...]:
        """The methods that compete for this document."""
        without = dict(self.unavailable)
        return tuple(method for method in recipe.methods if method not in without)


@dataclass(frozen=True, slots=True)
class Job:
    """What every unit of a run has in common."""

    store: str  # URL
    recipe: Recipe
    run: str = ""  # what its tasks share beyond the settings: one budget, one transcript


@dataclass(frozen=True, slots=True)
class Done:
    """What a stage has done for one unit."""

    unit: Unit  # with what is known now
    computed: int = 0  # results
    reused: int = 0
    usage: Usage = Usage()  # noqa: RUF009 - frozen
    failures: tuple[Failure, ...] = ()  # parts of the work that failed while the unit goes on


@dataclass(frozen=True, slots=True)
class Batch:
    """What a stage leaves of its units: those that go on, those that failed, and how much of it was there before."""

    units: tuple[Unit, ...]
    failures: tuple[Failure, ...] = ()
    computed: int = 0  # results: documents in `parse` and `mentions`, documents times methods in `chunk` and `score`
    reused: int = 0
    touched: tuple[str, ...] = ()  # names of the units of which anything was computed
    usage: Usage = Usage()  # noqa: RUF009 - frozen
