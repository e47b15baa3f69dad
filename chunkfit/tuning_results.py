"""The files of a run of tuning.

| file | |
|---|---|
| `tuned-settings.json` | the settings of the best candidate, as `python -m flows evaluate --settings` takes them |
| `trials.parquet` | every trial and default: candidate, quality, chunks, tokens, by document |
| `tuning.json` | what it was for, what was chosen, and what it is worth on held-out documents |
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from chunkfit.results import sha256, write_json, write_rows
from chunkfit.settings import Settings
from chunkfit.tuning import Tried, Tuned

TRIALS = pa.schema(
    {
        "trial": pa.int64(),  # from 0; null for the defaults
        "chunking_method": pa.string(),
        "min_tokens": pa.int64(),
        "doc_name": pa.string(),
        "quality": pa.float64(),
        "chunks": pa.int64(),
        "tokens": pa.int64(),
        "given_up": pa.string(),  # why documents are missing
        "on_front": pa.bool_(),
    }
)
SETTINGS = "tuned-settings.json"
MANIFEST = "tuning.json"
FILES = (SETTINGS, "trials.parquet")


def require_own(folder: Path) -> None:
    """Raise ValueError where results in that folder would replace files that no tuning wrote."""
    taken = [name for name in FILES if (folder / name).exists()]
    if taken and not (folder / MANIFEST).exists():
        raise ValueError(f"{folder} holds {taken[0]} that is not from a run; choose a new or empty folder")


def write_tuning(folder: Path, tuned: Tuned, settings: Settings, versions: dict[str, str]) -> None:
    """Write all files. `settings` are those that tuning began from; what it did not touch stays as it is there.

    Raises ValueError where the folder holds files of these names that no tuning wrote.
    """
    require_own(folder)
    folder.mkdir(parents=True, exist_ok=True)
    facts = {
        "aim": asdict(tuned.aim),
        "documents": tuned.documents,
        "best": _summary(tuned.best),
        "default": _summary(tuned.default),
        "front": [_summary(one) for one in tuned.front],
        "held_out_gain": None if tuned.gain is None else asdict(tuned.gain),
        "folds": [asdict(fold) for fold in tuned.folds],
        "left_out": dict(tuned.left_out),
        "versions": versions,
    }
    write_json(folder / MANIFEST, facts | {"files": None})  # these files are ours, and not complete
    write_json(folder / SETTINGS, tuned.best.candidate.settings(settings).model_dump(mode="json"))
    write_rows(folder / "trials.parquet", _rows(tuned), TRIALS)
    write_json(folder / MANIFEST, facts | {"files": {name: sha256(folder / name) for name in FILES}})


def _summary(one: Tried) -> dict[str, Any]:
    return asdict(one.candidate) | {"quality": one.quality, "chunks": one.chunks, "tokens": one.tokens}


def _rows(tuned: Tuned) -> list[dict[str, Any]]:
    numbered: list[tuple[int | None, Tried]] = [*enumerate(tuned.tried), *((None, one) for one in tuned.defaults)]
    best = {one.candidate for one in tuned.front}
    return [
        {
            "trial": number,
            "chunking_method": one.candidate.method,
            "min_tokens": one.candidate.min_tokens,
            "doc_name": name,
            "quality": found.quality,
            "chunks": found.chunks,
            "tokens": found.tokens,
            "given_up": one.given_up,
            "on_front": one.given_up is None and one.candidate in best,
        }
        for number, one in numbered
        for name, found in one.outcomes.items()
    ]
