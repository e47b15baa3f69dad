"""Find the documents that a user points at."""

import fnmatch
import glob
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from chunkfit.errors import BadDocument
from chunkfit.model import Failure
from chunkfit.parsing.files import contents, sha256_of, size_of
from chunkfit.parsing.media import HEAD_BYTES, PARSED_JSON, media_type_of
from chunkfit.parsing.parsed_json import document_name

_LARGEST_JSON = 256_000_000  # to tell a parsed document from other JSON it has to be read
_RUN_FOLDERS = (
    ("settings.json", "versions.json"),
    ("retrieval.json", "retrieval.html"),
    ("tuning.json", "tuned-settings.json"),
)
_CACHE_TAG = "CACHEDIR.TAG"


@dataclass(frozen=True, slots=True)
class SourceRef:
    """One document to read. `name` is unique within one discovery."""

    path: Path
    name: str
    sha256: str
    media_type: str
    size: int  # bytes


def discover(sources: str | Path | Iterable[str | Path]) -> tuple[list[SourceRef], list[Failure]]:
    """The documents behind files, folders (with all below them) and glob patterns, in the order of their paths.

    A file that is reached in several ways counts once. In folders and patterns, hidden files and folders are skipped,
    and so are run folders of chunkfit and folders with a CACHEDIR.TAG. Whatever else cannot become a document is a
    failure with its reason. A document's name is its file's, or the one that a parsed document gives itself; where two
    would have the same name, both are named by their paths from the folder that holds them.
    """
    asked = [sources] if isinstance(sources, str | Path) else list(sources)
    failures: list[Failure] = []
    paths: set[Path] = set()
    for source in asked:
        paths.update(_paths(str(source), failures))
    found: dict[Path, Path] = {}  # where links lead -> the path to go by
    for path in sorted(paths, key=lambda path: (path.is_symlink(), path)):
        found.setdefault(path.resolve(), path)
    references = []
    for path in sorted(found.values()):
        try:
            references.append(_reference(path))
        except BadDocument as reason:
            failures.append(_failure(path, str(reason)))
    return _uniquely_named(references), sorted(set(failures), key=lambda failure: (failure.path, failure.reason))


def _failure(path: str | Path, reason: str) -> Failure:
    return Failure(_legible(str(path)), "discover", reason)


def _legible(name: str) -> str:
    """Names of files are bytes, not all of them UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def _paths(source: str, failures: list[Failure]) -> Iterator[Path]:
    path = Path(source).expanduser()
    if path.is_dir():
        files, unreadable = _walk(path)
        if not files and not unreadable:
            failures.append(_failure(path, "a folder without files, hidden ones apart"))
    elif path.exists() or path.is_symlink() or not glob.has_magic(source):
        files, unreadable = [path], []
    else:
        files, unreadable = _matching(path)
        if not files and not unreadable:
            failures.append(_failure(path, "nothing matches this pattern"))
    failures.extend(unreadable)
    yield from files


def _matching(pattern: Path) -> tuple[list[Path], list[Failure]]:
    """Files that the pattern matches, and those below folders that it matches, as a shell would hand them over."""
    fixed = next(index for index, part in enumerate(pattern.parts) if glob.has_magic(part))
    base = Path(*pattern.parts[:fixed])
    if not base.is_dir():
        return [], []
    files, unreadable = _walk(base)
    wanted = pattern.parts[fixed:]
    return [path for path in files if _fits(path.relative_to(base).parts, wanted)], unreadable


def _fits(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not pattern:
        return True  # a folder above matched
    if pattern[0] == "**":
        return any(_fits(parts[skipped:], pattern[1:]) for skipped in range(len(parts)))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])


def _walk(top: Path) -> tuple[list[Path], list[Failure]]:
    """All files below a folder, and the folders that cannot be read. Every real folder once, linked ones last."""
    files: list[Path] = []
    unreadable: list[Failure] = []
    seen: set[Path] = set()
    folders, linked = [top], list[Path]()
    while folders or linked:
        folder = folders.pop() if folders else linked.pop(0)
        if folder.resolve() in seen:
            continue
        seen.add(folder.resolve())
        try:
            entries = sorted(folder.iterdir())
        except OSError as error:
            unreadable.append(_failure(folder, f"this folder cannot be read: {error.strerror}"))
            continue
        if folder != top and _is_output({entry.name for entry in entries}):
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if not entry.is_dir():
                files.append(entry)
            elif entry.is_symlink():
                linked.append(entry)
            else:
                folders.append(entry)
    return files, unreadable


def _is_output(names: set[str]) -> bool:
    return _CACHE_TAG in names or any(names.issuperset(files) for files in _RUN_FOLDERS)


def _reference(path: Path) -> SourceRef:
    size = size_of(path)
    all_of_it = path.suffix.lower() == ".json" and size <= _LARGEST_JSON
    head = contents(path, None if all_of_it else HEAD_BYTES)
    media_type = media_type_of(path, head)
    name = path.name
    if media_type == PARSED_JSON and all_of_it:
        with suppress(BadDocument):  # what is wrong with it is for its parser to say
            name = document_name(head) or name
    return SourceRef(path, _legible(name), sha256_of(path), media_type, size)


def _uniquely_named(references: list[SourceRef]) -> list[SourceRef]:
    named = references
    for rename in (_path_from_common_folder, _absolute_path, _absolute_path):
        groups: dict[str, list[SourceRef]] = {}
        for reference in named:
            groups.setdefault(reference.name, []).append(reference)
        named = [
            replace(reference, name=rename(reference, same)) if len(same := groups[reference.name]) > 1 else reference
            for reference in named
        ]
    return named


def _path_from_common_folder(reference: SourceRef, others: list[SourceRef]) -> str:
    folder = os.path.commonpath([other.path.absolute().parent for other in others])
    return _legible(reference.path.absolute().relative_to(folder).as_posix())


def _absolute_path(reference: SourceRef, others: list[SourceRef]) -> str:
    return _legible(reference.path.absolute().as_posix())
