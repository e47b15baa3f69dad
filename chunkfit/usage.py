"""What a run asked of its models: the figures that a report gives and a budget limits."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Characters and texts that an embedder read, calls to services, tokens and cost. Usages add and subtract."""

    characters: int = 0  # embedded; those found in the store are not among them
    texts: int = 0
    calls: int = 0  # requests to a service that were answered
    tokens_in: int = 0  # as the service or the model counts them
    tokens_out: int = 0
    cost: float = 0.0  # in the currency of the prices in the engine's settings; 0 where none are given

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.characters + other.characters,
            self.texts + other.texts,
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cost + other.cost,
        )

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(
            self.characters - other.characters,
            self.texts - other.texts,
            self.calls - other.calls,
            self.tokens_in - other.tokens_in,
            self.tokens_out - other.tokens_out,
            self.cost - other.cost,
        )

    def __bool__(self) -> bool:
        return self != Usage()
