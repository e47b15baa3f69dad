"""What holds for every chunking method and every step of post-processing, on any text."""

from functools import cache, partial
from itertools import pairwise

import pytest
import regex
from fakes import every_engine
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chunkfit.chunking import chunkers
from chunkfit.chunking.cluster_semantic import cluster_semantic
from chunkfit.chunking.fixed import fixed
from chunkfit.chunking.fixed_tokens import fixed_tokens
from chunkfit.chunking.langchain import langchain
from chunkfit.chunking.recursive import recursive
from chunkfit.chunking.semantic import semantic
from chunkfit.chunking.semantic_threshold import semantic_threshold
from chunkfit.chunking.sentence import sentence
from chunkfit.chunking.separators import PAPER, before
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Page, Span
from chunkfit.postprocessing import chunks, postprocess, steps
from chunkfit.settings import PostprocessRules
from chunkfit.spans import between, gaps, shared

ENGINES = every_engine()
PIECES = [
    *("word", "Tea is hot. ", "and, then, ", "x", "1,234.5", "'s", "…", "¿"),
    *(" ", "   ", "\t", "\n", "\n\n", "\r\n", "\r", "\f", "\u2028", "\x00", "\x1c", "\xa0", "\u3000", "\ufeff"),
    *(
        "# Head\n",
        "\n## Head\n",
        "\n- item",
        "\n 1. item",
        "\n(iv) x",
        "***",
        "---\n",
        "| a | b |\n",
        "```\n# no\n```\n",
    ),
    *("e\u0301", "\u0301", "👍🏽", "👨\u200d👩\u200d👧", "🇫🇷", "🇫", "\u200d", "क्षि", "각", "\u0600", "\ufe0f", "𓀀"),
    *("שלום ", "عربى", "漢字", "今天下雨。", "나는 간다. ", "\u202e", "İ", "ﬁ", "\ud800", "\udc00"),
    *("<|endoftext|>", "<|im_start|>", "<s>", "[SEP]"),
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.tuples(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join), st.integers(1, 120)).map(
        lambda drawn: drawn[0] * drawn[1]
    ),
    st.text(max_size=120),
)
LIMITS = {
    "fixed": 512,
    "fixed_tokens": 512,
    "recursive": 1100,
    "recursive_1100": 1100,
    "recursive_600": 600,
    "langchain_1100": 1100,
    "cluster_semantic": 400,
}


def in_code_points(evidence: Evidence, limit: int, overlap: int) -> Chunking:
    separators = (before("\n\n"), before("\n"), before(" "))
    return langchain(
        evidence,
        "langchain",
        limit=limit,
        overlap=overlap,
        separators=separators,
        sizes=lambda starts, ends: ends - starts,
        unit="code points",
    )


def in_tokens(evidence: Evidence, limit: int) -> Chunking:
    return langchain(
        evidence, "langchain", limit=limit, overlap=0, separators=PAPER, sizes=evidence.tokens.counts, unit="tokens"
    )


# Every registered method as it is, and again with limits that a short text reaches.
METHODS = {part.name: part.make for part in chunkers} | {
    "fixed of 5": partial(fixed, size=5),
    "fixed of 7 with 3 shared": partial(fixed, size=7, overlap=3),
    "recursive of 6": partial(recursive, size=6),
    "recursive of 12 with 5 shared": partial(recursive, size=12, overlap=5),
    "recursive of 9 without joining": partial(recursive, size=9, shortest=1),
    "langchain of 9": partial(in_tokens, limit=9),
    "langchain of 30 characters with 10 shared": partial(in_code_points, limit=30, overlap=10),
    "sentence by sentence": partial(sentence, sentences_per_chunk=1),
    "fixed of 8 behind blanks": partial(fixed, size=8, separator=" "),
    "fixed of 8 with 4 shared behind line ends": partial(fixed, size=8, overlap=4, separator="\n"),
    "fixed of 6 with 5 shared behind x": partial(fixed, size=6, overlap=5, separator="x"),
    "fixed_tokens of 3": partial(fixed_tokens, size=3),
    "fixed_tokens of 5 with 4 shared": partial(fixed_tokens, size=5, overlap=4),
    "semantic by distance": partial(semantic, breakpoint="percentile", amount=50),
    "semantic by deviation": partial(semantic, breakpoint="standard_deviation", amount=0.5, buffer=0),
    "semantic by quartiles": partial(semantic, breakpoint="interquartile", amount=0, windows="langchain", buffer=3),
    "semantic in batches of 1": partial(semantic, amount=60, batch=1),
    "semantic of 4 chunks": partial(semantic, chunks=4),
    "semantic of 3 at least": partial(semantic, amount=30, min_size=3),
    "semantic of 9 at most": partial(semantic, size=9),
    "semantic of 4 to 10": partial(semantic, breakpoint="percentile", amount=20, min_size=4, size=10),
    "semantic_threshold of 1": partial(semantic_threshold, threshold=1),
    "semantic_threshold of 2 to 5": partial(semantic_threshold, threshold=0.8, min_size=2, size=5),
    "cluster_semantic of 1": partial(cluster_semantic, size=1),
    "cluster_semantic of 12": partial(cluster_semantic, size=12, piece=3),
    "cluster_semantic of 7 in batches of 2": partial(cluster_semantic, size=7, piece=7, batch=2),
}
TOKEN_LIMITS = LIMITS | {
    "fixed of 5": 5,
    "fixed of 7 with 3 shared": 7,
    "recursive of 6": 6,
    "recursive of 12 with 5 shared": 12,
    "recursive of 9 without joining": 9,
    "langchain of 9": 9,
    "fixed of 8 behind blanks": 8,
    "fixed of 8 with 4 shared behind line ends": 8,
    "fixed of 6 with 5 shared behind x": 6,
    "fixed_tokens of 3": 3,
    "fixed_tokens of 5 with 4 shared": 5,
    "semantic of 9 at most": 9,
    "semantic of 4 to 10": 10,
    "semantic_threshold of 2 to 5": 5,
    "cluster_semantic of 1": 1,
    "cluster_semantic of 12": 12,
    "cluster_semantic of 7 in batches of 2": 7,
}
LEAST = {"semantic of 3 at least": 3, "semantic of 4 to 10": 4, "semantic_threshold of 2 to 5": 2}
BOUNDED = {
    *TOKEN_LIMITS,
    "langchain of 30 characters with 10 shared",
    *(part.name for part in chunkers if part.traits["bounds_size"]),
}
TIGHT = PostprocessRules(max_tokens=20, min_tokens=6, merged_max_tokens=24)

