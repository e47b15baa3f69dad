"""Content-addressed artifacts: the only file access for intermediate results.

One file per (kind, key): a header line with the layout and the SHA-256 of what follows, then the value as JSON. The key
says everything that the value depends on (see `keys`), so whoever finds a file may use it, and several writers of the
same key write the same thing. Arrays of numbers have the same header, and a path that their owner chooses.
"""

import hashlib
import logging
import mmap
import os
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

import fsspec
from fsspec.implementations.local import LocalFileSystem

from chunkfit.arrays import Arrays, pack, unpack
from chunkfit.codec import codec

logger = logging.getLogger(__name__)

T = TypeVar("T")

_MAGIC = b"chunkfit-artifact/1"
_ARRAYS = b"arrays/1"  # the layout of arrays


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """What an artifact is: its folder in the store and the dataclass it holds."""

    name: str
    type: type[T]


class Store:
    """Artifacts under a folder, or under any URL that fsspec can open ("s3://bucket/store", "memory://store").

    Safe for several threads, processes and machines at once: files appear whole or not at all.
    """

    def __init__(self, url: str | Path) -> None:
        self.url = str(url)

    @cached_property
    def _root(self) -> tuple[fsspec.AbstractFileSystem, str]:
        fs, root = fsspec.core.url_to_fs(self.url)
        return fs, root.rstrip("/")

    def get(self, kind: Kind[T], key: str) -> T | None:
        """The value stored under that key; None where there is none, or none that can be trusted.

        A file that does not match its checksum is reported as a warning.
        """
        payload = self._payload(kind, key)
        return None if payload is None else codec(kind.type).decode(payload)

    def put(self, kind: Kind[T], key: str, value: T) -> None:
        """Store a value; whatever stood under that key before is replaced in one step."""
        layout = codec(kind.type).layout.encode()
        self._write(self._path(kind, key), _sealed(layout, codec(kind.type).encode(value)))

    def has(self, kind: Kind[T], key: str) -> bool:
        """Whether `get` would give a value. Reads the file and checks its checksum, without building the value."""
        return self._payload(kind, key) is not None

    def remember(self, kind: Kind[T], key: str, make: Callable[[], T]) -> tuple[T, bool]:
        """The stored value, or what `make` gives, stored for the next time; and whether it had to be made."""
        found = self.get(kind, key)
        if found is not None:
            return found, False
        made = make()
        self.put(kind, key, made)
        return made, True

    def put_arrays(self, path: str, arrays: Arrays) -> None:
        """Store arrays at a path inside the store; whatever stood there before is replaced in one step."""
        self._write(f"{self._root[1]}/{path}", _sealed(_ARRAYS, *pack(arrays)))

    def arrays(self, path: str) -> Arrays | None:
        """The arrays at that path, read-only; None where there are none, or none that can be trusted.

        They are mapped into memory, so that what is not looked at takes no room. Those of a store that is not a local
        folder are first copied to a temporary file. Damage is reported as a warning.
        """
        content = self._mapped(f"{self._root[1]}/{path}")
        if content is None:
            return None
        header = bytes(content[:256]).partition(b"\n")[0]
        payload = content[len(header) + 1 :]
        layout = _layout(header, payload)
        if layout is None:
            logger.warning("The stored arrays %s are damaged; they are made again.", path)
            return None
        return unpack(payload) if layout == _ARRAYS else None

    def names(self, folder: str) -> frozenset[str]:
        """The names of the files in a folder of the store, as they are now."""
        fs, root = self._root
        fs.invalidate_cache(f"{root}/{folder}")  # others write there too
        try:
            found = fs.ls(f"{root}/{folder}", detail=False)
        except FileNotFoundError:
            return frozenset()
        return frozenset(path.rstrip("/").rpartition("/")[2] for path in found)

    def remove(self, path: str) -> None:
        """Remove the file at that path, if it is still there and nobody keeps it open."""
        with suppress(OSError):
            self._root[0].rm_file(f"{self._root[1]}/{path}")

    def _path(self, kind: Kind[T], key: str) -> str:
        return f"{self._root[1]}/{kind.name}/{key[:2]}/{key}"

    def _payload(self, kind: Kind[T], key: str) -> bytes | None:
        path = self._path(kind, key)
        try:
            content: bytes = self._root[0].cat_file(path)
        except FileNotFoundError:
            return None
        header, _, payload = content.partition(b"\n")
        layout = _layout(header, payload)
        if layout is None:
            logger.warning("The stored %s %s is damaged; it is made again. (%s)", kind.name, key[:12], path)
            return None
        if layout != codec(kind.type).layout.encode():
            return None  # written by another version of chunkfit: made again, and nothing is wrong with it
        return payload

    def _mapped(self, path: str) -> memoryview | None:
        fs = self._root[0]
        try:
            with Path(path).open("rb") if isinstance(fs, LocalFileSystem) else tempfile.TemporaryFile() as file:
                if not isinstance(fs, LocalFileSystem):
                    file.write(fs.cat_file(path))
                    file.flush()
                if not os.fstat(file.fileno()).st_size:
                    return memoryview(b"")  # nothing cannot be mapped
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except FileNotFoundError:
            return None

    def _write(self, path: str, content: bytes) -> None:
        fs = self._root[0]
        if not isinstance(fs, LocalFileSystem):
            fs.pipe_file(path, content)  # an object appears when its upload is complete
            return
        # Named so that no other writer has it; what an interrupted run leaves there is never read.
        temporary = Path(self._root[1], "unfinished", secrets.token_hex(8))
        for folder in (temporary.parent, Path(path).parent):
            folder.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        os.replace(temporary, path)  # noqa: PTH105 - the two are plain paths here


def _sealed(layout: bytes, *payload: bytes | memoryview) -> bytes:
    digest = hashlib.sha256()
    for part in payload:
        digest.update(part)
    return b"".join([_MAGIC, b" ", layout, b" ", digest.hexdigest().encode(), b"\n", *payload])


def _layout(header: bytes, payload: bytes | memoryview) -> bytes | None:
    """The layout that a file's header names; None where the header or what follows is damaged."""
    parts = header.split(b" ")
    if len(parts) != 3 or parts[0] != _MAGIC or parts[2] != hashlib.sha256(payload).hexdigest().encode():
        return None
    return parts[1]
