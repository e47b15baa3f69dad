"""Artifacts survive a round trip, damage is noticed, and nothing but whole files is ever seen."""

import logging
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from chunkfit.codec import codec
from chunkfit.model import (
    Block,
    Chance,
    Chunking,
    Document,
    Flag,
    Mentions,
    Page,
    Pair,
    Score,
    Scorecard,
    SizeStatistics,
    Source,
    Span,
    Title,
)
from chunkfit.storage import Kind, Store

TEXT = "# T\né👍🏽\r\n\x0c<|endoftext|>\ud800 שלום"
DOCUMENT = Document(
    name="a/b.md",
    text=TEXT,
    pages=(Page(1, Span(0, 4)), Page(2, Span(4, 4)), Page(3, Span(4, len(TEXT)))),
    blocks=(Block("heading", Span(0, 4)), Block("paragraph", Span(4, len(TEXT)))),
    titles=(Title("T", 1, Span(0, 3), Span(0, len(TEXT))),),
    source=Source("a/b.md", "00ff", "text/markdown", "text/1"),
)
VALUES = [
    DOCUMENT,
    Document("empty", ""),
    Chunking("fixed", (Span(0, 3), Span(2, 9)), "no_small_chunks", overlap=1, flags=(Flag(1, "one grapheme"),)),
    Mentions("rules/1", ((Span(0, 2), Span(5, 7)),), (Pair(Span(0, 2), Span(5, 7)),)),
    Mentions("rules/1", pairs=None, reason="French"),
    Scorecard(
        "page",
        {"RC": Score(0.1 + 0.2, chance=Chance(1 / 3, 1e-17, 20)), "SC": Score(None, "empty")},
        SizeStatistics(2, 1.5, 0.5, 1, 1.5, 2),
    ),
    Scorecard("llm_regex", disqualified="no language model"),
]
DOCUMENTS = Kind("parsed", Document)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_what_is_stored_comes_back_equal(tmp_path: Path, value: object) -> None:
    kind = Kind("values", type(value))
    store = Store(tmp_path)
    store.put(kind, "ab12", value)
    assert Store(tmp_path).get(kind, "ab12") == value


def test_nothing_stored_is_none(tmp_path: Path) -> None:
    assert Store(tmp_path / "nowhere").get(DOCUMENTS, "ab12") is None


def test_a_store_may_live_at_any_url_that_fsspec_knows() -> None:
    store = Store("memory://chunkfit-test")
    store.put(DOCUMENTS, "ab12", DOCUMENT)
    assert store.get(DOCUMENTS, "ab12") == DOCUMENT


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],  # cut short
        lambda content: content.replace(b"endoftext", b"endoftexT"),  # one bit flipped
        lambda content: b"",  # the disk was full
        lambda content: b"\x80\x04" + content,  # something else altogether
    ],
)
def test_a_damaged_file_is_reported_and_counts_as_missing(tmp_path, caplog, damage) -> None:
    store = Store(tmp_path)
    store.put(DOCUMENTS, "ab12", DOCUMENT)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(damage(file.read_bytes()))

    with caplog.at_level(logging.WARNING, "chunkfit.storage"):
        assert not store.has(DOCUMENTS, "ab12")
        assert store.get(DOCUMENTS, "ab12") is None
    assert "parsed ab12 is damaged" in caplog.text


def test_what_another_layout_wrote_is_made_again_without_alarm(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    @dataclass(frozen=True)
    class Swapped:
        second: int
        first: int

    @dataclass(frozen=True)
    class Ordered:
        first: int
        second: int

    Store(tmp_path).put(Kind("pairs", Ordered), "ab12", Ordered(1, 2))
    assert Store(tmp_path).get(Kind("pairs", Swapped), "ab12") is None
    assert not caplog.records


def test_remember_makes_a_value_once(tmp_path: Path) -> None:
    calls = []

    def make() -> Document:
        calls.append(1)
        return DOCUMENT

    store = Store(tmp_path)
    assert store.remember(DOCUMENTS, "ab12", make) == (DOCUMENT, True)
    assert store.remember(DOCUMENTS, "ab12", make) == (DOCUMENT, False)
    assert len(calls) == 1


def test_readers_see_whole_files_while_others_write(tmp_path: Path) -> None:
    store = Store(tmp_path)
    large = Document("large", "x" * 200_000)
    store.put(DOCUMENTS, "ab12", large)
    writers = [threading.Thread(target=lambda: [store.put(DOCUMENTS, "ab12", large) for _ in range(20)]) for _ in "ab"]
    for writer in writers:
        writer.start()
    seen = [store.get(DOCUMENTS, "ab12") for _ in range(20)]
    for writer in writers:
        writer.join()
    assert seen == [large] * 20
    assert list((tmp_path / "unfinished").iterdir()) == []


def test_only_data_can_be_stored() -> None:
    @dataclass(frozen=True)
    class Callback:
        call: object

    with pytest.raises(TypeError, match="cannot be stored"):
        codec(Callback)
