"""Split oversized, merge tiny, full coverage."""

import pytest
from fakes import every_engine

from chunkfit.chunking import chunkers
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Page, Span
from chunkfit.postprocessing import postprocess
from chunkfit.postprocessing.fill_gaps import fill_gaps
from chunkfit.postprocessing.merge_tiny import merge_tiny
from chunkfit.postprocessing.split_oversized import split_oversized
from chunkfit.settings import PostprocessRules
from chunkfit.spans import between

RULES = PostprocessRules()
SMALL = PostprocessRules(max_tokens=10, min_tokens=3, merged_max_tokens=12)


def evidence(text: str) -> Evidence:
    return Evidence(Document("text", text), every_engine())


def words(number: int) -> str:
    return "word " * number  # "word" and " word" are one token each, and so is the last blank


def cut(text: str, *edges: int, method: str = "by hand") -> Chunking:
    return Chunking(method, between([0, *edges, len(text)]))


def final(chunking: Chunking, text: str, rules: PostprocessRules = SMALL) -> Chunking:
    return postprocess(chunking, evidence(text), rules)[-1]


def lengths(chunking: Chunking) -> list[int]:
    return [len(span) for span in chunking.spans]


def test_the_stages_come_in_order_and_the_first_is_as_given():
    text = words(30)
    given = cut(text, 5)
    stages = postprocess(given, evidence(text), SMALL)
    assert [chunking.stage for chunking in stages] == ["raw", "no_oversizing", "no_small_chunks"]
    assert stages[0] is given
    assert {chunking.method for chunking in stages} == {"by hand"}


def test_each_stage_names_the_steps_that_changed_it():
    # 31 tokens in one chunk that ends before the last word: filled, split, and its last two tokens merged
    text = words(30)
    raw, split, complete = postprocess(Chunking("by hand", (Span(0, 140),)), evidence(text), SMALL)
    assert raw.repairs == ()
    assert split.repairs == ("fill_gaps", "split_oversized")
    assert complete.repairs == ("fill_gaps", "split_oversized", "merge_tiny")
    assert postprocess(cut(words(4)), evidence(words(4)), SMALL)[-1].repairs == ()


def test_a_chunk_above_the_limit_is_split():
    # 31 tokens in pieces of 10 characters and more, which are 2 tokens, and 3 at the start: 9, 10, 10 and 2 tokens
    text = words(30)
    split = split_oversized(cut(text), evidence(text), SMALL)
    assert lengths(split) == [44, 50, 50, 6]


def test_a_method_that_bounds_size_itself_is_not_split():
    text = words(30)
    assert split_oversized(cut(text, method="recursive_600"), evidence(text), SMALL) == cut(
        text, method="recursive_600"
    )


def test_parts_of_overlapping_chunks_keep_their_order():
    text = words(40)
    spans = (Span(0, 120), Span(100, 200))
    split = split_oversized(Chunking("by hand", spans, overlap=20), evidence(text), SMALL)
    starts = [span.start for span in split.spans]
    ends = [span.end for span in split.spans]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))


def test_a_tiny_chunk_joins_the_next():
    text = words(10)
    assert lengths(merge_tiny(cut(text, 20, 29), evidence(text), SMALL)) == [20, 30]  # 4, 2 and 5 tokens


def test_a_tiny_chunk_joins_the_previous_where_the_next_has_no_room():
    text = words(18)
    # 5, 2 and 11 tokens: 2 + 11 do not fit into 12
    assert lengths(merge_tiny(cut(text, 24, 34), evidence(text), SMALL)) == [34, 56]


def test_the_last_tiny_chunk_joins_the_previous():
    text = words(6)
    assert lengths(merge_tiny(cut(text, 24), evidence(text), SMALL)) == [30]


def test_tiny_chunks_gather_until_they_are_large_enough():
    text = words(9)
    # one word each: three of them make 3 tokens and stand
    assert lengths(merge_tiny(cut(text, 4, 9, 14, 19, 24, 29, 34, 39), evidence(text), SMALL)) == [14, 15, 16]


