"""Arrays survive a round trip as plain bytes."""

import numpy as np
import pytest

from chunkfit.arrays import pack, unpack
from chunkfit.storage import Store

ARRAYS = {
    "rows": np.arange(6, dtype=np.float32).reshape(2, 3),
    "keys": np.array([b"a\x00b", b"\xff"], "S4"),
    "none": np.empty((0, 3), np.int64),
    "big end first": np.array([1, 256], ">i8"),
    "every second": np.arange(10)[::2],
}


def test_arrays_come_back_as_they_were():
    back = unpack(memoryview(b"".join(pack(ARRAYS))))
    assert back.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert np.array_equal(back[name], array)
        assert back[name].shape == array.shape
    with pytest.raises(ValueError, match="read-only"):
        back["rows"][0, 0] = 1


def test_objects_are_neither_written_nor_read():
    with pytest.raises(TypeError, match="arrays of objects"):
        pack({"a": np.array([{}])})
    with pytest.raises(ValueError, match="holds objects"):
        unpack(memoryview(b'[["a", "|O", [1]]]\n' + bytes(8)))


@pytest.mark.parametrize("change", [lambda content: content[:-1], lambda content: content + b"x"])
def test_bytes_that_do_not_fit_are_refused(change):
    with pytest.raises(ValueError):
        unpack(memoryview(change(b"".join(pack({"a": np.arange(3)})))))


@pytest.mark.parametrize("where", ["folder", "memory"])
def test_a_store_keeps_arrays_at_a_path(where, tmp_path):
    store = Store(tmp_path if where == "folder" else f"memory://arrays-{tmp_path.name}")
    assert store.arrays("some/place") is None
    assert store.names("some") == frozenset()
    store.put_arrays("some/place", ARRAYS)
    assert store.names("some") == {"place"}
    found = store.arrays("some/place")
    assert all(np.array_equal(found[name], array) for name, array in ARRAYS.items())
    store.remove("some/place")
    store.remove("some/place")
    assert store.arrays("some/place") is None
    assert np.array_equal(found["rows"], ARRAYS["rows"])  # who holds them keeps them
