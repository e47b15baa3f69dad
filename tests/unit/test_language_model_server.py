"""A language model behind a completions server: the real client against a local server that also misbehaves."""

from itertools import pairwise
from traceback import format_exception

import pytest
from fakes.language_model import completions_server

from chunkfit.chunking.separator_prompt import CANDIDATES, prompt
from chunkfit.engines import EngineContext
from chunkfit.engines.causal import server
from chunkfit.engines.causal.alignment import LOST, aligned
from chunkfit.errors import EngineRefused, EngineUnavailable, MethodFailed

pytestmark = pytest.mark.slow  # a server and its client

MARKS = ("段", "§")
PROMPT = prompt(*MARKS)


@pytest.fixture
def served():
    with completions_server() as running:
        yield running


def model(served, secrets=None, **settings):
    context = EngineContext(secret=(secrets or {}).get)
    return server(context, model="m", base_url=served.url, **({"logprobs": 5} | settings))


def test_a_separator_that_is_told_has_its_own_log_probability_and_another_the_bound(served):
    (window,) = model(served).read(PROMPT, "One two.\nThree four.", MARKS).windows
    # tokens: "One", " two.", "\n", "Three", " four."; both marks are likely behind the line end alone. Elsewhere the
    # five likeliest tokens are -1 ... -5: at most -5 then, though the text's own token comes as a sixth with -9.5
    assert window.positions.tolist() == [3, 8, 9, 14]
    assert window.context.tolist() == [1, 2, 3, 4]
    assert window.log_probabilities.tolist() == [[-5, -5], [-5, -5], [-0.5, -0.75], [-5, -5]]


def test_prompt_and_text_are_sent_to_be_given_back_with_alternatives(served):
    model(served).read(PROMPT, "One two.", MARKS)
    (asked,) = served.asked
    assert asked["path"] == "/v1/completions"
    assert asked["prompt"] == "".join(PROMPT) + "One two."
    assert (asked["echo"], asked["logprobs"], asked["model"]) == (True, 5, "m")


def test_a_long_text_is_sent_in_windows_and_no_token_more_than_1_2_times(served):
    text = "".join(f"Tea {number} is hot and green.\n" for number in range(300))
    reading = model(served, window=240, overlap=40).read(PROMPT, text, MARKS)
    sent = [asked["prompt"].removeprefix("".join(PROMPT)) for asked in served.asked]
    assert len(sent) == len(reading.windows) == reading.usage.calls > 5
    assert sum(map(len, sent)) <= 1.2 * len(text)
    starts = [text.index(window) for window in sent]
    ends = [start + len(window) for start, window in zip(starts, sent, strict=True)]
    assert (starts[0], ends[-1]) == (0, len(text))
    assert all(start < end for start, end in zip(starts[1:], ends, strict=False))
    for before, after in pairwise(reading.windows):
        assert before.positions[0] < after.positions[0] < before.positions[-1] < after.positions[-1]
    assert reading.usage.tokens_in > 0
    assert reading.usage.tokens_out == len(sent)
    likely = {
        position
        for window in reading.windows
        for position, row in zip(window.positions.tolist(), window.log_probabilities.tolist(), strict=True)
        if row[0] == -0.5
    }
    assert likely == {i + 1 for i, character in enumerate(text[:-1]) if character == "\n"}


def test_only_marks_that_are_one_token_are_separators_and_that_is_asked_once(served):
    engine = model(served)
    assert list(engine.single_tokens(["ab cd", "段", "two words", "§"])) == ["段", "§"]
    assert list(engine.single_tokens(["ab cd", "段", "two words", "§"])) == ["段", "§"]
    assert len(served.asked) == 1
    assert next(engine.single_tokens(CANDIDATES)) == "段"


def test_characters_of_several_tokens_and_lone_surrogates_keep_the_places_behind_them(served):
    text = "a 😀 b c\ud800 d"
    (window,) = model(served).read(PROMPT, text, MARKS).windows
    # " 😀" is lost: it came as bytes
    assert [text[at:] for at in window.positions] == [" b c\ud800 d", " c\ud800 d", " d"]


def test_a_busy_server_is_asked_again_and_not_for_ever(served):
    served.failures = [(429, {}), (500, {}), (503, {})]
    assert model(served).read(PROMPT, "One two.", MARKS).windows
    served.failures = [(503, {})] * 9
    with pytest.raises(EngineUnavailable, match=r"failed \(503\) \(3 attempts\)"):
        model(served, retries=2).read(PROMPT, "One two.", MARKS)
    assert len(served.failures) == 6


def test_nobody_at_the_address_is_told():
    with completions_server() as served:
        pass
    with pytest.raises(EngineUnavailable, match="no connection to http://127"):
        model(served, retries=0).read(PROMPT, "One two.", MARKS)


