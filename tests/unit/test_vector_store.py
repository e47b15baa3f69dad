"""Vectors by key survive runs, damage and company, in few files."""

import hashlib
import logging
import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from chunkfit.engines.embedding.vector_store import VectorStore
from chunkfit.storage import Store


def keys(*names):
    return [hashlib.sha256(str(name).encode()).digest()[:16] for name in names]


def rows(*names, width=4):
    return np.array([[float(name) + column for column in range(width)] for name in names], np.float32)


def files(folder):
    return sorted(path for path in folder.rglob("vectors/*/*") if path.is_file())


def fill(folder, first):
    """A process of its own: sixty texts in as many calls, half of them those of its neighbour."""
    store = VectorStore(Store(folder), "model")
    for number in range(first, first + 60):
        store.add(keys(number), rows(number))


@pytest.fixture(params=["folder", "memory"])
def store(request, tmp_path):
    return Store(tmp_path if request.param == "folder" else f"memory://{tmp_path.name}-{id(request)}")


def test_what_one_added_others_find(store):
    VectorStore(store, "model").add(keys(1, 2), rows(1, 2))
    known, found = VectorStore(store, "model").find(keys(2, 3, 1))
    assert known.tolist() == [True, False, True]
    assert np.array_equal(found, [rows(2)[0], np.zeros(4), rows(1)[0]])


def test_what_others_add_later_is_found_too(store):
    mine, yours = VectorStore(store, "model"), VectorStore(store, "model")
    mine.add(keys(1), rows(1))
    yours.add(keys(2), rows(2))
    assert mine.find(keys(1, 2))[0].all()
    assert yours.find(keys(1, 2))[0].all()


def test_each_model_has_vectors_of_its_own(store):
    VectorStore(store, "model").add(keys(1), rows(1))
    assert not VectorStore(store, "model@other-revision").find(keys(1))[0].any()


def test_without_a_store_vectors_are_in_memory():
    store = VectorStore(None, "model")
    for number in range(20):
        store.add(keys(number), rows(number))
    assert np.array_equal(store.find(keys(19, 0))[1], rows(19, 0))


def test_nothing_is_known_of_an_empty_store(store):
    empty = VectorStore(store, "model")
    empty.add([], np.empty((0, 4), np.float32))
    known, found = empty.find(keys(1))
    assert not known.any()
    assert found.shape == (1, 0)
    assert empty.find([])[1].shape == (0, 0)


def test_keys_that_end_in_zeros_are_told_apart(store):
    zeros, other = b"\x01" + bytes(15), b"\x01" + bytes(14) + b"\x01"
    kept = VectorStore(store, "model")
    kept.add([zeros, other], rows(1, 2))
    assert np.array_equal(kept.find([other, zeros])[1], rows(2, 1))


def test_many_small_additions_end_in_few_files(tmp_path):
    # eight files of one size become one: of 200 calls at most 7 small ones stay, beside those merged into the next size
    store = VectorStore(Store(tmp_path), "model")
    for number in range(200):
        store.add(keys(number), rows(number))
    assert len(files(tmp_path)) <= 8
    known, found = VectorStore(Store(tmp_path), "model").find(keys(*range(200)))
    assert known.all()
    assert np.array_equal(found, rows(*range(200)))


def test_a_reader_that_holds_merged_files_still_finds_all(tmp_path):
    reader, writer = VectorStore(Store(tmp_path), "model"), VectorStore(Store(tmp_path), "model")
    for number in range(7):
        writer.add(keys(number), rows(number))
    assert reader.find(keys(*range(7)))[0].all()
    writer.add(keys(7), rows(7))
    assert len(files(tmp_path)) == 1
    assert np.array_equal(reader.find(keys(*range(8)))[1], rows(*range(8)))
    assert np.array_equal(reader.find(keys(*range(8)))[1], rows(*range(8)))


def test_vectors_stay_known_to_who_holds_them_when_the_folder_is_emptied(tmp_path):
    store = VectorStore(Store(tmp_path), "model")
    store.add(keys(1), rows(1))
    for path in files(tmp_path):
        path.unlink()
    assert store.find(keys(2, 1))[0].tolist() == [False, True]


@pytest.mark.parametrize("damage", [lambda content: content[:-1], lambda content: content[:40], lambda content: b""])
def test_a_damaged_file_is_warned_of_and_counts_as_absent(damage, tmp_path, caplog):
    VectorStore(Store(tmp_path), "model").add(keys(1), rows(1))
    VectorStore(Store(tmp_path), "model").add(keys(2), rows(2))
    path = files(tmp_path)[0]
    path.write_bytes(damage(path.read_bytes()))
    again = VectorStore(Store(tmp_path), "model")
    with caplog.at_level(logging.WARNING, "chunkfit.storage"):
        assert again.find(keys(1, 2))[0].sum() == 1
    assert f"{path.name} are damaged" in caplog.text
    again.add(keys(1, 2), rows(1, 2))
    caplog.clear()
    assert VectorStore(Store(tmp_path), "model").find(keys(1, 2))[0].all()
    assert not caplog.records


def test_a_flipped_bit_is_noticed(tmp_path, caplog):
    VectorStore(Store(tmp_path), "model").add(keys(1), rows(1))
    (path,) = files(tmp_path)
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(bytes(content))
    assert not VectorStore(Store(tmp_path), "model").find(keys(1))[0].any()
    assert "damaged" in caplog.text


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_vectors_that_are_not_finite_are_refused(bad, tmp_path):
    store = VectorStore(Store(tmp_path), "model")
    with pytest.raises(ValueError, match="NaN or infinity"):
        store.add(keys(1), np.array([[1, bad]], np.float32))
    assert files(tmp_path) == []


def test_vectors_of_another_length_are_refused(store):
    VectorStore(store, "model").add(keys(1), rows(1))
    later = VectorStore(store, "model")
    later.find(keys(1))
    with pytest.raises(ValueError, match="rows of 3 numbers do not fit those known, of 4"):
        later.add(keys(2), rows(2, width=3))
    with pytest.raises(ValueError, match="2 rows for 1 keys"):
        later.add(keys(2), rows(2, 3))


def test_a_file_of_vectors_of_another_length_is_left_alone(tmp_path, caplog):
    # two processes began at once, and one of them was answered by another model
    one, other = VectorStore(Store(tmp_path), "model"), VectorStore(Store(tmp_path), "model")
    one.add(keys(1), rows(1))
    other.add(keys(2), rows(2, width=3))
    assert one.find(keys(1, 2))[0].tolist() == [True, False]
    assert "holds vectors of 3 numbers beside others of 4" in caplog.text


def test_threads_add_and_find_at_once(store):
    shared = VectorStore(store, "model")

    def work(first):
        for number in range(first, first + 30):
            shared.add(keys(number), rows(number))
            assert shared.find(keys(number))[0].all()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(0, 120, 30)))
    known, found = VectorStore(store, "model").find(keys(*range(120)))
    assert known.all()
    assert np.array_equal(found, rows(*range(120)))


@pytest.mark.slow
def test_processes_that_add_and_merge_at_once_lose_nothing(tmp_path):
    context = multiprocessing.get_context("spawn")
    with context.Pool(3) as processes:
        processes.starmap(fill, [(tmp_path, first) for first in (0, 30, 60)])
    known, found = VectorStore(Store(tmp_path), "model").find(keys(*range(120)))
    assert known.all()
    assert np.array_equal(found, rows(*range(120)))
    assert not list((tmp_path / "unfinished").iterdir())
