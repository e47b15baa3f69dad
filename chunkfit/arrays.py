"""Arrays of numbers to bytes and back: a line of JSON that names them, then their bytes one behind the other.

Only plain data is read back, so a stored file can never run code; what is read shares the memory of the bytes.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]


def pack(arrays: Arrays) -> list[bytes | memoryview]:
    """The arrays as bytes to be put together, least significant byte first. Raises TypeError for arrays of objects."""
    whole = {name: _little_endian(array) for name, array in arrays.items()}
    layout = [[name, array.dtype.str, array.shape] for name, array in whole.items()]
    return [json.dumps(layout).encode() + b"\n", *(array.data for array in whole.values())]


def unpack(data: memoryview) -> dict[str, NDArray[Any]]:
    """The arrays that `pack` wrote, read-only views of `data`. Raises ValueError where they are not whole."""
    line = bytes(data[:65_536]).partition(b"\n")[0]
    position = len(line) + 1
    arrays = {}
    for name, type_, shape in json.loads(line):
        dtype, count = np.dtype(type_), int(np.prod(shape, dtype=np.int64))
        if dtype.hasobject:
            raise ValueError(f"{name!r} holds objects, which are not read")
        flat = np.frombuffer(data, dtype, count, position) if count else np.empty(0, dtype)
        arrays[name] = flat.reshape(shape)
        position += flat.nbytes
    if position != len(data):
        raise ValueError(f"{len(data)} bytes where the arrays need {position}")
    return arrays


def _little_endian(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.hasobject:
        raise TypeError("arrays of objects cannot be stored; use numbers or bytes of a fixed length")
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
