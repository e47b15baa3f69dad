"""A registered part with its settings, as one line of text: `recursive[size=400,overlap=50]`."""

import difflib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError

from chunkfit.registry import Part, Registry

T = TypeVar("T")

_SETTING = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*("(?:[^"\\]|\\.)*"|[^,\]"]*?)\s*(?:,|\Z)')
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"|[,\[\]]', re.DOTALL)  # what decides where a list is cut; strings hold none
_LINE = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[(.*)\])?\s*", re.DOTALL)
_SHOWN = 80  # code points of a value that cannot be
_BARE = re.compile(r'[^\s,\]\["]+(?: [^\s,\]\["]+)*')


@dataclass(frozen=True)
class Call(Generic[T]):
    """A part of a registry and the settings to call it with. Two calls that read the same are the same."""

    part: Part[T]
    settings: Mapping[str, Any]  # those that were given, in the order of the part's signature

    @property
    def name(self) -> str:
        """The line that gives this call, in one spelling."""
        given = ",".join(f"{name}={_spelt(value)}" for name, value in self.settings.items())
        return f"{self.part.name}[{given}]" if given else self.part.name

    @property
    def version(self) -> int:
        return self.part.version


def call(registry: Registry[T], line: str) -> Call[T]:
    """The part that a line names, with its settings.

    A value that holds a comma, a bracket, a quote or blanks at its ends is written as a JSON string:
    `fixed[separator=", "]`. Raises UnknownPart for an unknown name, ValueError for settings that the part does not
    have, that are of another type, or that cannot be read.
    """
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"cannot read the {registry.kind} {line!r}; write name or name[setting=value,setting=value]")
    part = registry[match[1]]
    make = cast("Callable[..., Any]", part.make)
    adapters = _adapters(make)
    given = {}
    for name, written in _settings((match[2] or "").strip(), line):
        if name not in adapters:
            near = difflib.get_close_matches(name, adapters, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            known = ", ".join(adapters) or "it has none"
            raise ValueError(f"{registry.kind} {part.name!r} has no setting {name!r}.{hint} Known: {known}")
        if name in given:
            raise ValueError(f"{line!r} gives {name!r} twice")
        given[name] = _converted(adapters[name], written, f"{part.name}[{name}=...]")
    missing = [name for name, one in settings_of(make).items() if one.default is one.empty and name not in given]
    if missing:
        example = ",".join(f"{name}=..." for name in missing)
        raise ValueError(f"{registry.kind} {part.name!r} needs {' and '.join(missing)}: write {part.name}[{example}]")
    return Call(part, {name: given[name] for name in adapters if name in given})


def lines(text: str) -> list[str]:
    """A list such as "page,recursive[size=400,overlap=50]" cut at the commas outside brackets and quotes."""
    found, depth, start = [], 0, 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "[]":
            depth = max(depth + (1 if mark[0] == "[" else -1), 0)
        elif mark[0] == "," and not depth:
            found.append(text[start : mark.start()])
            start = mark.end()
    return [one.strip() for one in [*found, text[start:]] if one.strip()]


def base(name: str) -> str:
    """The part's name alone: "recursive[size=400]" -> "recursive"."""
    return name.partition("[")[0].strip()


def settings_of(make: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The settings that a part takes by its line: the keywords that a line of text can give."""
    keywords = inspect.signature(make).parameters.values()
    return {one.name: one for one in keywords if one.kind is inspect.Parameter.KEYWORD_ONLY}


def _settings(text: str, line: str) -> Iterable[tuple[str, str]]:
    position = 0
    while position < len(text):
        match = _SETTING.match(text, position)
        if match is None:
            raise ValueError(f"cannot read the settings of {line!r} at {text[position:]!r}; write setting=value")
        if not match[2]:
            raise ValueError(f'{line!r} gives {match[1]!r} no value; an empty text is written as {match[1]}=""')
        yield match[1], match[2]
        position = match.end()


def _converted(adapter: TypeAdapter[Any], written: str, what: str) -> Any:
    try:
        value = json.loads(written) if written.startswith('"') else written
        return adapter.validate_strings(value)
    except (ValidationError, json.JSONDecodeError) as problem:
        why = problem.errors()[0]["msg"] if isinstance(problem, ValidationError) else str(problem)
        shown = written if len(written) <= _SHOWN else f"{written[:_SHOWN]}..."
        raise ValueError(f"{what} cannot be {shown}: {why}") from problem


@cache
def _adapters(make: Callable[..., Any]) -> dict[str, TypeAdapter[Any]]:
    hints = get_type_hints(make)
    return {name: TypeAdapter(hints.get(name, str)) for name in settings_of(make)}


def _spelt(value: Any) -> str:
    if isinstance(value, str):
        if not value.isprintable():  # a name goes into files, tables and terminals
            return json.dumps(value)
        return value if _BARE.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
