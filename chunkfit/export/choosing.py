"""The chunks to export of a document: by the method that is best for it, or by a named one."""

from dataclasses import replace
from itertools import chain

from chunkfit.engines import Embedder, Engines
from chunkfit.export.document_chunks import DocumentChunks, Vectors
from chunkfit.export.joining import joined
from chunkfit.model import Document, Mentions, Span
from chunkfit.pipeline import Evaluation, chunk, evaluate
from chunkfit.settings import Settings
from chunkfit.spans import offsets


def choose(
    document: Document,
    method: str = "best",
    settings: Settings = Settings(),  # noqa: B008 - frozen
    engines: Engines | None = None,
    mentions: Mentions | None = None,
) -> DocumentChunks:
    """Cut a document by one method, or by the best for it; the latter with the scores that it was chosen by.

    Raises as `chunkfit.chunk` does.
    """
    if method == "best":
        return chosen(evaluate(document, settings, engines, mentions))
    return DocumentChunks(document.name, chunk(document, method, settings, engines, mentions))


def chosen(evaluation: Evaluation, method: str = "best") -> DocumentChunks:
    """What an evaluation found. Raises MethodFailed where it has no chunks of the method."""
    chunks = evaluation.chunks(method)
    name = evaluation.selection.best if method == "best" else method
    scores = {
        metric: score.value
        for card in evaluation.scorecards
        if card.method == name
        for metric, score in chain(card.scores.items(), card.diagnostics.items())
    }
    return DocumentChunks(evaluation.document.name, chunks, scores)


def with_vectors(found: DocumentChunks, embedder: Embedder) -> DocumentChunks:
    """The same with a vector for each chunk, as evaluation sees it: a late embedder reads it within its document.

    Raises what the embedder raises, and ValueError where the chunks leave out some of the document's text.
    """
    spans = [Span(chunk.start, chunk.end) for chunk in found.chunks]
    rows = embedder.embed(Document(found.document, joined(found.chunks)))(*offsets(spans))
    return replace(found, vectors=Vectors(embedder.id, rows))
