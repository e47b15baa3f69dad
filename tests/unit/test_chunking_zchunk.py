"""zchunk on a model by rule, whose expectations are known, and on a real one with random weights."""

import json
from dataclasses import replace

import numpy as np
import pytest
import regex
from fakes import every_engine
from fakes.language_model import LayoutLanguageModel, completions_server

from chunkfit.chunking import cut_raw
from chunkfit.chunking.separator_prompt import CANDIDATES, absent_separators, prompt
from chunkfit.chunking.zchunk import zchunk
from chunkfit.engines.language_models import Reading, Window
from chunkfit.engines.making import engines
from chunkfit.engines.registry import EngineContext
from chunkfit.errors import EngineUnavailable, MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from chunkfit.pipeline import chunk
from chunkfit.settings import EngineSettings

PARAGRAPH = "The pump runs day and night here. It needs oil and care. Nobody has seen it rest since the spring.\n\n"
SECTIONS = "".join(f"## Part {number}\n\n" + PARAGRAPH * 3 for number in range(8))


class Recorder(LayoutLanguageModel):
    """Remembers what it was asked to read."""

    def __init__(self, **windows):
        super().__init__(**windows)
        self.read_texts = []

    def read(self, prompt, text, separators):
        self.read_texts.append((prompt, text, separators))
        return super().read(prompt, text, separators)


def known(text, model=None):
    return Evidence(Document("d", text), replace(every_engine(), language_model=model or LayoutLanguageModel()))


def slices(text, **settings):
    return [span.of(text) for span in zchunk(known(text), **settings).spans]


def test_big_boundaries_are_the_sections_and_small_ones_the_paragraphs_too():
    # windows of 256 tokens: the text has about 500, and the later sections stand on a lower curve
    assert slices(SECTIONS, threshold=8.0) == [f"## Part {number}\n\n" + PARAGRAPH * 3 for number in range(8)]
    big = {span.start for span in zchunk(known(SECTIONS), threshold=6.0).spans}
    small = {span.start for span in zchunk(known(SECTIONS), threshold=6.0, level="small").spans}
    assert big < small
    assert {match.start() for match in regex.finditer("The pump", SECTIONS)} <= small


def test_a_size_takes_the_sections_that_come_near_it():
    # a section has about 75 tokens
    assert slices(SECTIONS, size=75) == slices(SECTIONS, threshold=8.0)
    for part in slices(SECTIONS, size=150):
        assert part.startswith("## ")
        assert 75 <= known(part).tokens.total <= 225


def test_the_default_aims_at_512_tokens():
    assert slices(SECTIONS * 4) == slices(SECTIONS * 4, size=512)
    assert len(slices(SECTIONS)) == 1  # 600 tokens are nearer to one chunk than to two


def test_an_even_text_is_one_chunk_by_threshold_and_even_chunks_by_size():
    class Even(LayoutLanguageModel):
        def read(self, prompt, text, separators):
            reading = super().read(prompt, text, separators)
            even = tuple(
                replace(one, log_probabilities=np.full((len(one.context), 2), -3.0)) for one in reading.windows
            )
            return Reading(even, reading.usage)

    text = "tea " * 400
    assert len(zchunk(known(text, Even()), threshold=0.0)) == 1
    spans = zchunk(known(text, Even()), size=50).spans
    assert {len(span.of(text).split()) for span in spans} <= {49, 50, 51}
    assert len(spans) == 8


def test_a_document_is_read_once_whatever_is_asked_of_it_and_that_is_counted():
    model = Recorder()
    evidence = known(SECTIONS, model)
    for line in ("zchunk", "zchunk[size=100]", "zchunk[threshold=3.0]", "zchunk[level=small,threshold=3.0]"):
        assert cut_raw(line, evidence).method == line
    assert len(model.read_texts) == 1
    assert evidence.usage.tokens_in > 0


def test_a_document_is_read_once_behind_a_prompt_that_shows_both_separators():
    model = Recorder()
    zchunk(known(SECTIONS, model))
    ((before, text, marks),) = model.read_texts
    assert text == SECTIONS
    assert marks == ("段", "§")
    assert "段" in before
    assert "§" in before
    assert before[-1].endswith("Copy\n")
    assert not any(mark in part for mark in marks for part in before if part not in marks)


def test_separators_do_not_occur_in_the_document():
    model = Recorder()
    zchunk(known("第一段。See § 4 and ¶ 5.\n\n今天下雨。", model))
    assert model.read_texts[0][2] == ("※", "·")


def test_a_document_with_every_separator_fails_alone():
    with pytest.raises(MethodFailed, match="every separator"):
        zchunk(known("a b " + "".join(CANDIDATES)))


