"""Chunks as lines of JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import IO

from chunkfit.export.document_chunks import DocumentChunks
from chunkfit.export.ids import ids


def write_jsonl(documents: Iterable[DocumentChunks], file: IO[bytes]) -> int:
    """Write an object a chunk and line: its fields, `id`, `scores`, and `vector` where there are vectors.

    Returns the number of documents. A lone surrogate, which UTF-8 lacks, is escaped as JSON allows.
    """
    done = 0
    for found in documents:
        done += 1
        vectors = found.vectors.known() if found.vectors else ()
        for number, (chunk, name) in enumerate(zip(found.chunks, ids(found.chunks), strict=True)):
            line = {"id": name, **asdict(chunk), "scores": dict(found.scores)}
            if found.vectors:
                line["vector"] = vectors[number]
            file.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    return done