every_method = pytest.mark.parametrize("method", METHODS)
on_any_text = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def known(text: str) -> Evidence:
    return Evidence(Document("text", text), ENGINES)


def cuts(chunking: Chunking, text: str) -> list[int]:
    return [edge for span in chunking.spans for edge in (span.start, span.end) if 0 < edge < len(text)]


def torn(text: str, edges: list[int]) -> set[int]:
    """Those of the edges that lie inside a grapheme."""
    return set(edges) - {0, *(match.end() for match in regex.finditer(r"\X", text))}


@every_method
@on_any_text
@given(text=TEXTS)
@example(text="")
@example(text=" \r\n ")
def test_a_method_covers_the_text_in_order(method, text):
    chunking = METHODS[method](known(text))
    assert gaps(chunking.spans, len(text)) == ()
    assert all(span for span in chunking.spans)
    for first, second in pairwise(chunking.spans):
        assert first.start < second.start
        assert first.end < second.end
    assert all(span.end <= len(text) for span in chunking.spans)
    assert bool(chunking.spans) == bool(text)
    if not chunking.overlap:
        assert "".join(span.of(text) for span in chunking.spans) == text
    assert shared(chunking.spans) <= chunking.overlap


@pytest.mark.parametrize("method", sorted(TOKEN_LIMITS))
@on_any_text
@given(text=TEXTS)
def test_a_chunk_is_within_the_limit_or_flagged(method, text):
    evidence = known(text)
    chunking = METHODS[method](evidence)
    flagged = {flag.chunk_index for flag in chunking.flags if "above" in flag.reason}
    for index, span in enumerate(chunking.spans):
        # counted on the text of the chunk alone
        assert (known(span.of(text)).tokens.total > TOKEN_LIMITS[method]) == (index in flagged)
        if index in flagged and "langchain" not in method:
            assert len(regex.findall(r"\X", span.of(text))) == 1


@pytest.mark.parametrize("method", sorted(LEAST))
@on_any_text
@given(text=TEXTS)
def test_a_chunk_below_the_least_has_no_room_beside_it_and_is_flagged(method, text):
    evidence = known(text)
    chunking = METHODS[method](evidence)
    flagged = {flag.chunk_index for flag in chunking.flags if "below" in flag.reason}
    limit = TOKEN_LIMITS.get(method, len(text) * 4)
    for index, span in enumerate(chunking.spans):
        small = len(chunking) > 1 and known(span.of(text)).tokens.total < LEAST[method]
        assert small == (index in flagged)
        for neighbour in chunking.spans[max(index - 1, 0) : index + 2] if small else ():
            both = text[min(span.start, neighbour.start) : max(span.end, neighbour.end)]
            assert neighbour == span or known(both).tokens.total > limit


@pytest.mark.parametrize("method", sorted(BOUNDED))
@on_any_text
@given(text=TEXTS)
def test_methods_that_bound_size_tear_no_grapheme(method, text):
    evidence = known(text)
    chunking = METHODS[method](evidence)
    assert torn(text, cuts(chunking, text)) == set()
    final = postprocess(chunking, evidence, TIGHT)[-1]
    assert torn(text, cuts(final, text)) == set()


@every_method
@settings(on_any_text, max_examples=8)
@given(text=TEXTS, other=TEXTS)
def test_the_same_text_gives_the_same_chunks_whatever_came_before(method, text, other):
    first = METHODS[method](known(text))
    METHODS[method](known(other))
    assert METHODS[method](known(text)) == first


