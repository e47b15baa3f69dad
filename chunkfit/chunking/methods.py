"""Methods by the line that names them: a registered chunker with its settings."""

from dataclasses import replace

from chunkfit.calls import Call, base, call
from chunkfit.chunking.registry import Chunker, chunkers
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking


def method(line: str) -> Call[Chunker]:
    """The method of a line such as "recursive[size=400,overlap=50]".

    Raises UnknownPart for an unknown name, ValueError for settings that cannot be read or that it does not have.
    """
    return call(chunkers, line)


def cut_raw(line: str, evidence: Evidence) -> Chunking:
    """The method's own chunking, before any post-processing, under the method's full name.

    Raises MethodFailed where it cannot handle this document, ValueError for settings that contradict one another,
    EngineUnavailable where an engine that it asks cannot answer now.
    """
    called = method(line)
    return replace(called.part.make(evidence, **called.settings), method=called.name)


def trait(name: str, key: str) -> object:
    """What the chunker of a method says of itself; None where it says nothing or is not registered here."""
    return chunkers[base(name)].traits.get(key) if base(name) in chunkers else None


def order(name: str) -> tuple[int, str]:
    """The place of a method among all, as registered; those unknown here behind the others. Equal ones by name."""
    names = chunkers.names()
    return (names.index(base(name)) if base(name) in names else len(names), name)
