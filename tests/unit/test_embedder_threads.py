"""Threads share one embedder and get what each would get alone."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from chunkfit.engines.static import StaticEmbedder
from chunkfit.model import Document


def asked(embedder: StaticEmbedder, document: Document) -> np.ndarray:
    """Vectors of spans whose cuts go through words, so that the words and parts of words that threads share grow."""
    vectors = embedder.embed(document)
    length = len(document.text)
    starts = [np.arange(first, length - 40, 7) for first in range(7)]
    return np.concatenate([vectors(some, some + 33) for some in starts])


def test_threads_that_share_an_embedder_do_not_disturb_each_other() -> None:
    documents = [
        Document(f"{number}", " ".join(f"word{number * factor} and{factor}then" for factor in range(250)))
        for number in range(1, 5)
    ]
    alone = [asked(StaticEmbedder(), document) for document in documents]
    shared = StaticEmbedder()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads take turns as often as possible
    try:
        with ThreadPoolExecutor(4) as threads:
            together = list(threads.map(lambda document: asked(shared, document), documents))
    finally:
        sys.setswitchinterval(interval)
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))
