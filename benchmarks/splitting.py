"""What splitting costs, tokenisation included, beside the splitters that people use today.

python -m benchmarks splitting
"""

import json
from collections.abc import Callable
from statistics import median
from time import process_time

from benchmarks import CLAIR, has_documents
from chunkfit import tokens
from chunkfit.chunking import chunkers
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document

ROUNDS = 5
SIZES = {"recursive_1100": 1100, "recursive_600": 600}
# The separators of both recursive methods as LangChain takes them.
SEPARATORS = [
    *(rf"(?<=\n)#{{{level}}}\s" for level in range(1, 7)),
    r"(?<=\n)\s*\(?[A-Za-z0-9]{1,4}[.)]\s+",
    r"(?<=\n)\s*[-*·•●▪◦‣▸▹○◯‒–—]\s+",
    *(r"\n{2,}", r"\n", r"[.!?]\s+", r",\s+", r"\s+", ""),
]


def run() -> None:
    """Print how many times as long others take for both recursive methods, and what twice the text costs."""
    if not has_documents("splitting"):
        return
    texts = [
        json.loads(path.read_text(encoding="utf-8"))["full_text"] for path in sorted((CLAIR / "parsed").glob("*.json"))
    ]
    ours, langchain, chonkie = _times([_chunkfit, _langchain, _chonkie], texts)
    speed = sum(map(len, texts)) / median(ours) / 1e6
    print(f"splitting {len(texts)} documents to 1100 and to 600 tokens, counting included:")
    print(f"  chunkfit {median(ours):.2f} s of core time, {speed:.1f} million characters a second")
    print(f"  LangChain, same separators and counter: {_ratio(langchain, ours)} times as long")
    print(f"  chonkie, its own separators, same counter: {_ratio(chonkie, ours)} times as long")
    once = sorted(texts, key=len)[-2]
    single, double = _times([_chunkfit, lambda _: _chunkfit([once * 2])], [once])
    print(f"  a document twice as long costs {_ratio(double, single)} times as much")


def _times(candidates: list[Callable[[list[str]], object]], texts: list[str]) -> list[list[float]]:
    """Core seconds of each candidate in each round. They take turns, so that all meet the same noise."""
    seconds: list[list[float]] = [[] for _ in candidates]
    for _ in range(ROUNDS + 1):
        for found, candidate in zip(seconds, candidates, strict=True):
            started = process_time()
            candidate(texts)
            found.append(process_time() - started)
    return [found[1:] for found in seconds]  # the first round warms up


def _ratio(slower: list[float], faster: list[float]) -> str:
    return f"{median(a / b for a, b in zip(slower, faster, strict=True)):.2f}"


def _chunkfit(texts: list[str]) -> None:
    for text in texts:
        evidence = Evidence(Document("text", text), default_engines())
        for method in SIZES:
            chunkers[method].make(evidence)


def _count(text: str) -> int:
    return len(tokens._encoding().encode_ordinary(text))


def _langchain(texts: list[str]) -> None:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    for size in SIZES.values():
        splitter = RecursiveCharacterTextSplitter(
            separators=SEPARATORS,
            is_separator_regex=True,
            keep_separator="start",
            chunk_size=size,
            chunk_overlap=0,
            length_function=_count,
        )
        for text in texts:
            splitter.split_text(text)


def _chonkie(texts: list[str]) -> None:
    from chonkie import RecursiveChunker

    for size in SIZES.values():
        chunker = RecursiveChunker(tokenizer=_count, chunk_size=size)
        for text in texts:
            chunker.chunk(text)
