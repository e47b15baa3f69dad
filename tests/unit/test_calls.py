"""A part with its settings as one line of text."""

import json

import pytest

from chunkfit.calls import base, call, lines
from chunkfit.chunking import chunkers, method
from chunkfit.engines import default_engines, engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document
from chunkfit.pipeline import evaluate, methods
from chunkfit.registry import Registry, UnknownPart
from chunkfit.settings import EngineSettings, Settings

boxes: Registry = Registry("box")


@boxes.register("box", version=1)
def box(evidence, *, size: int = 1, label: str = "", lid: bool = False, weight: float = 0.5) -> None:
    """A box."""


def given(line: str) -> dict:
    return dict(call(boxes, line).settings)


def test_settings_are_converted_to_the_types_of_the_signature():
    assert given("box[size=400, lid=true,weight=2]") == {"size": 400, "lid": True, "weight": 2.0}
    assert given("box") == given(" box[] ") == {}


def test_a_setting_without_a_default_has_to_be_given():
    @boxes.register("labelled", version=1)
    def labelled(evidence, *, label: str) -> None:
        """A box with a label."""

    with pytest.raises(ValueError, match=r"needs label: write labelled\[label=...\]"):
        call(boxes, "labelled")


def test_what_a_bare_value_cannot_hold_is_written_in_quotes():
    assert given(r'box[label=", ",size=3]') == {"size": 3, "label": ", "}
    assert given(r'box[label="\n\n"]') == {"label": "\n\n"}
    assert given(r'box[label="a]b\"c"]') == {"label": 'a]b"c'}
    assert given("box[label=BAAI/bge-small-en-v1.5]") == {"label": "BAAI/bge-small-en-v1.5"}


def test_the_name_is_the_line_in_one_spelling_and_reads_back():
    assert call(boxes, r'box[ label = ", " , size=3]').name == 'box[size=3,label=", "]'
    for line in ["box", "box[lid=true]", r'box[label="\n"]', "box[weight=0.25]", "box[label=a b]"]:
        assert call(boxes, line).name == line
        assert call(boxes, call(boxes, line).name) == call(boxes, line)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("box[sise=3]", "no setting 'sise'. Did you mean 'size'?"),
        ("box[size=big]", "valid integer"),
        ("box[size=1,size=2]", "twice"),
        ("box[size]", "setting=value"),
        ("box[size=1", "cannot read the box"),
        ("", "cannot read the box"),
    ],
)
def test_a_line_that_cannot_be_says_what_is_wrong(line, told):
    with pytest.raises(ValueError, match=None) as problem:
        call(boxes, line)
    assert told in str(problem.value)


def test_lists_are_cut_at_the_commas_outside_brackets():
    assert lines('page, recursive[size=4,overlap=1],fixed[separator="],"]') == [
        "page",
        "recursive[size=4,overlap=1]",
        'fixed[separator="],"]',
    ]
    assert base("recursive[size=4]") == "recursive"


def test_a_grid_of_one_method_competes_under_its_full_names():
    grid = ("recursive[size=40]", "recursive[ size=60 , overlap=5 ]", "page")
    text = "One two three four five six. " * 60
    evaluation = evaluate(Document("grid", text), Settings(methods=grid))
    names = [card.method for card in evaluation.scorecards]
    assert names == ["recursive[size=40]", "recursive[size=60,overlap=5]", "page"]
    raw = evaluation.stages["recursive[size=40]"][0]
    assert raw.method == "recursive[size=40]"
    tokens = Evidence(Document("grid", text), default_engines()).tokens
    assert all(tokens.count(span.start, span.end) <= 40 for span in raw.spans)


def test_settings_that_contradict_one_another_stop_a_run_before_any_work():
    with pytest.raises(ValueError, match="overlap must be at least 0 and below size=4"):
        methods(Settings(methods=("recursive[size=4,overlap=4]",)))
    with pytest.raises(UnknownPart, match="Did you mean 'recursive'"):
        method("recursiv[size=4]")
    assert all(part.name not in methods(Settings()) for part in chunkers if part.traits.get("on_request"))


def test_lists_read_strings_as_json_does():
    assert lines(r'fixed[separator="\\"],page') == [r'fixed[separator="\\"]', "page"]
    assert lines(r'fixed[separator="\"],"],page') == [r'fixed[separator="\"],"]', "page"]
    assert lines("page],fixed") == ["page]", "fixed"]


def test_a_setting_without_a_value_is_a_mistake_and_an_empty_text_is_quoted():
    with pytest.raises(ValueError, match=r"gives 'label' no value; .* label=\"\""):
        call(boxes, "box[label= ]")
    assert given('box[label=""]') == {"label": ""}
    assert given("box[ ]") == {}


def test_a_name_can_be_printed_and_stored_whatever_the_values_are():
    for label in ["\0", "\ud800", "a\u2028b", "\x1b[31m"]:
        name = call(boxes, f"box[label={json.dumps(label)}]").name
        assert name.isprintable()
        assert given(name) == {"label": label}


def test_what_cannot_be_is_not_repeated_at_length():
    with pytest.raises(ValueError, match="cannot be 999") as problem:
        call(boxes, f"box[size={'9' * 5000}]")
    assert len(str(problem.value)) < 300


@pytest.mark.parametrize("kind", ["embedder", "segmenter", "coreference"])
def test_an_engine_named_by_an_empty_line_is_told_before_work_starts(kind):
    with pytest.raises(ValueError, match="cannot read the"):
        engines(EngineSettings(**{kind: ""}))
