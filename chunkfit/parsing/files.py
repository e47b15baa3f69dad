"""Opening files that may be anything."""

import hashlib
import stat
from pathlib import Path

from chunkfit.errors import BadDocument

_STREAM_BYTES = 1 << 20


def size_of(path: Path) -> int:
    """Size in bytes of a regular file. Raises BadDocument for anything else, and where it cannot be looked at."""
    try:
        status = path.stat()
    except OSError as error:
        raise BadDocument(_why(path, error)) from error
    if stat.S_ISDIR(status.st_mode):
        raise BadDocument("a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise BadDocument("not a regular file but a device, pipe or socket")  # opening one may wait for ever
    return status.st_size


def contents(path: Path, most: int | None = None) -> bytes:
    """The file's bytes, at most so many. Raises BadDocument."""
    try:
        with path.open("rb") as file:
            return file.read() if most is None else file.read(most)
    except OSError as error:
        raise BadDocument(_why(path, error)) from error


def sha256_of(path: Path) -> str:
    """Hash of the file's bytes, read in a stream. Raises BadDocument."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while part := file.read(_STREAM_BYTES):
                digest.update(part)
    except OSError as error:
        raise BadDocument(_why(path, error)) from error
    return digest.hexdigest()


def _why(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "a link to a file that is not there" if path.is_symlink() else "no such file; it may have been removed"
    if isinstance(error, PermissionError):
        return "it may not be read: permission denied"
    return f"it cannot be read: {error.strerror or error}"