def test_a_refused_key_is_told_by_its_name_alone(served):
    served.failures = [(401, {"error": {"message": "Incorrect API key provided: sk-secret"}})]
    with pytest.raises(EngineRefused, match="does not accept the key in MY_KEY") as told:
        model(served, {"MY_KEY": "sk-secret"}, key="MY_KEY").read(PROMPT, "One two.", MARKS)
    assert served.asked[0]["key"] == "Bearer sk-secret"
    assert "sk-secret" not in str(told.value)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_a_key_that_the_server_repeats_is_in_no_message_and_no_traceback(served, status):
    key = "sk-proj-0123456789abcdef"
    served.failures = [(status, {"error": {"message": f"bad header: Bearer {key}"}})]
    with pytest.raises((EngineUnavailable, MethodFailed)) as told:
        model(served, {"MY_KEY": key}, key="MY_KEY", retries=0).read(PROMPT, "One two.", MARKS)
    assert "0123456789" not in "".join(format_exception(told.value))


def test_a_line_end_behind_a_key_is_no_part_of_it(served):
    assert model(served, {"MY_KEY": "sk-secret\r\n"}, key="MY_KEY").read(PROMPT, "One two.", MARKS).windows
    assert served.asked[0]["key"] == "Bearer sk-secret"


def test_a_key_that_no_header_can_carry_is_refused_unseen(served):
    with pytest.raises(EngineRefused, match="what MY_KEY holds is no key") as told:
        model(served, {"MY_KEY": "sk-\xe9" + 8 * "7"}, key="MY_KEY").read(PROMPT, "One two.", MARKS)
    assert 8 * "7" not in "".join(format_exception(told.value))
    assert served.asked == []


def test_a_key_that_is_not_set_is_told_before_anything_is_sent(served):
    with pytest.raises(EngineUnavailable, match="set the environment variable MY_KEY"):
        model(served, key="MY_KEY").read(PROMPT, "One two.", MARKS)
    assert served.asked == []


def test_the_key_of_another_service_is_not_sent(served, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    model(served).read(PROMPT, "One two.", MARKS)
    assert "sk-other" not in served.asked[0]["key"]


def test_an_unknown_model_is_told(served):
    served.failures = [(404, {"error": {"message": "no such model"}})]
    with pytest.raises(EngineRefused, match="has no model 'm'"):
        model(served).read(PROMPT, "One two.", MARKS)


def test_a_refused_text_fails_there_with_what_to_do_and_without_the_key(served):
    served.failures = [(400, {"error": {"message": "maximum context length is 64 tokens, key sk-secret"}})]
    with pytest.raises(MethodFailed, match=r"maximum context length is 64 tokens, .*smaller window") as told:
        model(served, {"MY_KEY": "sk-secret"}, key="MY_KEY").read(PROMPT, "One two.", MARKS)
    assert "sk-secret" not in str(told.value)


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": []},
        {"choices": [{"index": 0, "text": "x", "finish_reason": "stop"}]},
        {"choices": [{"index": 0, "text": "x", "logprobs": {"tokens": ["x"], "top_logprobs": None}}]},
        {"choices": [{"index": 0, "text": "x", "logprobs": {"tokens": ["x", "y"], "top_logprobs": [{}]}}]},
        {"choices": None},
        [],
        "text",
    ],
)
def test_a_server_that_tells_no_log_probabilities_is_told(served, answer):
    served.failures = [(200, answer)]
    with pytest.raises(EngineUnavailable, match="must support echo and logprobs"):
        model(served, retries=0).read(PROMPT, "One two.", MARKS)


def test_a_server_that_does_not_give_the_prompt_back_is_told(served):
    served.deaf = True
    with pytest.raises(EngineUnavailable, match="the tokens returned end at character 0"):
        model(served, retries=0).read(PROMPT, "One two.", MARKS)


@pytest.mark.parametrize("url", ["localhost:8000", "http://user:word@host/v1", "http://host/v1?key=x", ""])
def test_an_address_that_is_none_or_holds_a_secret_is_refused(url):
    with pytest.raises(ValueError, match="the address of a server") as told:
        server(EngineContext(), model="m", base_url=url)
    assert "word" not in str(told.value).replace("password", "")


@pytest.mark.parametrize(
    "settings", [{"logprobs": 0}, {"retries": -1}, {"timeout": 0.0}, {"window": 0}, {"overlap": -1}]
)
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(ValueError, match="must be at least"):
        server(EngineContext(), model="m", base_url="http://host/v1", **settings)


@pytest.mark.parametrize(
    ("tokens", "text", "starts"),
    [
        (["<s>", "One", " two"], "One two", [LOST, 0, 3]),
        (["One", " two", "and more"], "One two", [0, 3, LOST]),  # what was written
        (["▁One", "▁two"], "One two", [0, 3]),  # SentencePiece
        (["a", "\ufffd", "\ufffd", "b"], "a漢b", [0, LOST, LOST, 2]),
        (["", "a", ""], "a", [LOST, 0, LOST]),
        (["a", "a", "a"], "aaa", [0, 1, 2]),
        ([], "", []),
    ],
)
def test_tokens_are_found_where_they_stand(tokens, text, starts):
    assert aligned(tokens, text) == starts


def test_tokens_that_end_before_the_text_are_none_of_it():
    with pytest.raises(ValueError, match="end at character 3 of 12"):
        aligned(["One"], "One two four")
