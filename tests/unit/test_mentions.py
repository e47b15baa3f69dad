"""From chains to pairs, and mentions read from Parquet, whoever wrote them."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunkfit.errors import BadDocument
from chunkfit.mentions import files, is_pronoun, pairs_of, read_mentions, require_within, write_mentions
from chunkfit.model import Document, Mentions, Pair, Span

LISTS = pa.list_(pa.list_(pa.list_(pa.int64())))


def span(text: str, word: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = text.index(word, start + 1)
    return Span(start, start + len(word))


@pytest.mark.parametrize("word", ["it", "It", "THEIR", "their ", "herself", "I", "us"])
def test_pronouns_are_known_in_any_spelling(word):
    assert is_pronoun(word)


@pytest.mark.parametrize("word", ["US", "IT", "AI", "", "their rights", "İT", "Item"])
def test_acronyms_and_longer_mentions_are_no_pronouns(word):
    assert not is_pronoun(word)


def test_a_pronoun_is_paired_with_the_nearest_entity_before_it():
    text = "Ann met Mrs Lee. Mrs Lee smiled. She left and took her coat."
    chain = [span(text, "Mrs Lee"), span(text, "Mrs Lee", 1), span(text, "She"), span(text, "her")]
    lee = span(text, "Mrs Lee", 1)
    assert pairs_of(text, [chain]) == (Pair(lee, span(text, "She")), Pair(lee, span(text, "her")))


def test_a_pronoun_before_all_entities_is_paired_with_the_first_of_them():
    text = "When it opened, the shop was empty. The shop closed."
    chain = [span(text, "it"), span(text, "the shop"), span(text, "The shop")]
    assert pairs_of(text, [chain]) == (Pair(span(text, "the shop"), span(text, "it")),)


def test_a_mention_around_the_pronoun_is_no_antecedent_of_it():
    text = "The firm and its owner, the firm said."
    chain = [span(text, "The firm"), span(text, "its owner"), span(text, "its")]
    assert pairs_of(text, [chain]) == (Pair(span(text, "The firm"), span(text, "its")),)


def test_chains_of_pronouns_alone_and_of_entities_alone_give_no_pairs():
    text = "He saw it himself. Rome, Rome."
    assert (
        pairs_of(text, [[span(text, "He"), span(text, "himself")], [span(text, "Rome"), span(text, "Rome", 1)]]) == ()
    )


def test_a_pronoun_in_two_chains_counts_once_with_the_nearer_entity():
    text = "Ann met Bob and he left."
    he = span(text, "he", 0)
    chains = [[span(text, "Ann"), he], [span(text, "Bob"), he]]
    assert pairs_of(text, chains) == (Pair(span(text, "Bob"), he),)


def test_letters_that_grow_when_lowered_do_not_move_the_pairs():
    text = "İİİ İstanbul is old. It grew."
    chain = [span(text, "İstanbul"), span(text, "It")]
    assert [pair.pronoun.of(text) for pair in pairs_of(text, [chain])] == ["It"]


def test_a_chain_of_ten_thousand_mentions_takes_no_quadratic_time():
    text = "Ann it " * 10_000
    chain = [
        Span(offset + place, offset + place + length)
        for offset in range(0, len(text), 7)
        for place, length in ((0, 3), (4, 2))
    ]
    assert len(pairs_of(text, [chain])) == 10_000


def published(path, rows):
    pq.write_table(
        pa.Table.from_pylist(
            rows, pa.schema([("doc_name", pa.string()), ("mentions", LISTS), ("entity_pron_mentions", LISTS)])
        ),
        path,
    )
    return path


def test_published_ends_are_inclusive_and_become_exclusive(tmp_path):
    # "Ann ran. She won.": Ann is [0, 2] in the file, She is [9, 11]
    row = {"doc_name": "a", "mentions": [[[0, 2], [9, 11]]], "entity_pron_mentions": [[[0, 2], [9, 11]]]}
    found = read_mentions(published(tmp_path / "m.parquet", [row]))
    assert found["a"].pairs == (Pair(Span(0, 3), Span(9, 12)),)
    assert found["a"].chains == ((Span(0, 3), Span(9, 12)),)


def test_no_pairs_is_known_and_null_is_unknown(tmp_path):
    rows = [
        {"doc_name": "none", "mentions": [], "entity_pron_mentions": []},
        {"doc_name": "unknown", "mentions": None, "entity_pron_mentions": None},
    ]
    found = read_mentions(published(tmp_path / "m.parquet", rows))
    assert found["none"].pairs == ()
    assert found["unknown"].pairs is None
    assert "m.parquet" in (found["unknown"].reason or "")


def test_what_is_written_is_read_again(tmp_path):
    mentions = {
        "é 1": Mentions("rules/1", ((Span(0, 3), Span(9, 12)),), (Pair(Span(0, 3), Span(9, 12)),)),
        "fr": Mentions("rules/1", reason="coreference rules know English only; this document is in French"),
        "none": Mentions("rules/1", pairs=()),
    }
    write_mentions(tmp_path / "m.parquet", mentions)
    assert read_mentions(tmp_path / "m.parquet") == mentions


def test_nothing_written_is_nothing_read(tmp_path):
    write_mentions(tmp_path / "m.parquet", {})
    assert read_mentions(tmp_path / "m.parquet") == {}


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no mentions at .*gone\.parquet"):
        read_mentions(tmp_path / "gone.parquet")


@pytest.mark.parametrize("content", [b"", b"doc_name,mentions\n", b"PAR1" + b"\x00" * 64 + b"PAR1"])
def test_a_file_that_is_no_parquet_is_named(tmp_path, content):
    path = tmp_path / "m.parquet"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"m\.parquet is not a Parquet file"):
        read_mentions(path)


def test_a_truncated_file_is_named(tmp_path):
    path = published(tmp_path / "m.parquet", [{"doc_name": "a", "mentions": [], "entity_pron_mentions": []}])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"m\.parquet"):
        read_mentions(path)


def test_a_missing_column_is_named_with_what_there_is(tmp_path):
    pq.write_table(pa.table({"doc_name": ["a"], "clusters": [1]}), tmp_path / "m.parquet")
    with pytest.raises(ValueError, match=r"lacks the column mentions and entity_pron_mentions.*has doc_name, clusters"):
        read_mentions(tmp_path / "m.parquet")


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.list_(pa.int64()), pa.list_(pa.list_(pa.int64())), pa.list_(pa.list_(pa.list_(pa.string())))],
)
def test_a_column_of_another_nesting_is_refused(tmp_path, kind):
    columns = {
        "doc_name": pa.array(["a"]),
        "mentions": pa.array([None], LISTS),
        "entity_pron_mentions": pa.array([None], kind),
    }
    pq.write_table(pa.table(columns), tmp_path / "m.parquet")
    with pytest.raises(ValueError, match="entity_pron_mentions must hold lists of"):
        read_mentions(tmp_path / "m.parquet")


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ([[0, 2]], "a pair must be"),
        ([[0, 2], [3, 4], [5, 6]], "a pair must be"),
        (None, "a pair must be"),
        ([[0, 2], [3]], r"a mention must be \[start, end\]"),
        ([[0, 2], None], r"a mention must be \[start, end\]"),
        ([[0, 2], [None, 4]], r"a mention must be \[start, end\]"),
        ([[-1, 2], [3, 4]], "0 <= start <= end"),
        ([[0, 2], [4, 3]], "0 <= start <= end"),
    ],
)
def test_a_malformed_pair_is_refused_and_its_document_named(tmp_path, pair, message):
    path = published(tmp_path / "m.parquet", [{"doc_name": "the doc", "mentions": [], "entity_pron_mentions": [pair]}])
    with pytest.raises(ValueError, match=f"'the doc': .*{message}"):
        read_mentions(path)


def test_two_rows_of_one_name_are_refused(tmp_path):
    row = {"doc_name": "a", "mentions": [], "entity_pron_mentions": []}
    with pytest.raises(ValueError, match="doc_name of its own"):
        read_mentions(published(tmp_path / "m.parquet", [row, row]))


def test_a_file_that_claims_too_much_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_VALUES", 10)
    row = {"doc_name": "a", "mentions": [[[0, 1]] * 20], "entity_pron_mentions": []}
    with pytest.raises(ValueError, match="at most 10 are read"):
        read_mentions(published(tmp_path / "m.parquet", [row]))


def test_mentions_beyond_the_text_are_refused_and_the_document_named():
    document = Document("report", "Ann ran. She won.")
    fitting = Mentions("x", pairs=(Pair(Span(0, 3), Span(9, 17)),))
    require_within(document, fitting)
    with pytest.raises(BadDocument, match=r"'report' reach offset 18, its text has 17"):
        require_within(document, Mentions("x", pairs=(Pair(Span(0, 3), Span(9, 18)),)))
