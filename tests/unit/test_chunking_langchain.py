"""LangChain's splitter on spans, beside LangChain itself."""

import pytest

from chunkfit.chunking import chunkers
from chunkfit.chunking.langchain import langchain
from chunkfit.chunking.separators import before
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document

splitters = pytest.importorskip("langchain_text_splitters", reason="langchain-text-splitters is in the bench extra")

SEPARATORS = (before("\n\n"), before("\n"), before(" "))
SAMPLE = (
    "First paragraph, of one line.\n\nSecond paragraph\nhas two lines.\n\n\n"
    + "A word and another, " * 12
    + "\n\n   indented\n"
    + "unbroken" * 20
    + "\n\nend "
)


def evidence(text: str) -> Evidence:
    return Evidence(Document("text", text), default_engines())


def split(text: str, limit: int, overlap: int) -> list[str]:
    chunking = langchain(
        evidence(text),
        "langchain",
        limit=limit,
        overlap=overlap,
        separators=SEPARATORS,
        sizes=lambda starts, ends: ends - starts,
        unit="code points",
    )
    return [span.of(text) for span in chunking.spans]


@pytest.mark.parametrize(("limit", "overlap"), [(20, 0), (40, 10), (60, 25), (100, 0), (1000, 200), (7, 3)])
def test_chunks_are_those_of_langchain_plus_the_blanks_that_it_strips(limit, overlap):
    splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=limit, chunk_overlap=overlap, add_start_index=True)
    ends: dict[int, str] = {}
    for chunk in splitter.create_documents([SAMPLE]):
        end = chunk.metadata["start_index"] + len(chunk.page_content)
        ends.setdefault(end, chunk.page_content)  # one that ends with the one before only repeats it
    assert [chunk.strip() for chunk in split(SAMPLE, limit, overlap)] == list(ends.values())


@pytest.mark.parametrize(("limit", "overlap"), [(4, 4), (4, 5), (4, -1), (0, 0), (-1, 0)])
def test_sizes_that_leave_no_room_are_refused_before_any_work(limit, overlap):
    for text in ("tick tick", ""):
        with pytest.raises(ValueError, match=r"limit|overlap"):
            split(text, limit, overlap)


def test_a_chunk_that_the_next_one_repeats_in_full_is_left_out():
    # LangChain gives "par", then "para" from the same place: its first chunk was " par" before it was stripped
    assert split("a paragraph", 4, 3)[:2] == ["a", " para"]


def test_a_chunk_that_only_repeats_the_one_before_is_left_out():
    # LangChain gives "a b c", then "b c" and "c": what came new to it were blanks, which it then stripped
    assert split("a b c    d", 5, 4) == ["a b c", "    d"]


def test_stripped_blanks_go_with_the_chunk_behind_them_and_the_last_ones_stay():
    assert split("first\n\nsecond\n\n", 7, 0) == ["first", "\n\nsecond\n\n"]


def test_as_shipped_it_is_4000_characters_with_200_shared():
    text = "word " * 2000
    chunking = chunkers["langchain_default"].make(evidence(text))
    theirs = splitters.RecursiveCharacterTextSplitter().split_text(text)
    assert [span.of(text).strip() for span in chunking.spans] == theirs
    assert chunking.overlap == 200


def test_a_chunk_that_langchain_leaves_too_large_is_flagged():
    # the 9000 blanks that LangChain would strip are kept, and go with the word behind them
    chunking = chunkers["langchain_default"].make(evidence("start" + " " * 9000 + "end"))
    assert [flag.chunk_index for flag in chunking.flags] == [len(chunking.spans) - 1]
    assert "above 4000" in chunking.flags[0].reason


def test_a_crlf_is_kept_whole():
    text = "line of words\r\n" * 20
    assert not any(chunk.startswith("\n") for chunk in split(text, 30, 10))


@pytest.mark.parametrize("name", ["langchain_default", "langchain_1100"])
def test_an_empty_text_has_no_chunks_and_a_blank_one_has_one(name):
    assert chunkers[name].make(evidence("")).spans == ()
    assert [len(span) for span in chunkers[name].make(evidence(" \n\n ")).spans] == [4]
