"""Swap points by name and version, listed in one place, helpful when missed."""

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])  # a part keeps its own signature when registered


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """A registered part. `version` joins the cache keys: raise it whenever the output changes."""

    name: str
    version: int
    make: T
    summary: str  # first line of the docstring
    traits: Mapping[str, object] = field(default_factory=dict)


class Registry(Generic[T]):
    """Parts of one kind by name, in the order of registration."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._parts: dict[str, Part[T]] = {}

    def register(self, name: str, *, version: int, **traits: object) -> Callable[[F], F]:
        """Decorate a part to make it known. Raises ValueError where the name is taken."""

        def add(part: F) -> F:
            if name in self._parts:
                raise ValueError(f"{self.kind} {name!r} is registered already; choose another name")
            summary = (part.__doc__ or "").strip().partition("\n")[0]
            self._parts[name] = Part(name, version, cast("T", part), summary, traits)
            return part

        return add

    def __getitem__(self, name: str) -> Part[T]:
        """The part of that name. Raises KeyError that names the nearest and all known ones."""
        if name not in self._parts:
            near = difflib.get_close_matches(name, self._parts, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            known = ", ".join(self._parts)
            raise UnknownPart(self.kind, f"Unknown {self.kind} {name!r}.{hint} Known: {known}")
        return self._parts[name]

    def __iter__(self) -> Iterator[Part[T]]:
        return iter(self._parts.values())

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    def __len__(self) -> int:
        return len(self._parts)

    def names(self) -> tuple[str, ...]:
        return tuple(self._parts)


class UnknownPart(KeyError):  # noqa: N818
    """Nothing of that kind is registered under that name."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind

    def __str__(self) -> str:  # KeyError would show its arguments
        return str(self.args[1])
