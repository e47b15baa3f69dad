"""A local language model: the real code on tiny models with random weights."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np
import pytest
import torch
from fakes.tiny_model import SENTENCES, save_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from chunkfit.chunking.separator_prompt import CANDIDATES, absent_separators, prompt
from chunkfit.engines import EngineContext
from chunkfit.engines.causal import hf
from chunkfit.engines.causal.vocabulary import Vocabulary
from chunkfit.errors import EngineUnavailable

pytestmark = pytest.mark.slow  # torch and transformers load for seconds

MARKS = ("段", "§")
PROMPT = prompt(*MARKS)
TEXT = " ".join(SENTENCES[:2] * 6)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {kind: save_model(tmp_path_factory.mktemp(kind), kind) for kind in ("llama", "gpt2", "mistral")}


def model(folder, **settings):
    return hf(EngineContext(), model=folder, device="cpu", dtype="float32", **settings)


def ids_of(folder, parts):
    vocabulary = Vocabulary(AutoTokenizer.from_pretrained(folder))
    return [*vocabulary.opening, *(one for part in parts for one in vocabulary.tokens(part).ids)]


def in_one_pass(folder, before, text):
    """The log-probabilities of both marks at each token of the text but its first, from one pass without a cache."""
    network = AutoModelForCausalLM.from_pretrained(folder).eval()
    vocabulary = Vocabulary(AutoTokenizer.from_pretrained(folder))
    ids = vocabulary.tokens(text).ids
    with torch.no_grad():
        logits = network(input_ids=torch.tensor([before + ids]), use_cache=False).logits[0]
    columns = [vocabulary.token(mark) for mark in MARKS]
    return logits.log_softmax(-1)[len(before) : len(before) + len(ids) - 1, columns].numpy()


@pytest.mark.parametrize("kind", ["llama", "gpt2", "mistral"])
def test_a_window_gives_what_one_pass_without_a_cache_gives(folders, kind):
    reading = model(folders[kind]).read(PROMPT, TEXT, MARKS)
    (window,) = reading.windows
    expected = in_one_pass(folders[kind], ids_of(folders[kind], PROMPT), TEXT)
    assert window.log_probabilities.shape == expected.shape
    assert np.ptp(expected, axis=0).min() > 0.1  # what stands before a place matters to it
    np.testing.assert_allclose(window.log_probabilities, expected, atol=1e-4)


@pytest.mark.parametrize("kind", ["llama", "gpt2", "mistral"])
def test_later_windows_give_what_one_pass_over_prompt_and_window_gives(folders, kind):
    reading = model(folders[kind], window=60, overlap=10).read(PROMPT, TEXT, MARKS)
    ids = ids_of(folders[kind], [TEXT])[1:]
    starts = Vocabulary(AutoTokenizer.from_pretrained(folders[kind])).tokens(TEXT).starts
    assert len(reading.windows) > 2
    for number, window in enumerate(reading.windows):
        first = number * 50
        stretch = TEXT[starts[first] : starts[min(first + 61, len(ids) - 1)]]
        expected = in_one_pass(folders[kind], ids_of(folders[kind], PROMPT), stretch)
        known = min(len(expected), len(window.positions))
        np.testing.assert_allclose(window.log_probabilities[:known], expected[:known], atol=1e-4)
        assert known > 30 or number == len(reading.windows) - 1


def fed(engine):
    """Counts the tokens that go into the network, whatever the engine says."""
    counted = []
    engine._network.model.register_forward_pre_hook(
        lambda _, args, named: counted.append(named["input_ids"].numel()), with_kwargs=True
    )
    return counted


def test_the_prompt_is_read_once_and_a_token_of_a_long_text_at_most_1_2_times(folders):
    engine = model(folders["llama"], window=96, overlap=16)  # the most overlap that is allowed
    counted = fed(engine)
    text = TEXT * 20
    tokens, behind = len(ids_of(folders["llama"], [text])) - 1, len(ids_of(folders["llama"], PROMPT))
    first = engine.read(PROMPT, text, MARKS)
    assert first.usage.tokens_in == sum(counted)
    assert len(first.windows) > 40
    assert tokens <= sum(counted) - behind + 1 <= 1.2 * tokens
    second = engine.read(PROMPT, text, MARKS)  # the next document: the prompt is known
    assert second.usage.tokens_in == first.usage.tokens_in - behind
    for a, b in zip(first.windows, second.windows, strict=True):
        np.testing.assert_array_equal(a.log_probabilities, b.log_probabilities)


def test_windows_shrink_to_the_context_of_the_model(tmp_path):
    behind = len(ids_of(save_model(tmp_path), PROMPT))
    folder = save_model(tmp_path, "gpt2", context=behind + 40)  # a token further is an error in GPT-2
    reading = model(folder).read(PROMPT, TEXT, MARKS)
    assert max(window.context[-1] for window in reading.windows) == 40
    tokens = len(ids_of(folder, [TEXT])) - 1
    assert reading.usage.tokens_in - behind <= 1.2 * tokens


def test_a_prompt_that_leaves_no_room_is_told(tmp_path):
    folder = save_model(tmp_path, context=100)
    with pytest.raises(EngineUnavailable, match=r"100 tokens at once, and the prompt alone takes .* longer context"):
        model(folder).read(PROMPT, TEXT, MARKS)


def test_places_are_code_points_at_whole_characters(folders):
    text = "Ærø 😀👍🏽\r\nこ \ud800 cafe\u0301 x"  # most of these are several tokens of one byte
    (window,) = model(folders["llama"]).read(PROMPT, text, MARKS).windows
    vocabulary = Vocabulary(AutoTokenizer.from_pretrained(folders["llama"]))
    assert len(window.positions) < len(vocabulary.tokens(text).ids) - 1
    assert (np.diff(window.positions) > 0).all()
    assert window.positions[0] > 0
    assert window.positions[-1] < len(text)
    assert {text.index(character) for character in "😀👍\r\n"} <= {*window.positions.tolist(), text.index("😀") - 1}


def test_special_tokens_that_a_text_spells_are_plain_text(folders):
    vocabulary = Vocabulary(AutoTokenizer.from_pretrained(folders["llama"]))
    text = "x <|endoftext|> y <s> z"
    assert not {0, 1} & set(vocabulary.tokens(text).ids)
    (window,) = model(folders["llama"]).read(PROMPT, text, MARKS).windows
    assert (window.positions > text.index("<s>")).any()


def test_separators_are_single_tokens_and_absent_whatever_the_text_holds(folders):
    engine = model(folders["llama"])
    assert absent_separators(engine.single_tokens(CANDIDATES), "a text") == ("段", "§")
    assert absent_separators(engine.single_tokens(CANDIDATES), "段 of §") == ("¶", "※")
    # ◆ is three tokens of one byte here
    assert "◆" not in set(engine.single_tokens(CANDIDATES))
    rare = absent_separators(engine.single_tokens(CANDIDATES), "".join(CANDIDATES) + "!?.,;:-'\"()[]")
    vocabulary = Vocabulary(AutoTokenizer.from_pretrained(folders["llama"]))
    for mark in rare:
        assert mark not in CANDIDATES
        assert len(vocabulary.tokens(mark).ids) == 1
        assert not mark.isalnum()
    assert list(islice(engine.single_tokens(CANDIDATES), 200)) == list(islice(engine.single_tokens(CANDIDATES), 200))


@pytest.mark.parametrize("text", ["", "x", "\ud800"])
def test_a_text_of_one_token_has_no_places(folders, text):
    reading = model(folders["llama"]).read(PROMPT, text, MARKS)
    assert sum(len(window.positions) for window in reading.windows) == 0


def test_missing_weights_are_told_with_what_to_do(tmp_path):
    with pytest.raises(EngineUnavailable, match=r"cannot be loaded .* hf\[model=/path/to/model\]"):
        model(str(tmp_path / "nowhere")).read(PROMPT, TEXT, MARKS)


def test_pickled_weights_are_not_read(tmp_path):
    folder = save_model(tmp_path)
    network = AutoModelForCausalLM.from_pretrained(folder)
    torch.save(network.state_dict(), tmp_path / "pytorch_model.bin")
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(EngineUnavailable, match="safetensors"):
        model(folder).read(PROMPT, TEXT, MARKS)


def test_a_network_that_does_not_go_on_from_its_cache_is_refused(tmp_path):
    with pytest.raises(EngineUnavailable, match=r"does not go on from its cache: .* choose another model or device"):
        model(save_model(tmp_path, "mamba")).read(PROMPT, TEXT, MARKS)


def test_a_device_that_is_not_there_is_told(folders):
    with pytest.raises(EngineUnavailable, match="cannot be used on 'meta7:0'"):
        hf(EngineContext(), model=folders["llama"], device="meta7:0").read(PROMPT, TEXT, MARKS)


def test_threads_that_share_a_model_get_what_each_would_get_alone(folders):
    texts = [f"{number} " + TEXT for number in range(6)]
    alone = [model(folders["llama"], window=60, overlap=10).read(PROMPT, text, MARKS) for text in texts]
    shared = model(folders["llama"], window=60, overlap=10)
    with ThreadPoolExecutor(3) as threads:
        together = list(threads.map(lambda text: shared.read(PROMPT, text, MARKS), texts))
    for one, other in zip(alone, together, strict=True):
        for a, b in zip(one.windows, other.windows, strict=True):
            np.testing.assert_array_equal(a.log_probabilities, b.log_probabilities)


def test_a_separator_of_two_tokens_is_refused(folders):
    with pytest.raises(ValueError, match="not one token"):
        model(folders["llama"]).read(("x",), TEXT, ("two words",))
