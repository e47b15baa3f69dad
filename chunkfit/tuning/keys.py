"""What a stored outcome and a study depend on (see `chunkfit.keys`)."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple

from chunkfit.metrics import diagnostics
from chunkfit.retrieval.labelled import Labelled
from chunkfit.storage import Kind
from chunkfit.tuning.objective import Aim, Outcome
from chunkfit.tuning.space import VERSION

OUTCOMES = Kind("outcomes", Outcome)

MEASURING = 1  # raise it when cutting, searching or measuring here gives other outcomes than before


def outcome(chunks: str, labelled: Sequence[Labelled], aim: Aim, engines: Sequence[str]) -> str:
    """Of one candidate on one document. `chunks` is the key of its chunks; `engines` are those that the probe asks."""
    return _key("outcome", MEASURING, _probe(), chunks, _asked(labelled), list(astuple(aim)), list(engines))


def study(
    documents: Sequence[tuple[str, str]],
    labelled: Sequence[Labelled],
    aim: Aim,
    methods: Sequence[str],
    engines: Sequence[str],
    settings: object,
    seed: int,
) -> str:
    """The name of a study: of all that its trials depend on but their number. `documents` are names and keys."""
    facts = [sorted(documents), _asked(labelled), list(astuple(aim)), list(methods), list(engines), settings, seed]
    return _key("study", VERSION, MEASURING, _probe(), facts)


def _probe() -> int:
    return diagnostics["retrieval_probe"].version


def _asked(labelled: Sequence[Labelled]) -> list[object]:
    return [[one.text, one.document, [[span.start, span.end] for span in one.references]] for one in labelled]


def _key(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
