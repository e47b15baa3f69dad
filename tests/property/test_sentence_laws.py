"""Laws of segmentation on any text: nothing lost, nothing moved, no grapheme cut, the same answer every time."""

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkfit.engines.sentences import RuleSegmenter

PIECES = (
    "a", "B", "Dr", "e.g", "12", "é", "e\u0301", "漢", "あ", "한", "م", "ש", "ф", "İ", "👍🏽", "👨‍👩‍👧", "🇫🇷",
    "\u0301", "\u200d",
    ".", "!", "?", "…", "...", "。", "！", "॥", "؟", ",", ":", " ", "  ", "\t", "\u00a0", "\n", "\r", "\r\n", "\n\n",
    "\f", "\v", "\x85", "\u2028", "\u2029", '"', "'", "«", "»", "“", "”", "(", ")", "[1]", "#", "# ", "- ", "| ",
    "> ", "```",
    "<!-- x -->", "1. ", "(a) ", "<|endoftext|>", "¹", "\x00", "\ufeff",
)  # fmt: skip
texts = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
languages = st.sampled_from([None, "en", "fr", "de", "zh", "sv"])
GRAPHEME = regex.compile(r"\X")


@given(texts, languages)
@settings(max_examples=300, deadline=None)
def test_sentences_tile_the_text_and_none_is_empty(text, language):
    spans = RuleSegmenter(language).sentences(text)
    assert "".join(span.of(text) for span in spans) == text
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]
    assert all(spans)


@given(texts, languages)
@settings(max_examples=300, deadline=None)
def test_no_sentence_begins_inside_a_grapheme(text, language):
    edges = {match.start() for match in GRAPHEME.finditer(text)}
    assert all(span.start in edges for span in RuleSegmenter(language).sentences(text))


@given(texts)
@settings(max_examples=100, deadline=None)
def test_a_sentence_begins_with_something_unless_the_whole_text_is_blank(text):
    spans = RuleSegmenter("en").sentences(text)
    assert all(not span.of(text)[0].isspace() for span in spans[1:])


@given(texts, texts)
@settings(max_examples=100, deadline=None)
def test_what_was_cut_before_changes_nothing(text, other):
    segmenter = RuleSegmenter()
    first = segmenter.sentences(text)
    segmenter.sentences(other)
    assert segmenter.sentences(text) == first == RuleSegmenter().sentences(text)
