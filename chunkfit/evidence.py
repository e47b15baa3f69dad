"""What methods and metrics need to know about one document, computed once, on first use."""

from functools import cached_property

from chunkfit.engines import Engines, SpanVectors
from chunkfit.model import Document, Mentions, Span
from chunkfit.tokens import TokenIndex


class Evidence:
    """One document with its tokenisation, vectors, sentences and mentions; each is made once, however many ask.

    Not thread-safe: use one per document and thread. `mentions` given here replaces the coreference engine's.
    """

    def __init__(self, document: Document, engines: Engines, mentions: Mentions | None = None) -> None:
        self.document = document
        self.engines = engines
        if mentions is not None:
            self.__dict__["mentions"] = mentions

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
