"""Every setting of a run, frozen, with the reason for its default. Saved beside the results that it produced."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

ProfileName = Literal["strict", "paper"]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ParsingLimits(Frozen):
    """Documents are untrusted: what one may cost before it becomes a row in the table of failures."""

    max_bytes: int = Field(32_000_000, gt=0)  # a 50 MB text is a data dump, not a document
    timeout_seconds: float = Field(120.0, gt=0)  # docling reads about 10 pages a second here
    memory_bytes: int = Field(4_000_000_000, gt=0)  # docling with its models loaded needs about 1.5 GB


class PostprocessRules(Frozen):
    """The paper's post-processing."""

    max_tokens: int = Field(1100, gt=0)  # larger chunks are split (methods that bound size themselves never need it)
    min_tokens: int = Field(100, ge=0)  # smaller chunks join a neighbour
    merged_max_tokens: int = Field(1150, gt=0)  # while the result stays at most this: 1100 and a little slack

    @model_validator(mode="after")
    def _ordered(self) -> "PostprocessRules":
        if not self.min_tokens <= self.max_tokens <= self.merged_max_tokens:
            raise ValueError(
                "sizes need min_tokens <= max_tokens <= merged_max_tokens, "
                f"got {self.min_tokens}, {self.max_tokens}, {self.merged_max_tokens}"
            )
        return self


class ChanceSettings(Frozen):
    """The length-shuffled null that stands beside each score."""

    draws: int = Field(20, ge=0)  # the mean's error is then a fifth of one draw's spread
    seed: int = 0


class SelectionRules(Frozen):
    weights: dict[str, float] | None = None  # None: every metric of the profile weighs the same, as in the paper
    tie_margin: float = Field(0.002, ge=0)  # means closer than this are a tie, and the cheaper method wins


class EngineSettings(Frozen):
    """Which engines a run uses, each a line such as `sentence_transformers[model=BAAI/bge-small-en-v1.5]`."""

    embedder: str = "static"  # runs everywhere, reads any length of text
    segmenter: str = "rules"
    coreference: str = "rules"
    chat: str | None = None  # None: methods that ask a chat model are skipped, and the report says so
    language_model: str | None = None  # the same for methods that read a language model's probabilities

    def lines(self) -> dict[str, str | None]:
        """The line of each kind of engine."""
        return dict(self.model_dump())


class Budget(Frozen):
    """What one run may ask of its chat model. What is spent decides nothing that was found before."""

    calls: int = Field(1000, ge=0)
    tokens: int = Field(10_000_000, ge=0)  # read and written


class Settings(Frozen):
    """All that decides the outcome of an evaluation, besides the documents."""

    # None: every method but those that only run when named. One may carry settings: "recursive[size=400,overlap=50]".
    methods: tuple[str, ...] | None = None
    profile: ProfileName = "strict"
    # Measured and shown, never part of the choice unless weighted. None: all but the costly ones.
    diagnostics: tuple[str, ...] | None = None
    engines: EngineSettings = EngineSettings()
    budget: Budget = Budget()
    parsing: ParsingLimits = ParsingLimits()
    postprocess: PostprocessRules = PostprocessRules()
    chance: ChanceSettings = ChanceSettings()
    selection: SelectionRules = SelectionRules()


def read_settings(path: str | Path) -> Settings:
    """Settings from a JSON file, such as a run folder's; what it leaves out is as by default.

    Raises FileNotFoundError, and ValueError that says what in it is wrong.
    """
    try:
        return Settings.model_validate_json(Path(path).read_bytes())
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"{path} does not hold settings: {f'{where}: ' if where else ''}{first['msg']}") from wrong
