"""Late vectors: the mean of the vectors that a span's tokens have beside the rest of the document."""

import numpy as np
import pytest
from fakes.token_models import WordEncoder

from chunkfit.chunking.registry import chunkers
from chunkfit.engines import Engines, default_engines
from chunkfit.engines.embedding.late import LateEmbedder, Overlapping, Whole
from chunkfit.engines.embedding.token_encoder import Tokens
from chunkfit.engines.embedding.token_sums import summed
from chunkfit.engines.embedding.windows import owned, windows
from chunkfit.errors import EngineRefused, MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Span
from chunkfit.storage import Store
from chunkfit.vectors import chunk_vectors


def unit(*numbers):
    return np.array(numbers) / np.linalg.norm(numbers)


def asked(embedder, text, *spans):
    return embedder.embed(Document("d", text))(*np.array(spans, np.int64).reshape(-1, 2).T)


def words(count):
    return " ".join(f"w{number}" for number in range(count))


def test_windows_cover_all_tokens_and_share_what_they_should():
    assert windows(10, 4, 1) == [(0, 4), (3, 7), (6, 10)]
    assert windows(11, 4, 1) == [(0, 4), (3, 7), (6, 10), (9, 11)]
    assert windows(4, 4, 1) == [(0, 4)]
    assert windows(2, 4, 0) == [(0, 2)]


@pytest.mark.parametrize("size, overlap", [(4, 4), (4, 5), (4, -1), (0, 0)])
def test_windows_that_could_not_move_on_are_refused(size, overlap):
    with pytest.raises(ValueError, match="choose an overlap below the size"):
        windows(10, size, overlap)


@pytest.mark.parametrize("tokens", [1, 4, 5, 23, 24, 100])
@pytest.mark.parametrize("size, overlap", [(4, 0), (4, 1), (4, 3), (7, 2), (10, 8), (1, 0)])
def test_each_token_is_owned_by_the_window_where_it_is_furthest_from_an_edge(tokens, size, overlap):
    found = windows(tokens, size, overlap)

    def distance(token, window):
        """To the nearest place where the window cuts the text; the ends of the text are none."""
        first, behind = window
        left = token - first if first > 0 else tokens
        right = behind - 1 - token if behind < tokens else tokens
        return min(left, right) if first <= token < behind else -1

    owner = [number for number, (first, behind) in enumerate(owned(found)) for _ in range(first, behind)]
    assert len(owner) == tokens
    for token, number in enumerate(owner):
        assert number == int(np.argmax([distance(token, window) for window in found]))


def test_means_of_long_texts_are_exact_to_six_digits():
    random = np.random.default_rng(0)
    rows = random.normal(3, 1, (5000, 8)).astype(np.float32)
    sums = summed(np.arange(5000) * 10, (rows[first : first + 700] for first in range(0, 5000, 700)), 5000)
    starts = random.integers(0, 4999, 300)
    ends = np.minimum(starts + random.choice([1, 2, 31, 32, 33, 4000], 300), 5000)
    expected = np.array([rows[a:b].astype(np.float64).mean(axis=0) for a, b in zip(starts, ends, strict=True)])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.abs(sums.means(starts * 10, ends * 10) - expected).max() < 1e-6


def test_a_span_is_the_mean_of_its_tokens_as_the_whole_document_shows_them():
    # tokens 1 and 2 of four: (1, 1, 1, 2) and (2, 1, 2, 1), mean (1.5, 1, 1.5, 1.5)
    encoder = WordEncoder()
    rows = asked(LateEmbedder(encoder, Whole()), "aa bb cc dd", (3, 8), (0, 11))
    assert rows[0] == pytest.approx(unit(1.5, 1, 1.5, 1.5))
    assert rows[1] == pytest.approx(unit(1.5, 1, 1.5, 1.5))
    assert encoder.windows == [(0, 4)]


def test_a_token_belongs_to_the_span_in_which_it_begins():
    # "bb" of "aa bb" begins in [0, 4) and not in [4, 5), which has a piece of it only: that is covered by "bb" as well
    rows = asked(LateEmbedder(WordEncoder(), Whole()), "aa bb", (0, 4), (4, 5), (3, 5), (0, 2))
    assert rows[0] == pytest.approx(unit(0.5, 1, 0.5, 0.5))
    assert rows[1] == pytest.approx(unit(1, 1, 1, 0))
    assert np.array_equal(rows[1], rows[2])
    assert rows[3] == pytest.approx(unit(0, 1, 0, 1))


