"""The vectors of one model by what was read, kept from run to run.

Segments never change: each writer adds a small one of its own. Where eight are of about one size, whoever notices
merges them: the merged one is written first, the eight removed then. A reader that comes between finds a vector twice,
or in a file that it still holds open. So threads, processes and machines can share a folder without locks.
"""

import hashlib
import logging
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.storage import Store

logger = logging.getLogger(__name__)

KEY_BYTES = 16  # of a SHA-256: among 10^12 texts, two share a key with a probability of 10^-15
_FANOUT = 8  # segments of about one size before they are merged, and how much larger the next size is
_SMALLEST = 1 << 16  # bytes: all below are of one size
_LARGEST = 1 << 24  # bytes: larger ones are not merged any more, so that merging takes at most 128 MB
_FORMAT = 1  # of a segment; another one has a folder of its own


@dataclass(frozen=True, eq=False)
class _Segment:
    keys: NDArray[np.bytes_]  # sorted, each once
    rows: NDArray[np.float32]  # [keys, dimensions]; where there is a store, mapped from its file

    @property
    def bytes(self) -> int:
        return self.keys.nbytes + self.rows.nbytes

    def places(self, wanted: NDArray[np.bytes_]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The row of each key, and whether it is there at all."""
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return places, self.keys[places] == wanted


class VectorStore:
    """Vectors by 16-byte keys, in a store's folder of their own, or only in memory where `store` is None.

    In memory are the keys, 16 bytes a vector; the vectors are mapped from the files. Threads may share it.
    """

    def __init__(self, store: Store | None, model: str) -> None:
        self._store = store
        self.folder = f"vectors/{hashlib.sha256(f'{_FORMAT} {model}'.encode()).hexdigest()[:32]}"
        self._segments: dict[str, _Segment] = {}  # by file name
        self._useless: set[str] = set()  # file names
        self._lock = threading.RLock()

    @property
    def dimensions(self) -> int:
        """Of the vectors known so far; 0 where there are none."""
        with self._lock:
            return next((segment.rows.shape[1] for segment in self._segments.values()), 0)

    def find(self, keys: Sequence[bytes]) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Which keys are known, and a row for each, zeros where it is not.

        Looks for what others have written meanwhile only where a key is not known.
        """
        wanted = _as_array(keys)
        with self._lock:
            known, rows = self._look_up(wanted)
            if not known.all() and self._refresh():
                known, rows = self._look_up(wanted)
            return known, rows

    def add(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        """Keep a row for each key. Raises ValueError for rows of another length than those known, or not finite."""
        if len(keys) != len(rows):
            raise ValueError(f"{len(rows)} rows for {len(keys)} keys")
        if not len(keys):
            return
        if not np.isfinite(rows).all():
            raise ValueError("a vector that holds NaN or infinity is not kept")
        with self._lock:
            known = self.dimensions
            if known and known != rows.shape[1]:
                raise ValueError(f"rows of {rows.shape[1]} numbers do not fit those known, of {known}")
            self._write(_merged([_Segment(_as_array(keys), np.asarray(rows, np.float32))]))
            while crowded := self._crowded():
                self._merge(crowded)

    def _look_up(self, wanted: NDArray[np.bytes_]) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        rows = np.zeros((len(wanted), self.dimensions), np.float32)
        known = np.zeros(len(wanted), bool)
        for segment in self._segments.values():
            missing = np.flatnonzero(~known)
            if not len(missing):
                break
            places, hits = segment.places(wanted[missing])
            rows[missing[hits]] = segment.rows[places[hits]]
            known[missing[hits]] = True
        return known, rows

    def _refresh(self) -> bool:
        """Open the segments that others have written; whether there were any."""
        if self._store is None:
            return False
        names = self._store.names(self.folder)
        new = names - self._segments.keys() - self._useless
        for name in sorted(new):
            self._open(self._store, name)
        for name in self._segments.keys() - names:  # merged by others, or removed by hand
            if self._in_others(name):
                del self._segments[name]
        return not new.isdisjoint(self._segments)

    def _in_others(self, name: str) -> bool:
        missing = self._segments[name].keys
        for other, segment in self._segments.items():
            if other != name:
                missing = missing[~segment.places(missing)[1]]
        return not len(missing)

    def _open(self, store: Store, name: str) -> None:
        path = f"{self.folder}/{name}"
        found = store.arrays(path)
        if found is None:
            store.remove(path)  # damaged, or merged away since it was listed
            return
        segment = _Segment(np.array(found["keys"]), found["rows"])
        if self.dimensions not in (0, segment.rows.shape[1]):
            self._useless.add(name)
            logger.warning(
                "%s holds vectors of %d numbers beside others of %d; they are not used",
                *(path, segment.rows.shape[1], self.dimensions),
            )
            return
        self._segments[name] = segment

    def _write(self, segment: _Segment) -> str:
        arrays = {"keys": segment.keys, "rows": segment.rows}
        digest = hashlib.sha256(segment.keys.tobytes())
        digest.update(np.ascontiguousarray(segment.rows).data)
        name = digest.hexdigest()[:32]  # by content: two who merge the same segments write the same file
        if self._store is not None and name not in self._segments:
            path = f"{self.folder}/{name}"
            self._store.put_arrays(path, arrays)
            mapped = self._store.arrays(path)
            if mapped is not None:  # else it was merged by others just now; the copy in memory is as good
                segment = _Segment(segment.keys, mapped["rows"])
        self._segments[name] = segment
        return name

    def _crowded(self) -> list[str]:
        """Segments of about one size that are as many as are merged; none where there are fewer of each size."""
        sizes = defaultdict(list)
        for name, segment in self._segments.items():
            if segment.bytes < _LARGEST:
                sizes[int(np.log2(max(segment.bytes / _SMALLEST, 1)) / np.log2(_FANOUT))].append(name)
        return next((names for names in sizes.values() if len(names) >= _FANOUT), [])

    def _merge(self, names: list[str]) -> None:
        merged = self._write(_merged([self._segments[name] for name in names]))
        for name in names:
            if name != merged:
                del self._segments[name]
                if self._store is not None:
                    self._store.remove(f"{self.folder}/{name}")


def _as_array(keys: Sequence[bytes]) -> NDArray[np.bytes_]:
    return np.frombuffer(b"".join(keys), f"S{KEY_BYTES}")


def _merged(segments: Sequence[_Segment]) -> _Segment:
    keys, first = np.unique(np.concatenate([segment.keys for segment in segments]), return_index=True)
    rows = np.concatenate([segment.rows for segment in segments])[first]
    return _Segment(keys, rows)
