"""Reference chunks from JSON, as people write them by hand or export them. Nothing in the file is trusted.

One file holds one annotation, a list of them, or, in short, document names with their chunks:

    {"document": "minutes.pdf", "annotator": "AB", "text_sha256": "…", "chunks": [
        {"start": 0, "end": 812, "about": "Who was there"}, {"start": 812, "end": 2040, "about": "The roof"}]}
    {"minutes.pdf": [[0, 812], [812, 2040]], "lease.docx": ["The parties are …", "The rent is …"]}

A chunk is a span (an object with `start` and `end`, or a pair of numbers; code points, half-open) or a text (a string,
or an object with `text`); `about` is for the reader. Only `document` and `chunks` have to be there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from chunkfit import strict_json
from chunkfit.model import Span
from chunkfit.references.model import Annotation
from chunkfit.strict_json import shown, stated_span

MAX_BYTES = 32_000_000
"""Of one file: as much as a document may have by default, so that all its text fits in."""

_FIELDS = ("document", "annotator", "text_sha256", "chunks")
_CHUNK_FIELDS = ("start", "end", "text", "about")


def read_references(path: str | Path, *, max_bytes: int = MAX_BYTES) -> Mapping[str, tuple[Annotation, ...]]:
    """Document name -> its annotations, from a JSON file or from all `*.json` of a folder, in order of their names.

    Offsets and texts are held against the document by `place`. Raises FileNotFoundError, and ValueError that names file
    and place where one is too large, not as described above, or repeats an annotator's chunks of a document.
    """
    path = Path(path)
    found: dict[str, list[Annotation]] = {}
    for file in _files(path):
        for annotation in _read(file, max_bytes):
            others = found.setdefault(annotation.document, [])
            for other in others:
                if other.annotator == annotation.annotator:
                    who = f" by {shown(annotation.annotator)}" if annotation.annotator else ""
                    raise ValueError(
                        f"{file}: there are chunks of {shown(annotation.document)}{who} in {other.source} already; "
                        "remove one, or give each its own annotator"
                    )
            others.append(annotation)
    return {name: tuple(annotations) for name, annotations in found.items()}


def _files(path: Path) -> Sequence[Path]:
    if path.is_dir():
        files = sorted(file for file in path.glob("*.json") if file.is_file())
        if not files:
            raise FileNotFoundError(f"no reference chunks in {path}: it holds no *.json")
        return files
    if not path.is_file():
        raise FileNotFoundError(f"no reference chunks at {path}; give a JSON file or a folder of them")
    return (path,)


def _read(file: Path, max_bytes: int) -> Iterator[Annotation]:
    with file.open("rb") as opened:
        data = opened.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ValueError(f"{file} is larger than {max_bytes:,} bytes; reference chunks of one document are not")
    try:
        content = strict_json.loads(data.decode("utf-8-sig"))
    except ValueError as error:  # broken JSON, another encoding, a number of thousands of digits
        raise ValueError(f"{file} is not readable as JSON in UTF-8: {error}") from error
    try:
        yield from _annotations(content, str(file))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _annotations(content: object, source: str) -> Iterator[Annotation]:
    if isinstance(content, list):
        for number, item in enumerate(content):
            yield _annotation(_object(item, f"item {number}", _FIELDS), f"item {number}", source)
    elif isinstance(content, dict) and "chunks" in content:
        yield _annotation(_object(content, "the annotation", _FIELDS), "the annotation", source)
    elif isinstance(content, dict) and content and all(isinstance(chunks, list) for chunks in content.values()):
        for name, chunks in content.items():
            yield _annotation({"document": name, "chunks": chunks}, shown(name), source)
    else:
        raise ValueError(
            'expected {"document": …, "chunks": […]}, a list of these, or document names with their lists of chunks, '
            f"got {shown(content)}"
        )


def _object(value: object, where: str, fields: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} must be an object with {', '.join(fields)}, got {shown(value)}")
    for name in value:
        if name not in fields:
            near = get_close_matches(name, fields, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(fields)}"
            raise ValueError(f"{where} has the unknown field {shown(name)}; {hint}")
    return value


def _annotation(fields: Mapping[str, Any], where: str, source: str) -> Annotation:
    document = _string(fields, "document", where)
    if not document:
        raise ValueError(f"{where} needs the name of its document")
    chunks = fields.get("chunks")
    if not isinstance(chunks, list):
        raise ValueError(f"{where} needs a list of chunks, got {shown(chunks)}")
    found = [_chunk(chunk, f"chunk {number} of {shown(document)}") for number, chunk in enumerate(chunks)]
    spans = tuple(chunk for chunk in found if isinstance(chunk, Span))
    texts = tuple(chunk for chunk in found if isinstance(chunk, str))
    digest = _string(fields, "text_sha256", where)
    if digest and not re.fullmatch(r"[0-9A-Fa-f]{64}", digest):
        raise ValueError(f"{where} needs 64 hexadecimal digits as text_sha256, got {shown(digest)}")
    return Annotation(document, spans, texts, _string(fields, "annotator", where), digest or None, source)


def _chunk(value: object, where: str) -> Span | str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        if len(value) != 2:
            raise ValueError(f"{where} must be [start, end], got {shown(value)}")
        return stated_span(value[0], value[1], where)
    fields = _object(value, where, _CHUNK_FIELDS)
    _string(fields, "about", where)
    if ("text" in fields) == ("start" in fields or "end" in fields):
        raise ValueError(f"{where} needs start and end, or text, and not both")
    if "text" in fields:
        return _string(fields, "text", where)
    return stated_span(fields.get("start"), fields.get("end"), where)


def _string(fields: Mapping[str, Any], name: str, where: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{where} needs a string as {name}, got {shown(value)}")
    return value