def test_the_same_separator_is_not_taken_twice():
    assert absent_separators(["§", "§", "段"], "text") == ("§", "段")
    with pytest.raises(MethodFailed):
        absent_separators(["§", "§"], "text")


def test_an_empty_text_has_no_chunks_and_asks_nobody():
    model = Recorder()
    assert zchunk(known("", model)).spans == ()
    assert model.read_texts == []


@pytest.mark.parametrize("text", ["   ", "word", "\r\n", "a" * 2000, "\ud800", "e\u0301"])
def test_a_text_without_a_place_to_cut_is_one_chunk_and_asks_nobody(text):
    model = Recorder()
    assert [span.of(text) for span in zchunk(known(text, model)).spans] == [text]
    assert model.read_texts == []


@pytest.mark.parametrize(
    "settings",
    [
        {"level": "huge"},
        {"size": 0},
        {"size": -1},
        {"threshold": float("nan")},
        {"threshold": float("inf")},
        {"size": 100, "threshold": 3.0},
    ],
)
@pytest.mark.parametrize("text", ["", "Some text."])
def test_settings_are_checked_before_anything_else(text, settings):
    model = Recorder()
    with pytest.raises(ValueError, match=r"level|size|threshold"):
        zchunk(known(text, model), **settings)
    assert model.read_texts == []


def test_a_model_without_numbers_fails_there_with_what_to_do():
    class Broken(LayoutLanguageModel):
        def read(self, prompt, text, separators):
            return Reading((Window(np.array([4]), np.array([1]), np.array([[np.nan, -1.0]])),), every_usage())

    def every_usage():
        return LayoutLanguageModel().read(prompt("段", "§"), "a b", ("段", "§")).usage

    with pytest.raises(MethodFailed, match="no numbers for 'd'; load it with dtype=float32"):
        zchunk(known("One two.", Broken()))


def test_without_a_language_model_it_is_told():
    with pytest.raises(EngineUnavailable, match="no language model is configured"):
        zchunk(Evidence(Document("d", "One two."), replace(every_engine(), language_model=None)))


@pytest.mark.parametrize(
    "text",
    [
        "One two. Three four.\r\n\r\nFive six. 👍🏽 seven 👨\u200d👩\u200d👧 eight. " * 20,
        "今天下雨。我在家！你呢？" * 40,
        "ภาษาไทยไม่เว้นวรรค" * 40,
        "क्षत्रिय कार्य। " * 40,
        "x <|endoftext|> y <s> z [SEP] " * 20,
        "a \ud800 b \udc00\n\n" * 20,
        " \u0301x y" * 20,
    ],
)
def test_cuts_fall_before_words_and_never_inside_a_character(text):
    for settings in ({"threshold": 0.0, "level": "small"}, {"size": 10}):
        spans = zchunk(known(text), **settings).spans
        assert "".join(span.of(text) for span in spans) == text
        assert len(spans) > 1
        graphemes = {match.start() for match in regex.finditer(r"\X", text)}
        for span in spans[1:]:
            assert span.start in graphemes
            assert not text[span.start].isspace()


def test_chunks_are_bounded_in_the_end_whatever_the_model_expects():
    for one in chunk(Document("d", "The pump runs. " * 2000), "zchunk[threshold=50]", engines=every_engine()):
        assert one.tokens <= 1150


@pytest.mark.slow
def test_a_local_model_named_on_one_line_cuts_a_document(tmp_path):
    from fakes.tiny_model import save_model

    line = f"hf[model={json.dumps(save_model(tmp_path))},dtype=float32,window=96,overlap=16]"
    made = engines(EngineSettings(language_model=line))
    evidence = Evidence(Document("d", SECTIONS), made)
    spans = zchunk(evidence, size=60).spans
    assert "".join(span.of(SECTIONS) for span in spans) == SECTIONS
    assert len(spans) > 5
    assert zchunk(Evidence(Document("d", SECTIONS), made), size=60).spans == spans
    assert evidence.usage.tokens_in > 0


@pytest.mark.slow
def test_a_server_named_on_one_line_cuts_a_document():
    with completions_server() as served:
        line = f"server[model=m,base_url={served.url},logprobs=5,window=120,overlap=20]"
        made = engines(EngineSettings(language_model=line), EngineContext(secret={}.get))
        evidence = Evidence(Document("d", SECTIONS), made)
        chunking = zchunk(evidence, threshold=3.0)
    # the server finds a mark likely behind each line end: all lines are cut, and blank ones go with what is before them
    assert [span.start for span in chunking.spans] == [
        0,
        *(match.end() for match in regex.finditer(r"\n+(?=.)", SECTIONS)),
    ]
    assert evidence.usage.calls == len(served.asked) - 1  # one request found the marks
