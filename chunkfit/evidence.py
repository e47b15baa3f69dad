"""What methods and metrics need to know about one document, computed once, on first use."""

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from chunkfit.engines import Answer, Engines, LanguageModel, Question, SpanVectors
from chunkfit.errors import EngineUnavailable
from chunkfit.model import Document, Mentions, Span
from chunkfit.tokens import TokenIndex
from chunkfit.usage import Usage

T = TypeVar("T")


class Evidence:
    """One document with its tokenisation, vectors, sentences and mentions; each is made once, however many ask.

    Not thread-safe: use one per document and thread. `mentions` given here replaces the coreference engine's.
    """

    def __init__(self, document: Document, engines: Engines, mentions: Mentions | None = None) -> None:
        self.document = document
        self.engines = engines
        self._made: dict[object, object] = {}
        self._asked = Usage()
        if mentions is not None:
            self.__dict__["mentions"] = mentions

    def once(self, make: Callable[["Evidence"], T]) -> T:
        """What `make` makes of this document, made on the first call: a metric's own preparation, shared by methods."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("T", self._made[make])

    @property
    def usage(self) -> Usage:
        """What was read and asked for this document so far."""
        return self._asked + (self.vectors.usage if "vectors" in self.__dict__ else Usage())

    def spend(self, usage: Usage) -> None:
        """Add what an engine other than the embedder has used for this document."""
        self._asked += usage

    def ask(self, question: Question) -> Answer:
        """The chat model's answer. Raises as ChatModel.ask does, EngineUnavailable where none is configured."""
        if self.engines.chat is None:
            raise EngineUnavailable("no chat model is configured; name one in the settings of the engines")
        answer = self.engines.chat.ask(question)
        self.spend(answer.usage)
        return answer

    @property
    def language_model(self) -> LanguageModel:
        """Raises EngineUnavailable where none is configured."""
        if self.engines.language_model is None:
            raise EngineUnavailable("no language model is configured; name one in the settings of the engines")
        return self.engines.language_model

    @cached_property
    def tokens(self) -> TokenIndex:
        return TokenIndex(self.document.text)

    @cached_property
    def vectors(self) -> SpanVectors:
        return self.engines.embedder.embed(self.document)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        return self.engines.segmenter.sentences(self.document.text)

    @cached_property
    def mentions(self) -> Mentions:
        return self.engines.coreference.resolve(self.document)

    @cached_property
    def visible_before(self) -> NDArray[np.int64]:
        """How many non-blank characters stand before each offset of the text, its end included."""
        codes = np.frombuffer(self.document.text.encode("utf-32-le", "surrogatepass"), "<u4")
        visible = np.array([not chr(code).isspace() for code in range(0x3002)])  # the last blank of Unicode is U+3000
        return np.concatenate([[0], np.cumsum(visible[np.minimum(codes, 0x3001)], dtype=np.int64)])

    @cached_property
    def block_edges(self) -> NDArray[np.int64]:
        """Where the document's blocks meet, both ends of the text included; a single 0 where no blocks are known.

        Blocks without any text are no blocks here: a split point told twice splits once.
        """
        return np.unique([0, *(block.span.end for block in self.document.blocks)]).astype(np.int64)

    @cached_property
    def pair_edges(self) -> NDArray[np.int64]:
        """A row per entity-pronoun pair: entity start, entity end, pronoun start, pronoun end."""
        pairs = self.mentions.pairs or ()
        edges = [(pair.entity.start, pair.entity.end, pair.pronoun.start, pair.pronoun.end) for pair in pairs]
        return np.array(edges, np.int64).reshape(-1, 4)
