"""Content-addressed artifacts: the only file access for intermediate results.

One file per (kind, key): a header line with the layout and the SHA-256 of what follows, then the value as JSON. The key
says everything that the value depends on (see `keys`), so whoever finds a file may use it, and several writers of the
same key write the same thing.
"""

import hashlib
import logging
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

import fsspec
from fsspec.implementations.local import LocalFileSystem

from chunkfit.codec import codec

logger = logging.getLogger(__name__)

T = TypeVar("T")

_MAGIC = b"chunkfit-artifact/1"


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
        payload = codec(kind.type).encode(value)
        header = b" ".join([_MAGIC, codec(kind.type).layout.encode(), hashlib.sha256(payload).hexdigest().encode()])
        self._write(self._path(kind, key), header + b"\n" + payload)

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

    def _path(self, kind: Kind[T], key: str) -> str:
        return f"{self._root[1]}/{kind.name}/{key[:2]}/{key}"

    def _payload(self, kind: Kind[T], key: str) -> bytes | None:
        path = self._path(kind, key)
        try:
            content: bytes = self._root[0].cat_file(path)
        except FileNotFoundError:
            return None
        header, _, payload = content.partition(b"\n")
        parts = header.split(b" ")
        if len(parts) != 3 or parts[0] != _MAGIC or parts[2] != hashlib.sha256(payload).hexdigest().encode():
            logger.warning("The stored %s %s is damaged; it is made again. (%s)", kind.name, key[:12], path)
            return None
        if parts[1] != codec(kind.type).layout.encode():
            return None  # written by another version of chunkfit: made again, and nothing is wrong with it
        return payload

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
