"""Questions from CSV, JSONL and Parquet files, and back to JSONL.

A row has a `question`, the `document` that answers it (or `corpus_id`, `doc_name`), and where: `references`, or for a
single one `start` and `end` (or `start_index` and `end_index`; code points, half-open), or `content`, its verbatim
text. `references` is a list, in CSV as JSON, of objects with these names, of [start, end], or of texts:

    question,document,references
    When is the roof mended?,minutes.pdf,"[{""content"": ""in May"", ""start_index"": 812, ""end_index"": 818}]"

`id`, `source` (who asked) and `answer` (a reference answer) are optional; other columns are not read. Rows with the
same question of the same document are one question with all their references: a row per reference is a legal form.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from chunkfit.engines.remote.text import LONE_SURROGATE
from chunkfit.model import Document
from chunkfit.questions.columns import question, require_columns
from chunkfit.questions.model import StatedQuestion
from chunkfit.questions.rows import MAX_BYTES, read_rows
from chunkfit.retrieval import Labelled


def read_questions(path: str | Path, *, max_bytes: int = MAX_BYTES) -> tuple[StatedQuestion, ...]:
    """The questions of a file in its order, each once; `place_questions` holds them against the documents.

    Raises FileNotFoundError, and ValueError that names file and row where one is not as described above, where two rows
    give different answers to the same question, or the same id to different ones.
    """
    path = Path(path)
    rows = read_rows(path, max_bytes=max_bytes)
    if not rows:
        raise ValueError(f"{path} holds no questions; a row each")
    found: dict[tuple[str, str], StatedQuestion] = {}
    owners: dict[str, tuple[str, str]] = {}
    for row in rows:
        try:
            require_columns(row.values)
            stated = question(row.values, row.number, path.name)
            same = " ".join(stated.text.split()), stated.document
            if stated.id and owners.setdefault(stated.id, same) != same:
                raise ValueError(f"the id {stated.id!r} is that of another question; give each its own, or none")
            found[same] = _together(found[same], stated) if same in found else stated
        except ValueError as error:
            raise ValueError(f"{path}, row {row.number}: {error}") from error
    return tuple(found.values())


def _together(first: StatedQuestion, again: StatedQuestion) -> StatedQuestion:
    if first.answer and again.answer and first.answer != again.answer:
        raise ValueError(f"row {first.rows[0]} gives another answer to the same question; keep one")
    new = [reference for reference in again.references if reference not in first.references]
    return replace(
        first,
        references=(*first.references, *new),
        answer=first.answer or again.answer,
        id=first.id or again.id,
        rows=first.rows + again.rows,
    )


def write_questions(
    path: str | Path,
    labelled: Iterable[Labelled],
    *,
    answers: Iterable[str] = (),
    documents: Iterable[Document] = (),
) -> None:
    """Write questions as JSONL, from which `read_questions` and `place_questions` give them back.

    With their documents the verbatim texts are written too, and are held against the documents when they are read:
    spans alone cannot tell that another parser has read the file since. Answers, where given, are one for each
    question; "" for none.
    """
    texts = {document.name: document.text for document in documents}
    labelled = tuple(labelled)
    answers = tuple(answers) or ("",) * len(labelled)
    lines = [_line(one, answer, texts.get(one.document)) for one, answer in zip(labelled, answers, strict=True)]
    Path(path).write_text("".join(lines), encoding="utf-8", newline="\n")


def _line(labelled: Labelled, answer: str, text: str | None) -> str:
    references = [
        {"start": span.start, "end": span.end} | ({} if text is None else {"content": span.of(text)})
        for span in labelled.references
    ]
    facts = {"id": labelled.id, "question": labelled.text, "document": labelled.document, "references": references}
    facts |= {"answer": answer, "source": labelled.source}
    readable = json.dumps({name: value for name, value in facts.items() if value}, ensure_ascii=False)
    # UTF-8 has no lone surrogates, JSON's escapes do.
    return LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", readable) + "\n"