@every_method
@on_any_text
@given(text=TEXTS)
def test_post_processing_keeps_the_whole_text_and_repeats_none(method, text):
    evidence = known(text)
    stages = postprocess(METHODS[method](evidence), evidence, TIGHT)
    for stage in stages[1:]:
        assert_whole(stage, text)
        assert shared(stage.spans) <= stages[0].overlap
    assert_sizes_or_flags(stages[-1], text)


@on_any_text
@given(text=TEXTS, data=st.data())
def test_post_processing_makes_good_whatever_a_method_gave(text, data):
    offsets = st.integers(0, len(text))
    drawn = data.draw(st.lists(st.tuples(offsets, offsets), max_size=8))
    spans = tuple(sorted(Span(*sorted(pair)) for pair in drawn))  # gaps, overlaps, empty and repeated ones
    evidence = known(text)
    stages = postprocess(Chunking("unknown", spans, overlap=shared(spans)), evidence, TIGHT)
    for stage in stages[1:]:
        assert gaps(stage.spans, len(text)) == ()
        assert all(first.start <= second.start for first, second in pairwise(stage.spans))
    assert_sizes_or_flags(stages[-1], text)


@pytest.mark.parametrize("step", [part.make for part in steps], ids=steps.names())
@on_any_text
@given(text=TEXTS, data=st.data())
def test_a_step_loses_nothing_and_repeats_nothing(step, text, data):
    inner = data.draw(st.lists(st.integers(0, len(text)), max_size=12))
    tiles = between(sorted({0, len(text), *inner}))
    changed = step(Chunking("unknown", tiles), known(text), TIGHT)
    assert "".join(span.of(text) for span in changed.spans) == text
    left_out = data.draw(st.integers(0, len(tiles)))
    some = Chunking("unknown", tiles[:left_out] + tiles[left_out + 1 :])
    missing = gaps(step(some, known(text), TIGHT).spans, len(text))
    assert all(any(gap.contains(found) for gap in gaps(some.spans, len(text))) for found in missing)


@on_any_text
@given(text=TEXTS, data=st.data())
def test_what_is_handed_over_is_a_slice_with_its_pages(text, data):
    inner = data.draw(st.lists(st.integers(0, len(text)), max_size=5))
    edges = [0, *sorted(inner), len(text)]  # equal edges are blank pages
    pages = tuple(Page(number, span) for number, span in enumerate(between(edges), start=1))
    evidence = Evidence(Document("text", text, pages), ENGINES)
    chunking = postprocess(chunkers["page"].make(evidence), evidence, TIGHT)[-1]
    for index, chunk in enumerate(chunks(chunking, evidence)):
        assert chunk.index == index
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.pages == tuple(page.number for page in pages if page.span.overlaps(Span(chunk.start, chunk.end)))
        assert chunk.tokens == known(chunk.text).tokens.total


@pytest.mark.parametrize("name", chunkers.names())
def test_a_method_says_what_it_is(name):
    part = chunkers[name]
    assert part.summary
    assert isinstance(part.traits["bounds_size"], bool)
    assert part.traits["cost"] in range(5)
    assert part.make(known("One is here. Two is there.")).method == name


@pytest.mark.slow
@pytest.mark.timeout(30)  # each takes a second at most; what is worse than linear would take minutes
@pytest.mark.parametrize("name", chunkers.names())
@pytest.mark.parametrize("unit", ["a", " ", "\n", "\r\n", "-", "e\u0301", "🇫", "漢", "S. "], ids=ascii)
def test_a_hundred_thousand_characters_come_to_an_end(name, unit):
    evidence = read(unit)
    text = evidence.document.text
    final = postprocess(chunkers[name].make(evidence), evidence, PostprocessRules())[-1]
    assert_whole(final, text)


@cache
def read(unit: str) -> Evidence:
    """A hundred thousand characters, read by the engines already: those are timed by their own tests."""
    evidence = known((unit * 100_000)[:100_000])
    evidence.tokens, evidence.sentences, evidence.vectors  # noqa: B018
    return evidence


def assert_whole(chunking: Chunking, text: str) -> None:
    assert gaps(chunking.spans, len(text)) == ()
    assert all(first.start < second.start and first.end < second.end for first, second in pairwise(chunking.spans))
    assert bool(chunking.spans) == bool(text)
    if not chunking.overlap:
        assert "".join(span.of(text) for span in chunking.spans) == text


def assert_sizes_or_flags(chunking: Chunking, text: str) -> None:
    flagged = {flag.chunk_index for flag in chunking.flags}
    for index, span in enumerate(chunking.spans):
        size = known(span.of(text)).tokens.total
        assert TIGHT.min_tokens <= size <= TIGHT.merged_max_tokens or index in flagged or len(chunking) == 1
        assert size <= TIGHT.merged_max_tokens or index in flagged
