"""Measure what the comparison in the README says of other chunkers: `.venv/bin/python docs/comparison.py`.

Sizes are o200k_base tokens for all of them. A start is wrong where the source does not hold the chunk's text there.
Needs the extra `bench`, which `make install` installs.
"""

import os
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from chonkie import RecursiveChunker, SentenceChunker
from docling.chunking import HybridChunker
from docling.datamodel.base_models import InputFormat
from docling.document_converter import DocumentConverter
from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer
from langchain_text_splitters import RecursiveCharacterTextSplitter
from rich.console import Console
from rich.table import Table

import chunkfit
from chunkfit.tokens import TokenIndex, _encoding  # chonkie wants the tokeniser itself, not a counter

SAMPLES = Path(__file__).parents[1] / "data" / "samples"

Placed = Sequence[tuple[str, int | None]]  # each chunk's text, and where it says that it starts


def tokens(text: str) -> int:
    return TokenIndex(text).total


def langchain(size: int, overlap: int) -> Callable[[str], Placed]:
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, length_function=tokens, add_start_index=True
    )
    return lambda text: [(one.page_content, one.metadata["start_index"]) for one in splitter.create_documents([text])]


def chonkie(kind: type[RecursiveChunker] | type[SentenceChunker], size: int) -> Callable[[str], Placed]:
    chunker = kind(tokenizer=_encoding(), chunk_size=size)
    return lambda text: [(one.text, one.start_index) for one in chunker.chunk(text)]


class O200k(BaseTokenizer):
    """The same counter for docling, whose own default is fetched from a model hub."""

    size: int

    def count_tokens(self, text: str) -> int:
        return tokens(text)

    def get_max_tokens(self) -> int:
        return self.size

    def get_tokenizer(self) -> Callable[[str], int]:
        return tokens


def docling(size: int) -> Callable[[str], Placed]:
    chunker = HybridChunker(tokenizer=O200k(size=size))

    def chunk(text: str) -> Placed:
        document = DocumentConverter().convert_string(text, InputFormat.MD, name="text").document
        return [(one.text, None) for one in chunker.chunk(document)]

    return chunk


def ours(method: str) -> Callable[[str], Placed]:
    return lambda text: [
        (one.text, one.start) for one in chunkfit.chunk(chunkfit.Document("text", text), method=method)
    ]


def row(chunker: Callable[[str], Placed], text: str) -> list[str]:
    """Chunks; starts that are wrong; chunks that the source does not hold; tokens of the largest chunk."""
    chunks = chunker(text)
    told = [(piece, start) for piece, start in chunks if start is not None]
    wrong = sum(start < 0 or text[start : start + len(piece)] != piece for piece, start in told)
    absent = sum(piece not in text for piece, _ in chunks)
    return [
        str(len(chunks)),
        f"{wrong} of {len(told)}" if told else "none told",
        str(absent),
        str(max(tokens(piece) for piece, _ in chunks)),
    ]


CHUNKERS: dict[str, Callable[[str], Placed]] = {
    "LangChain, 600": langchain(600, 0),
    "LangChain, 200, overlap 50": langchain(200, 50),
    "chonkie recursive, 600": chonkie(RecursiveChunker, 600),
    "chonkie sentence, 600": chonkie(SentenceChunker, 600),
    "docling hybrid, 600": docling(600),
    "chunkfit recursive_600": ours("recursive_600"),
}


def main() -> None:
    texts = {
        name: (SAMPLES / name).read_text(encoding="utf-8")
        for name in ("the-ferry-keys.txt", "backup-runbook.md", "chinese-garden.txt")
    }
    texts["3,000 words, no stop"] = "water " * 3000
    names = ("langchain-text-splitters", "chonkie", "docling", "chunkfit")
    table = Table("document", "chunker", "chunks", "wrong starts", "not in the source", "largest")
    for name, text in texts.items():
        for label, chunker in CHUNKERS.items():
            table.add_row(name, label, *row(chunker, text))
        table.add_section()
    console = Console(width=120)
    console.print(table)
    console.print(", ".join(f"{name} {version(name)}" for name in names))


if __name__ == "__main__":
    main()