def test_a_token_that_begins_with_a_blank_belongs_where_it_is_seen():
    class Spaced(WordEncoder):
        def tokens(self, text):
            found = super().tokens(text)
            return Tokens(found.ids, np.maximum(found.starts - 1, 0), found.ends)

    spans = (0, 2), (0, 3), (3, 5)
    spaced, plain = (asked(LateEmbedder(encoder, Whole()), "aa bb", *spans) for encoder in (Spaced(), WordEncoder()))
    assert np.array_equal(spaced, plain)


def test_spans_without_visible_text_have_zeros():
    rows = asked(LateEmbedder(WordEncoder(), Whole()), "aa \n bb", (2, 5), (1, 1), (0, 7))
    assert [bool(row.any()) for row in rows] == [False, False, True]


@pytest.mark.parametrize("text", ["", " \n\u3000"])
def test_a_document_without_visible_text_is_not_read(text):
    encoder = WordEncoder()
    assert not asked(LateEmbedder(encoder, Whole()), text, (0, len(text))).any()
    assert encoder.windows == []


def test_a_document_is_read_when_first_asked_and_only_then():
    encoder = WordEncoder()
    vectors = LateEmbedder(encoder, Whole()).embed(Document("d", "aa bb"))
    assert not vectors.usage
    for _ in range(3):
        vectors(np.array([0]), np.array([5]))
    assert encoder.windows == [(0, 2)]
    assert (vectors.usage.characters, vectors.usage.texts) == (5, 1)


def test_a_document_longer_than_the_model_is_never_cut_short_in_silence():
    with pytest.raises(MethodFailed, match=r"document 'd': it has 5 tokens, .* reads 4 .* use late_windowed"):
        asked(LateEmbedder(WordEncoder(room=4), Whole()), words(5), (0, 2))


def test_windowed_each_token_has_the_vector_of_its_best_window():
    # Windows of 4 that share 2, over 8 tokens: [0, 4) [2, 6) [4, 8). Tokens 2 and 4 are as far from the edge of the
    # earlier window as 3 and 5 are from that of the later one: so the windows own 0-2, 3-4 and 5-7.
    text = words(8)
    encoder = WordEncoder(room=4)
    spans = [(number * 3, number * 3 + 2) for number in range(8)]
    rows = asked(LateEmbedder(encoder, Overlapping(overlap=2)), text, *spans)
    assert encoder.windows == [(0, 4), (2, 6), (4, 8)]
    first = [0, 0, 0, 2, 2, 4, 4, 4]
    for token, (row, begin) in enumerate(zip(rows, first, strict=True)):
        assert row == pytest.approx(unit(token, 1, token - begin, 3 - (token - begin)))


def test_a_document_that_fits_into_one_window_has_the_vectors_of_late():
    spans = [(0, 5), (3, 14), (9, 11)]
    whole = asked(LateEmbedder(WordEncoder(), Whole()), words(9), *spans)
    assert np.array_equal(asked(LateEmbedder(WordEncoder(room=9), Overlapping()), words(9), *spans), whole)


def test_twenty_thousand_tokens_have_one_vector_per_chunk():
    # fields G13 and P6: a model of 8,192 tokens, by default windows as long, of which a quarter is shared
    text = words(20_000)
    encoder = WordEncoder(room=8192)
    defaults = default_engines()
    engines = Engines(LateEmbedder(encoder, Overlapping()), defaults.segmenter, defaults.coreference)
    evidence = Evidence(Document("long", text), engines)
    chunking = chunkers["recursive_600"].make(evidence)
    rows = chunk_vectors(chunking, evidence)
    assert len(rows) == len(chunking) > 30
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1)
    assert encoder.windows == [(0, 8192), (6144, 14336), (12288, 20000)]
    assert evidence.usage.characters == pytest.approx(len(text) * (20_000 + 2 * 2048) / 20_000, rel=0.01)


def test_later_runs_read_token_vectors_from_the_store(tmp_path):
    first, second, other = WordEncoder(), WordEncoder(), WordEncoder(id="other")
    spans = [(0, 2), (3, 5), (0, 5)]
    rows = asked(LateEmbedder(first, Whole(), Store(tmp_path)), "aa bb", *spans)
    embedder = LateEmbedder(second, Whole(), Store(tmp_path))
    vectors = embedder.embed(Document("again", "aa bb"))
    assert np.array_equal(vectors(*np.array(spans).T), rows)
    assert second.windows == []
    assert not vectors.usage
    asked(LateEmbedder(other, Whole(), Store(tmp_path)), "aa bb", *spans)
    asked(LateEmbedder(second, Overlapping(2, 1), Store(tmp_path)), "aa bb", *spans)
    assert other.windows == second.windows == [(0, 2)]


