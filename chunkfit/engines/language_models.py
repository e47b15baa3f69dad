"""Language models that tell how likely a token is at each place of a text."""

from typing import Protocol


class LanguageModel(Protocol):
    @property
    def id(self) -> str:
        """Model and revision, and every setting that changes a probability."""
        ...
