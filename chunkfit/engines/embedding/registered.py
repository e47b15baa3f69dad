"""The embedders that settings can name, of models on this machine."""

from chunkfit.engines.embedding.encoder import Encoder
from chunkfit.engines.embedding.late import LateEmbedder, Overlapping, Whole
from chunkfit.engines.embedding.sentence_model import SentenceModel
from chunkfit.engines.embedding.text_embedder import TextEmbedder
from chunkfit.engines.protocols import Embedder
from chunkfit.engines.registry import EngineContext, embedders

_MODEL = "sentence-transformers/all-MiniLM-L6-v2"  # small, and what most people compare with


@embedders.register("sentence_transformers", version=1)
def sentence_transformers(
    context: EngineContext,
    *,
    model: str = _MODEL,
    revision: str | None = None,
    device: str | None = None,
    batch_size: int = 32,
    prompt_name: str | None = None,
    query_prompt_name: str | None = None,
) -> Embedder:
    """Any sentence-transformers model, by its name on the hub or its folder; each text is read alone.

    `revision` should name a commit of the model where results are kept for long: without one it is "main", whatever
    that is by then. `device` is torch's name, the best one there is where none is given; `batch_size` counts texts;
    `prompt_name` is one of the model's own prompts, `query_prompt_name` that for search queries, which are read as
    documents are unless it is given: models made for "query" and "document" want both.
    """
    encoder = Encoder(model, revision=revision, device=device)
    sentences = SentenceModel(encoder, batch_size=batch_size, prompt_name=prompt_name)
    queries = query_prompt_name and SentenceModel(encoder, batch_size=batch_size, prompt_name=query_prompt_name)
    return TextEmbedder(sentences, context.store, query_model=queries or None, texts_at_once=batch_size)


@embedders.register("late", version=1)
def late(
    context: EngineContext, *, model: str = _MODEL, revision: str | None = None, device: str | None = None
) -> Embedder:
    """Late chunking: the model reads the whole document, and a span is the mean of its tokens' vectors.

    A document longer than the model reads at once fails; `late_windowed` takes any length.
    """
    return LateEmbedder(Encoder(model, revision=revision, device=device), Whole(), context.store)


@embedders.register("late_windowed", version=1)
def late_windowed(
    context: EngineContext,
    *,
    model: str = _MODEL,
    revision: str | None = None,
    device: str | None = None,
    window: int | None = None,
    overlap: int | None = None,
) -> Embedder:
    """Late chunking over overlapping windows, each token as the window sees it in which it is furthest from an edge.

    `window` and `overlap` count tokens: by default as many as the model reads at once, and a quarter of that.
    """
    encoder = Encoder(model, revision=revision, device=device)
    return LateEmbedder(encoder, Overlapping(window, overlap), context.store)
