"""What it costs to evaluate a corpus as a library: the paper profile, six methods that need no model, mentions given.

python -m benchmarks.evaluation
"""

import json
import resource
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time

from benchmarks import CLAIR, MODEL_FREE, has_documents
from chunkfit.chunking import chunkers
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.mentions import read_mentions
from chunkfit.metrics import score
from chunkfit.model import Block, Document, Span
from chunkfit.parsing.parsed_json import document_name, parsed_json
from chunkfit.pipeline import evaluate
from chunkfit.postprocessing import postprocess
from chunkfit.selection import select
from chunkfit.settings import ChanceSettings, Settings

SETTINGS = Settings(profile="paper", methods=MODEL_FREE)


def run() -> None:
    """Print core time, its shares, peak memory and what a document twice as long costs."""
    if not has_documents("evaluation"):
        return
    corpus, largest, shares, doubled = (_in_a_fresh_process(name) for name in _MEASURES)
    of = f"{corpus['documents']} documents, {corpus['characters']:,} characters, {len(MODEL_FREE)} methods"
    print(f"evaluation of {of}:")
    print(f"  {corpus['seconds']:.1f} s of core time, {corpus['seconds without chance']:.1f} s of it without the null")
    total = sum(shares.values())
    for stage, seconds in sorted(shares.items(), key=lambda item: -item[1]):
        print(f"  {seconds / total:6.1%}  {stage}")
    print(f"  peak memory {corpus['peak']:.0f} MB; {largest['peak']:.0f} MB for the largest document alone")
    print(f"  a document twice as long costs {doubled['ratio']:.2f} times as much")


def _in_a_fresh_process(measure: str) -> dict[str, float]:
    """Peak memory is that of a whole process, and the first use of an engine is part of the cost."""
    command = [sys.executable, "-m", "benchmarks.evaluation", measure]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _documents() -> Iterator[Document]:
    for path in sorted((CLAIR / "parsed").glob("*.json")):
        data = path.read_bytes()
        yield parsed_json(data, document_name(data), len(data))


def _corpus() -> dict[str, float]:
    started = process_time()
    mentions = read_mentions(CLAIR / "mentions.parquet")
    documents = characters = 0
    for document in _documents():
        evaluate(document, SETTINGS, mentions=mentions[document.name])
        documents += 1
        characters += len(document.text)
    seconds, peak = process_time() - started, _peak()
    started = process_time()
    without_chance = SETTINGS.model_copy(update={"chance": ChanceSettings(draws=0)})
    for document in _documents():
        evaluate(document, without_chance, mentions=mentions[document.name])
    return {
        "documents": documents,
        "characters": characters,
        "seconds": seconds,
        "seconds without chance": process_time() - started,
        "peak": peak,
    }


def _largest() -> dict[str, float]:
    mentions = read_mentions(CLAIR / "mentions.parquet")
    document = max(_documents(), key=lambda document: len(document.text))
    evaluate(document, SETTINGS, mentions=mentions[document.name])
    return {"peak": _peak()}


def _shares() -> dict[str, float]:
    """Seconds of each stage: the steps of `evaluate`, one by one."""
    seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def spent_on(stage: str) -> Iterator[None]:
        started = process_time()
        yield
        seconds[stage] += process_time() - started

    with spent_on("loading engines"):
        engines = default_engines()
        engines.embedder.embed(Document("empty", ""))
    with spent_on("reading mentions"):
        mentions = read_mentions(CLAIR / "mentions.parquet")
    documents = _documents()
    while True:
        with spent_on("reading parsed documents"):
            document = next(documents, None)
        if document is None:
            return seconds
        evidence = Evidence(document, engines, mentions[document.name])
        with spent_on("counting tokens"):
            _ = evidence.tokens
        with spent_on("token vectors"):
            _ = evidence.vectors
        cards = []
        for method in MODEL_FREE:
            with spent_on("chunking"):
                raw = chunkers[method].make(evidence)
            with spent_on("post-processing"):
                final = postprocess(raw, evidence, SETTINGS.postprocess)[-1]
            with spent_on("metrics"):
                score(final, evidence, "paper", ChanceSettings(draws=0))
            with spent_on("metrics and their null"):
                cards.append(score(final, evidence, "paper", SETTINGS.chance))
        with spent_on("selecting"):
            select(cards)


def _doubled() -> dict[str, float]:
    """The longest document but one, and the same twice in a row."""
    once = sorted(_documents(), key=lambda document: len(document.text))[-2]
    length = len(once.text)
    again = [Block(b.kind, Span(b.span.start + length, b.span.end + length)) for b in once.blocks]
    twice = Document("twice", once.text * 2, blocks=(*once.blocks, *again))
    mentions = read_mentions(CLAIR / "mentions.parquet")[once.name]
    evaluate(once, SETTINGS, mentions=mentions)  # loads the engines
    seconds: dict[str, list[float]] = {once.name: [], twice.name: []}
    for document in (once, twice) * 3:
        started = process_time()
        evaluate(document, SETTINGS, mentions=mentions)
        seconds[document.name].append(process_time() - started)
    return {"ratio": min(seconds[twice.name]) / min(seconds[once.name])}


def _peak() -> float:
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


_MEASURES = {"corpus": _corpus, "largest": _largest, "shares": _shares, "doubled": _doubled}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(_MEASURES[sys.argv[1]]()))
    else:
        run()
