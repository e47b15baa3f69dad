"""Values to bytes and back: frozen dataclasses as JSON arrays of their fields in order.

Nothing but data is read back, so a stored file can never run code. The layout of a type (names and types of its fields,
all the way down) is part of what is stored; a value written by another layout is told apart instead of misread.
"""

import hashlib
import json
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """How values of one type are written and read. `layout` changes whenever the fields of the type do."""

    layout: str
    _to_plain: Convert
    _from_plain: Convert

    def encode(self, value: T) -> bytes:
        # ASCII escapes: the only form that also carries lone surrogates, which damaged documents do contain.
        return json.dumps(self._to_plain(value), ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()

    def decode(self, data: bytes) -> T:
        value: T = self._from_plain(json.loads(data))
        return value


def codec(type_: type[T]) -> Codec[T]:
    """The codec of a dataclass whose fields are scalars, tuples, mappings by name, optionals or such dataclasses.

    Raises TypeError on a field of any other type.
    """
    hashable: Any = type_  # mypy doubts that classes are
    made: Codec[T] = _made(hashable)
    return made


@cache
def _made(type_: Any) -> Codec[Any]:
    layout = hashlib.sha256(_layout(type_).encode()).hexdigest()[:16]
    return Codec(layout, _to_plain(type_), _from_plain(type_))


def _same(value: Any) -> Any:
    return value


def _is_scalar(type_: Any) -> bool:
    return type_ in (str, int, float, bool, type(None)) or get_origin(type_) is Literal


def _optional(type_: Any) -> Any:
    """X where the type is `X | None`, else None."""
    if get_origin(type_) in (Union, types.UnionType):
        inner = [option for option in get_args(type_) if option is not type(None)]
        if len(inner) == 1:
            return inner[0]
    return None


def _members(type_: Any) -> dict[str, Any]:
    hints = get_type_hints(type_)
    return {field.name: hints[field.name] for field in fields(type_)}


def _item(type_: Any) -> Any:
    """X where the type is `tuple[X, ...]`, else None."""
    arguments = get_args(type_)
    return arguments[0] if get_origin(type_) is tuple and arguments[1:] == (Ellipsis,) else None


def _entry(type_: Any) -> Any:
    """X where the type is `Mapping[str, X]`, else None."""
    arguments = get_args(type_)
    return arguments[1] if get_origin(type_) in (dict, Mapping) and arguments[0] is str else None


def _layout(type_: Any) -> str:
    if _is_scalar(type_):
        return getattr(type_, "__name__", str(type_))
    if (inner := _optional(type_)) is not None:
        return f"{_layout(inner)}?"
    if (inner := _item(type_)) is not None:
        return f"[{_layout(inner)}]"
    if (inner := _entry(type_)) is not None:
        return f"{{{_layout(inner)}}}"
    if is_dataclass(type_):
        return f"({','.join(f'{name}:{_layout(member)}' for name, member in _members(type_).items())})"
    raise TypeError(f"{type_} cannot be stored; use scalars, tuples, mappings by name or dataclasses of these")


def _to_plain(type_: Any) -> Convert:
    if _is_scalar(type_):
        return _same
    if (inner := _optional(type_)) is not None:
        convert = _to_plain(inner)
        return lambda value: None if value is None else convert(value)
    if (inner := _item(type_)) is not None:
        convert = _to_plain(inner)
        return list if convert is _same else lambda value: [convert(item) for item in value]
    if (inner := _entry(type_)) is not None:
        convert = _to_plain(inner)
        return lambda value: {name: convert(item) for name, item in value.items()}
    steps = [(name, _to_plain(member)) for name, member in _members(type_).items()]
    return lambda value: [convert(getattr(value, name)) for name, convert in steps]


def _from_plain(type_: Any) -> Convert:
    if _is_scalar(type_):
        return _same
    if (inner := _optional(type_)) is not None:
        convert = _from_plain(inner)
        return lambda plain: None if plain is None else convert(plain)
    if (inner := _item(type_)) is not None:
        convert = _from_plain(inner)
        return tuple if convert is _same else lambda plain: tuple([convert(item) for item in plain])
    if (inner := _entry(type_)) is not None:
        convert = _from_plain(inner)
        return lambda plain: {name: convert(item) for name, item in plain.items()}
    steps = [_from_plain(member) for member in _members(type_).values()]
    if all(convert is _same for convert in steps):
        return lambda plain: type_(*plain)
    return lambda plain: type_(*[convert(item) for convert, item in zip(steps, plain, strict=True)])
