import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.metrics import strict
from chunkfit.model import Block, Chunking, Document, Flag, Mentions, Pair, Selection, Span, Title
from chunkfit.reporting import DocumentReport
from chunkfit.reporting.defects import block_stretches, broken, reference_stretches, references
from chunkfit.reporting.viewer import Utf16, script_json, viewed

UNDECIDED = Selection(None, (), None, (), {}, (), {}, "nothing was tried")


def shown(text: str, spans: list[Span], mentions: Mentions | None = None, **structure: object) -> dict[str, object]:
    document = Document("d", text, **structure)  # type: ignore[arg-type]
    chunking = Chunking("fixed", tuple(spans), flags=(Flag(0, "one long word"),))
    mentions = mentions or Mentions("none", (), None, "not English")
    one = DocumentReport(document, (), UNDECIDED, {"fixed": chunking}, {"fixed": (1,) * len(spans)}, mentions)
    return viewed(one, ["fixed"])


def utf16(text: str) -> list[str]:
    """The text in the units in which JavaScript counts."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(raw), 2)]


@settings(deadline=None)  # how fast a busy machine is, is not the question
@given(st.text(st.characters(codec=None), max_size=30), st.data())
def test_offsets_in_utf16_units_cut_the_same_text_as_code_points(text: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = Utf16(text)([start, end])
    assert utf16(text)[first:last] == utf16(text[start:end])


def test_emoji_do_not_shift_chunks():
    # the family is 7 code points: 4 emoji of two units each and 3 joiners, so 11 units
    family = "👨‍👩‍👧‍👦"
    view = shown(family + "ab", [Span(0, 7), Span(7, 9)])
    assert view["methods"][0]["starts"] == [0, 11]  # type: ignore[index]
    assert view["methods"][0]["ends"] == [11, 13]  # type: ignore[index]


@settings(deadline=None)  # how fast a busy machine is, is not the question
@given(st.text(st.characters(codec=None)))
def test_script_json_reads_back_and_holds_nothing_that_a_page_could_trip_over(text: str):
    raw = script_json({"text": text})
    # the halves of a pair that stand apart in Python are one character once JSON is read
    assert utf16(json.loads(raw)["text"]) == utf16(text)
    assert not set("<>&\u2028\u2029\u202e") & set(raw)
    assert raw.encode()


@pytest.mark.parametrize("hostile", ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "\ud800"])
def test_text_cannot_end_its_script_element(hostile: str):
    assert "<" not in script_json([hostile])
    assert json.loads(script_json([hostile])) == [hostile]


def test_only_blocks_and_references_that_are_broken_are_handed_over():
    text = "Ann left. She ran.\n\nBob stayed. He sat.\n\n"
    blocks = (Block("paragraph", Span(0, 20)), Block("list_item", Span(20, 41)))
    pairs = (Pair(Span(0, 3), Span(10, 13)), Pair(Span(20, 23), Span(32, 34)))
    view = shown(text, [Span(0, 32), Span(32, 41)], Mentions("rules", (), pairs), blocks=blocks)
    # the cut at 32 falls into the second block, and between Bob and He
    assert view["blocks"] == [["list item"], [20], [41]]
    assert view["pairs"] == [[20], [23], [32], [34]]
    method = view["methods"][0]  # type: ignore[index]
    assert (method["cut"], method["broken"]) == ([0], [0])
    assert (view["all_blocks"], view["all_pairs"]) == (2, 2)
    assert method["flags"] == [[0, "one long word"]]


def test_unknown_references_differ_from_none():
    assert shown("ab", [Span(0, 2)])["all_pairs"] is None
    assert shown("ab", [Span(0, 2)])["no_pairs"] == "not English"
    assert shown("ab", [Span(0, 2)], Mentions("rules", (), ()))["all_pairs"] == 0


def test_mentions_beyond_the_text_are_left_out():
    document = Document("d", "Ann ran.")
    mentions = Mentions("file", (), (Pair(Span(0, 3), Span(90, 93)), Pair(Span(0, 3), Span(4, 7))))
    assert references(document, mentions) == (Pair(Span(0, 3), Span(4, 7)),)


def test_titles_come_with_the_stretch_that_they_govern():
    titles = (Title("A", 1, Span(0, 3), Span(0, 9)), Title("B", 2, Span(5, 8), Span(5, 9)))
    assert shown("# A\n\n# B\n", [Span(0, 9)], titles=titles)["titles"] == [["A", "B"], [1, 2], [0, 5], [9, 9]]


@settings(deadline=None)  # how fast a busy machine is, is not the question
@given(st.lists(st.integers(0, 60), max_size=6), st.lists(st.integers(0, 60), max_size=6), st.integers(0, 8))
def test_what_is_marked_is_what_the_strict_metrics_count(cuts: list[int], ends: list[int], overlap: int):
    text = "Ann met Bob.  \n\nShe saw him.\n\n   \n\nThen he left, and she did."
    cut_at = sorted({0, len(text), *cuts})
    spans = tuple(Span(max(0, start - overlap), end) for start, end in pairwise(cut_at))
    edges = sorted({0, len(text), *ends})
    blocks = tuple(Block("paragraph", Span(*edge)) for edge in pairwise(edges))
    pairs = (Pair(Span(0, 3), Span(16, 19)), Pair(Span(8, 11), Span(24, 27)), Pair(Span(8, 11), Span(40, 42)))
    document, mentions = Document("d", text, blocks=blocks), Mentions("rules", (), pairs)
    evidence = Evidence(document, default_engines(), mentions)
    chunking = Chunking("cuts", spans, overlap=overlap)

    visible = [block for block in blocks if block.span.of(text).strip()]
    cut = broken(block_stretches(document), chunking)
    integrity = strict["BI"].make(chunking, evidence).value
    if integrity is not None:
        assert 1 - len(cut) / len(visible) == pytest.approx(integrity)
    parted = broken(reference_stretches(references(document, mentions)), chunking)
    assert 1 - len(parted) / len(pairs) == pytest.approx(strict["RC"].make(chunking, evidence).value)


def test_token_counts_must_match_the_chunks():
    document = Document("d", "ab")
    with pytest.raises(ValueError, match="1 chunks by 'page' and token counts for 2"):
        DocumentReport(
            document,
            (),
            UNDECIDED,
            {"page": Chunking("page", (Span(0, 2),))},
            {"page": (1, 1)},
            Mentions("none", (), (), None),
        )
