"""What the columns of a row say about a question."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from chunkfit import strict_json
from chunkfit.questions.model import StatedQuestion, StatedReference
from chunkfit.strict_json import shown, stated_span

QUESTION, DOCUMENT, ANSWER = ("question",), ("document", "corpus_id", "doc_name"), ("answer", "reference_answer")
STARTS, ENDS, TEXTS = ("start", "start_index"), ("end", "end_index"), ("content", "text")

_NUMBER = re.compile(r"[0-9]{1,12}")
_FORMS = "a list of {start, end}, {content} or both, [start, end], or texts"


def require_columns(present: Collection[str]) -> None:
    """Raise ValueError unless there are a question, a document, and something that says where the answer is."""
    for names in (QUESTION, DOCUMENT):
        if not set(names) & set(present):
            near = get_close_matches(names[0], present, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(present) or 'none'}"
            raise ValueError(f"there is no column {' or '.join(names)}; {hint}")
    spans = set(STARTS) & set(present) and set(ENDS) & set(present)
    if "references" not in present and "content" not in present and not spans:
        raise ValueError(
            "no column says where the answers are: give references (a JSON list), start and end, or content; "
            f"there are: {', '.join(present)}"
        )


def question(values: Mapping[str, Any], row: int, source: str) -> StatedQuestion:
    """The question of a row. Raises ValueError that says which column is wrong."""
    text = _string(values, QUESTION)
    if not text.strip():
        raise ValueError("the question is blank; write it, or remove the row")
    document = _string(values, DOCUMENT)
    if not document.strip():
        raise ValueError("the name of the document is blank; write it, or remove the row")
    stated = _references(values.get("references")) or _flat(values)
    return StatedQuestion(
        text.strip(),
        document.strip(),
        tuple(stated),
        answer=_string(values, ANSWER).strip(),
        id=_string(values, ("id",), numbers=True).strip(),
        source=_string(values, ("source",)).strip() or source,
        rows=(row,),
    )


def _references(value: object) -> Sequence[StatedReference]:
    if isinstance(value, str):
        if not value.strip():
            return ()
        try:
            value = strict_json.loads(value)
        except ValueError as error:
            raise ValueError(
                f"references are not readable as JSON: {error}; expected {_FORMS}, and a single text goes into a "
                "column content"
            ) from error
    if value is None:
        return ()
    if isinstance(value, (dict, str)):
        value = [value]
    if not isinstance(value, list):
        raise ValueError(f"references must be {_FORMS}, got {shown(value)}")
    return [_reference(one, f"reference {number}") for number, one in enumerate(value)]


def _reference(value: object, where: str) -> StatedReference:
    if isinstance(value, str):
        return StatedReference(text=_text(value, where))
    if isinstance(value, list):
        if len(value) != 2:
            raise ValueError(f"{where} must be [start, end], got {shown(value)}")
        return StatedReference(span=stated_span(value[0], value[1], where))
    if not isinstance(value, dict):
        raise ValueError(f"{where} must be an object with start and end or content, got {shown(value)}")
    start, end, text = (_first(value, names) for names in (STARTS, ENDS, TEXTS))
    if start is None and end is None and text is None:
        raise ValueError(f"{where} needs start and end, or content; it has {', '.join(map(shown, value)) or 'nothing'}")
    if text is not None and not isinstance(text, str):
        raise ValueError(f"{where} needs a string as content, got {shown(text)}")
    span = None if start is None and end is None else stated_span(start, end, where)
    return StatedReference(span, None if text is None else _text(text, where))


def _flat(values: Mapping[str, Any]) -> Sequence[StatedReference]:
    """The one reference that a row has columns of its own for; blank fields are none."""
    start, end = (_number(_first(values, names)) for names in (STARTS, ENDS))
    text = _string(values, ("content",))
    if start is None and end is None and not text.strip():
        return ()
    span = None if start is None and end is None else stated_span(start, end, "the reference")
    return (StatedReference(span, text if text.strip() else None),)


def _number(value: object) -> object:
    """A field of a CSV file as a number where it is one, None where it is blank."""
    if not isinstance(value, str):
        return value
    stripped = value.strip()
    return int(stripped) if _NUMBER.fullmatch(stripped) else stripped or None


def _text(value: str, where: str) -> str:
    if not value.strip():
        raise ValueError(f"{where} is blank; leave it out")
    return value


def _first(values: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((values[name] for name in names if values.get(name) is not None), None)


def _string(values: Mapping[str, Any], names: Sequence[str], *, numbers: bool = False) -> str:
    value = _first(values, names)
    if value is None:
        return ""
    if numbers and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        name = next(name for name in names if values.get(name) is not None)
        raise ValueError(f"{name} must be a text, got {shown(value)}")
    return value