def test_a_lone_heading_between_two_full_chunks_stays_and_is_flagged():
    text = "word " * 12 + "\n# H\n" + "word " * 12
    full = PostprocessRules(max_tokens=14, min_tokens=6, merged_max_tokens=14)
    chunking = final(cut(text, 59, 65, method="recursive_600"), text, full)
    assert lengths(chunking) == [59, 6, 60]
    assert [flag.chunk_index for flag in chunking.flags] == [1]
    assert "below 6: neither neighbour has room" in chunking.flags[0].reason


def test_the_only_chunk_may_be_small():
    assert final(cut("word"), "word").flags == ()


def test_the_two_are_counted_as_one_text():
    # "wor" and "d" alone are two tokens, together one
    text = "word " * 11 + "word"
    tokens = evidence(text).tokens
    assert tokens.count(0, len(text)) == 12
    assert lengths(merge_tiny(cut(text, len(text) - 1), evidence(text), SMALL)) == [len(text)]


def test_merging_after_an_overlapping_method_repeats_nothing():
    text = "one two three four five six seven"
    spans = (Span(0, 13), Span(8, 23), Span(19, 33))
    merged = merge_tiny(Chunking("by hand", spans, overlap=5), evidence(text), SMALL)
    assert [span.of(text) for span in merged.spans] == ["one two three", "three four five", "five six seven"]
    wider = PostprocessRules(max_tokens=10, min_tokens=4, merged_max_tokens=10)
    assert [s.of(text) for s in merge_tiny(Chunking("by hand", spans), evidence(text), wider).spans] == [text]


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        ((Span(0, 9),), r"chunk 0 is \[0, 9\), but the text has 4"),
        ((Span(2, 4), Span(0, 2)), "chunk 1 starts at 0, before chunk 0 at 2"),
    ],
)
def test_chunks_of_another_text_are_refused(spans, reason):
    with pytest.raises(ValueError, match=reason):
        final(Chunking("by hand", spans), "word")


def test_what_a_method_left_out_is_covered_split_and_merged_like_the_rest():
    text = words(40)
    chunking = final(Chunking("by hand", (Span(20, 30), Span(180, 190))), text)
    assert chunking.spans[0].start == 0
    assert chunking.spans[-1].end == len(text)
    assert "".join(span.of(text) for span in chunking.spans) == text
    assert chunking.flags == ()


def test_a_text_that_no_chunk_touches_becomes_chunks():
    text = words(3)
    assert fill_gaps(Chunking("by hand", ()), evidence(text), SMALL).spans == (Span(0, len(text)),)


@pytest.mark.parametrize("name", chunkers.names())
def test_an_empty_text_has_no_chunks_at_any_stage(name):
    known = evidence("")
    stages = postprocess(chunkers[name].make(known), known, RULES)
    assert all(not any(chunking.spans) for chunking in stages)
    assert stages[1].spans == stages[2].spans == ()


@pytest.mark.parametrize("name", chunkers.names())
def test_a_blank_text_is_one_chunk(name):
    known = evidence(" \r\n\t ")
    assert postprocess(chunkers[name].make(known), known, RULES)[-1].spans == (Span(0, 5),)


def test_a_blank_page_is_no_chunk_in_the_end():
    text = words(8)
    pages = (Page(1, Span(0, 20)), Page(2, Span(20, 20)), Page(3, Span(20, 40)))
    known = Evidence(Document("text", text, pages), every_engine())
    stages = postprocess(chunkers["page"].make(known), known, SMALL)
    assert lengths(stages[0]) == [20, 0, 20]
    assert lengths(stages[2]) == [20, 20]


def test_a_chunk_that_no_rule_could_make_fit_is_flagged():
    text = "e" + "\u0301" * 50 + " tail"
    chunking = final(cut(text), text)
    assert chunking.flags[0].chunk_index == 0
    assert "single grapheme" in chunking.flags[0].reason


def test_a_method_that_keeps_another_limit_is_flagged_with_that_reason():
    text = words(30)
    chunking = final(cut(text, method="recursive_600"), text)
    assert chunking.flags[0].reason == "31 tokens, above 12: recursive_600 keeps its own limit and is not split again"
