"""Apply a parser to a file: here, or as what a child process runs."""

import hashlib
from importlib import import_module
from pathlib import Path

from chunkfit.codec import codec
from chunkfit.errors import BadDocument
from chunkfit.model import Document
from chunkfit.parsing.parsers import parser_for


def apply(media_type: str, data: bytes, name: str, max_bytes: int) -> Document:
    """The document that the parser of that media type reads from the bytes. Raises BadDocument."""
    parser = parser_for(media_type)
    try:
        document: Document = getattr(import_module(parser.module), parser.function)(data, name, max_bytes)
    except RecursionError as error:
        raise BadDocument("its parts are nested too deeply to be read") from error
    if len(document.text) > max_bytes:
        raise BadDocument(
            f"a text of {len(document.text):,} characters comes out of it, more than parsing.max_bytes={max_bytes:,}"
        )
    return document


def read(path: str, sha256: str, media_type: str, name: str, max_bytes: int) -> str:
    """The same for a file, as JSON. Raises BadDocument also where the file is no longer the one with that hash."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadDocument(f"it vanished while it was read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise BadDocument("it changed while it was read; try again")
    return codec(Document).encode(apply(media_type, data, name, max_bytes)).decode("ascii")
