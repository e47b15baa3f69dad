"""How much an embedder reads for twelve methods, all metrics and their null: the text, and little more than once."""

import pytest

from chunkfit.engines import Engines, default_engines
from chunkfit.engines.static import StaticEmbedder
from chunkfit.evidence import Evidence
from chunkfit.mentions import read_mentions
from chunkfit.metrics import score
from chunkfit.parsing.parsed_json import document_name, parsed_json
from chunkfit.pipeline import cut
from chunkfit.settings import Settings

METHODS = (
    "page",
    "fixed",
    "fixed_tokens[size=256]",
    "sentence",
    "langchain_default",
    "langchain_1100",
    "recursive_1100",
    "recursive_600",
    "semantic",
    "cluster_semantic",
    "semantic_threshold[threshold=0.3]",
    "whole_document",
)


@pytest.mark.slow
def test_twelve_methods_read_each_text_about_once(clair):
    settings = Settings()
    default = default_engines()
    engines = Engines(StaticEmbedder(), default.segmenter, default.coreference)  # one that remembers nothing yet
    mentions = read_mentions(clair / "mentions.parquet")
    characters = read = 0
    for path in sorted((clair / "parsed").glob("*.json"))[:6]:
        data = path.read_bytes()
        document = parsed_json(data, document_name(data), len(data))
        evidence = Evidence(document, engines, mentions[document.name])
        for method in METHODS:
            score(cut(method, evidence, settings.postprocess)[-1], evidence, settings)
        characters += len(document.text)
        read += evidence.usage.characters
    assert 1 <= read / characters <= 1.3  # beyond the text, only parts of words that a cut goes through are read
