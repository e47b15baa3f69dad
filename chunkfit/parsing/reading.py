"""From a file to a document: the one entry for every format."""

import atexit
import hashlib
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

from chunkfit.codec import codec
from chunkfit.errors import BadDocument
from chunkfit.isolation import CallFailed, CallRaised, OutOfMemory, Pool, TimedOut
from chunkfit.model import Document, Source
from chunkfit.parsing.files import contents, size_of
from chunkfit.parsing.in_child import apply
from chunkfit.parsing.media import PARSED_JSON, media_type_of
from chunkfit.parsing.parsed_json import document_name
from chunkfit.parsing.parsers import Parser, parser_for, parsers_in
from chunkfit.settings import ParsingLimits

_READ = "chunkfit.parsing.in_child.read"
_MOST_CHILDREN = 4  # of one sort; a PDF child takes 0.7 GB
_LONGEST_REASON = 300


def parse(path: str | Path, limits: ParsingLimits = ParsingLimits(), *, name: str | None = None) -> Document:  # noqa: B008
    """Read a file: PDF, DOCX, PPTX, XLSX, HTML, Markdown, plain text or a parsed document in JSON.

    Its name is the file's, or the one that a parsed document gives itself, unless `name` says otherwise. Formats whose
    parsers may crash or hang are read in a child process under the limits of time and memory, several at a time when
    called from several threads. Raises BadDocument, whose message is the reason for a user, and EngineUnavailable
    where such a child cannot start.
    """
    path = Path(path)
    size = size_of(path)
    if size > limits.max_bytes:
        raise BadDocument(f"{size:,} bytes are more than the limit parsing.max_bytes={limits.max_bytes:,}")
    data = contents(path, limits.max_bytes + 1)
    media_type = media_type_of(path, data)
    parser = parser_for(media_type)
    if name is None:
        name = document_name(data) if media_type == PARSED_JSON else path.name
    sha256 = hashlib.sha256(data).hexdigest()
    if parser.child is None:
        document = apply(media_type, data, name, limits.max_bytes)
    else:
        document = _in_child(parser, path, sha256, media_type, name, limits)
    return replace(document, source=Source(str(path), sha256, media_type, parser.id))


def _in_child(parser: Parser, path: Path, sha256: str, media_type: str, name: str, limits: ParsingLimits) -> Document:
    assert parser.child is not None
    arguments = {
        "path": str(path.absolute()),
        "sha256": sha256,
        "media_type": media_type,
        "name": name,
        "max_bytes": limits.max_bytes,
    }
    try:
        answer = _pool(parser.child).call(
            _READ, arguments, seconds=limits.timeout_seconds, memory_bytes=limits.memory_bytes
        )
    except CallFailed as failure:
        raise BadDocument(_reason(parser, failure, limits)) from failure
    return codec(Document).decode(answer.encode("ascii"))


@cache
def _pool(child: str) -> Pool:
    # The parsers are named too, though only `read` is called: the child imports them before it takes calls, so that
    # no document's time limit pays for it.
    parsers = [f"{parser.module}.{parser.function}" for parser in parsers_in(child)]
    pool = Pool([_READ, *parsers], size=min(_MOST_CHILDREN, os.cpu_count() or 1))
    atexit.register(pool.close)
    return pool


def _reason(parser: Parser, failure: CallFailed, limits: ParsingLimits) -> str:
    if isinstance(failure, TimedOut):
        return f"reading it took longer than the limit parsing.timeout_seconds={limits.timeout_seconds:g}"
    if isinstance(failure, OutOfMemory):
        return f"reading it needs more memory than the limit parsing.memory_bytes={limits.memory_bytes:,}"
    said = " ".join(str(failure).split())
    if len(said) > _LONGEST_REASON:
        said = said[:_LONGEST_REASON] + " ..."
    if isinstance(failure, CallRaised):
        return f"the parser {parser.name} cannot read it: {said}"
    return f"the parser {parser.name} {said}"
