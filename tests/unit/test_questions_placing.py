"""From what a file states to spans of a document."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfit.model import Document, Span
from chunkfit.questions import StatedQuestion, StatedReference, place_questions
from chunkfit.questions.placing import merged

TEXT = "Tea is hot.\n\nIce  is\tcold. Ice melts. 😀 Zoe\u0301 waits."


def question(*references, document="d.md") -> StatedQuestion:
    """References are pairs, texts, or (start, end, text)."""
    found = []
    for one in references:
        span = None if isinstance(one, str) else Span(*one[:2])
        text = one if isinstance(one, str) else one[2] if len(one) > 2 else None
        found.append(StatedReference(span, text))
    return StatedQuestion("What?", document, tuple(found), answer="So.", id="1", source="q.csv")


def spans(*references, text=TEXT) -> list[tuple[int, int]]:
    (one,) = place_questions([question(*references)], [Document("d.md", text)]).labelled
    return [(span.start, span.end) for span in one.references]


def reason(*references, text=TEXT, **settings) -> str:
    (unplaced,) = place_questions([question(*references, **settings)], [Document("d.md", text)]).unplaced
    return unplaced.reason


def test_a_text_is_placed_where_it_stands_blanks_left_out():
    assert spans("Ice is cold.") == [(13, 26)]
    assert spans("  Ice\nis cold. ") == [(13, 26)]


def test_offsets_are_code_points():
    # the emoji is one code point, and so is the accent behind its letter
    assert spans("Zoe\u0301 waits.") == [(40, 51)]
    assert TEXT[40:51] == "Zoe\u0301 waits."


def test_references_that_overlap_are_one_and_those_that_touch_stay_two():
    assert spans((0, 6), (4, 11), (11, 16), "Tea") == [(0, 11), (11, 16)]


def test_a_text_beside_its_span_confirms_it():
    assert spans((13, 26, "Ice is cold.")) == [(13, 26)]
    assert spans((27, 30, "Ice")) == [(27, 30)]


@pytest.mark.parametrize(
    "references, why",
    [
        ((), "no references"),
        (("Ice is warm.",), "reference 0: 'Ice is warm.' is not in the text"),
        (("Tea", "Ice"), "reference 1: 'Ice' stands more than once in the text, at 13 and at 27"),
        (((0, 3), (50, 60)), r"reference 1: \[50, 60\) leaves the text, which has 51 code points"),
        (((11, 13),), "holds nothing but blanks"),
        (((12, 25, "Ice is cold."),), "which stands at 13"),
        (((0, 3, "Coffee"),), "holds 'Tea' and not 'Coffee', which is nowhere in it"),
    ],
)
def test_a_question_that_cannot_be_placed_exactly_is_listed_with_the_reason(references, why):
    assert re.search(why, reason(*references))


def test_one_reference_that_does_not_fit_leaves_out_its_question_alone():
    good, bad = question("Tea"), question("Tea", "Coffee")
    placed = place_questions([good, bad, good], [Document("d.md", TEXT)])
    assert (len(placed.labelled), [one.question for one in placed.unplaced]) == (2, [bad])
    assert placed.answers == ("So.", "So.")


def test_what_the_file_says_of_a_question_goes_along():
    (one,) = place_questions([question("Tea", document="d")], [Document("d.md", TEXT)]).labelled
    assert (one.text, one.document, one.id, one.source) == ("What?", "d.md", "1", "q.csv")


def test_a_document_goes_by_its_name_or_by_what_stands_before_its_suffix():
    documents = [Document("a.md", TEXT), Document("b.md", TEXT), Document("b.pdf", TEXT), Document("c", TEXT)]
    names = ["a", "a.md", "b.pdf", "c", "b", "d.md", "nothing like it"]
    placed = place_questions([question("Tea", document=name) for name in names], documents)
    assert [one.document for one in placed.labelled] == ["a.md", "a.md", "b.pdf", "c"]
    reasons = [one.reason for one in placed.unplaced]
    assert "may be 'b.md' or 'b.pdf'" in reasons[0]
    assert "did you mean" in reasons[1]
    assert "there are 4 others" in reasons[2]


def test_a_hostile_text_is_placed_in_linear_time():
    text = "a" * 100_000 + "b"
    assert spans("a" * 50_000 + "b", text=text) == [(50_000, 100_001)]
    assert "more than once" in reason("a" * 50_000, text=text)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9))))
def test_merged_spans_are_apart_and_hold_the_same_characters(pairs):
    given_spans = [Span(start, start + length) for start, length in pairs]
    found = merged(given_spans)
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert {at for span in found for at in range(span.start, span.end)} == {
        at for span in given_spans for at in range(span.start, span.end)
    }