def test_damaged_token_vectors_are_made_again(tmp_path, caplog):
    rows = asked(LateEmbedder(WordEncoder(), Whole(), Store(tmp_path)), "aa bb", (0, 2))
    (path,) = (path for path in tmp_path.rglob("token_vectors/*/*") if path.is_file())
    path.write_bytes(path.read_bytes()[:-4])
    for _ in range(2):
        assert np.array_equal(asked(LateEmbedder(WordEncoder(), Whole(), Store(tmp_path)), "aa bb", (0, 2)), rows)
    assert caplog.text.count("damaged") == 1


def test_useless_token_vectors_fail_for_their_document_by_name_and_are_not_kept(tmp_path):
    class Broken(WordEncoder):
        def encode(self, windows):
            return [
                rows * np.nan if 2 in window else rows
                for window, rows in zip(windows, super().encode(windows), strict=True)
            ]

    class Short(WordEncoder):
        def encode(self, windows):
            return [rows[:-1] for rows in super().encode(windows)]

    with pytest.raises(MethodFailed, match=r"document 'd': .* NaN or infinity"):
        asked(LateEmbedder(Broken(), Whole(), Store(tmp_path)), words(4), (0, 2))
    with pytest.raises(MethodFailed, match=r"document 'd': .* gave 3 vectors for 4 tokens"):
        asked(LateEmbedder(Short(), Whole(), Store(tmp_path)), words(4), (0, 2))
    assert not list(tmp_path.rglob("token_vectors/*/*"))


@pytest.mark.parametrize(
    "window, overlap, message",
    [
        (0, None, "window must be at least 1 token, got 0"),
        (None, -1, "overlap must be at least 0 tokens, got -1"),
        (4, 4, "overlap must be below window=4, got 4; try 1"),
    ],
)
def test_windows_are_checked_before_anything_else(window, overlap, message):
    with pytest.raises(ValueError, match=message):
        Overlapping(window, overlap)


def test_a_window_above_the_models_is_refused():
    with pytest.raises(EngineRefused, match="window=9 is more than the model reads at once: 8 tokens"):
        asked(LateEmbedder(WordEncoder(room=8), Overlapping(9)), words(3), (0, 2))


def test_embedders_that_give_other_vectors_have_other_ids():
    plans = [Whole(), Overlapping(), Overlapping(8), Overlapping(8, 2), Overlapping(overlap=2)]
    assert len({LateEmbedder(WordEncoder(), plan).id for plan in plans}) == len(plans)


@pytest.mark.parametrize("start, end", [(-1, 1), (0, 6), (2, 1)])
def test_a_span_outside_the_text_is_refused(start, end):
    with pytest.raises(ValueError, match="0 <= start <= end <= 5"):
        asked(LateEmbedder(WordEncoder(), Whole()), "aa bb", (start, end))


class Fixed:
    """Gives the same array for whatever it is asked."""

    id = "fixed"

    def __init__(self, rows):
        self.rows = np.array(rows)

    def embed(self, document):
        return lambda starts, ends: self.rows


@pytest.mark.parametrize(
    "rows, message",
    [
        ([[1.0]], r"document 'd': the embedder fixed gave an array of shape \(1, 1\) for 2 chunks"),
        ([1.0, 1.0], r"array of shape \(2,\) for 2 chunks"),
        ([[1.0], [np.nan]], "NaN or infinity for a chunk"),
    ],
)
def test_chunks_have_one_finite_vector_each_or_the_reason_is_told(rows, message):
    defaults = default_engines()
    evidence = Evidence(Document("d", "aa bb"), Engines(Fixed(rows), defaults.segmenter, defaults.coreference))
    with pytest.raises(MethodFailed, match=message):
        chunk_vectors(Chunking("m", (Span(0, 3), Span(3, 5))), evidence)


def test_a_chunking_without_chunks_has_no_vectors():
    evidence = Evidence(Document("d", ""), default_engines())
    assert len(chunk_vectors(Chunking("m", ()), evidence)) == 0
