"""What methods that read vectors cost, and how much twelve methods read.

python -m benchmarks methods
"""

from time import perf_counter, process_time

from benchmarks import CLAIR, has_documents
from chunkfit.chunking import cut_raw
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.mentions import read_mentions
from chunkfit.model import Document, Mentions
from chunkfit.parsing import parse
from chunkfit.pipeline import evaluate
from chunkfit.settings import Settings

BY_VECTORS = ("semantic", "cluster_semantic")
TWELVE = (
    *("page", "fixed", "sentence", "langchain_default", "langchain_1100", "recursive_1100", "recursive_600"),
    *("semantic", "cluster_semantic", "semantic_threshold", "recursive[size=300,overlap=50]", "fixed_tokens[size=200]"),
)


def run() -> None:
    """Print the time of the methods by vectors, and the characters embedded for each of the corpus."""
    if not has_documents("methods"):
        return
    documents = [parse(path) for path in sorted((CLAIR / "parsed").glob("*.json"))]
    mentions = read_mentions(CLAIR / "mentions.parquet")
    wall, core = perf_counter(), process_time()
    for document in documents:
        evidence = Evidence(document, default_engines())
        for method in BY_VECTORS:
            cut_raw(method, evidence)
    print(f"{' and '.join(BY_VECTORS)} over {len(documents)} documents, tokens, sentences and vectors included:")
    print(f"  {perf_counter() - wall:.1f} s, {process_time() - core:.1f} s of core time")
    started = process_time()
    embedded = sum(_embedded(document, mentions.get(document.name)) for document in documents)
    characters = sum(len(document.text) for document in documents)
    print(f"twelve methods, strict profile, diagnostics and null: {process_time() - started:.0f} s of core time")
    print(f"  {embedded / characters:.2f} characters embedded for each of the corpus")


def _embedded(document: Document, mentions: Mentions | None) -> int:
    evaluation = evaluate(document, Settings(methods=TWELVE), mentions=mentions)
    return evaluation.usage.characters
