"""The chosen chunks of a run, from its folder alone."""

import io
import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from chunkfit.engines import default_engines
from chunkfit.export import chosen, chosen_in, embedder_of_run, export_run, ids, with_vectors, write_jsonl
from chunkfit.model import Document, Mentions
from chunkfit.parsing import parse
from chunkfit.pipeline import evaluate
from chunkfit.reporting import RunSummary
from chunkfit.results import versions, write_run
from chunkfit.settings import Settings

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
SETTINGS = Settings(methods=("page", "fixed", "langchain_default"))


@pytest.fixture(scope="module")
def evaluations():
    documents = (
        parse(SAMPLES / "the-ferry-keys.txt"),
        Document("O'Brien \ud800", "Copper pans heat evenly. \udfff They react with sour food.\n\n" * 80),
        parse(SAMPLES / "workshop-handbook.json"),
    )
    return [evaluate(document, SETTINGS, mentions=Mentions("none", reason="nobody looked")) for document in documents]


@pytest.fixture
def folder(evaluations, tmp_path):
    known = versions(SETTINGS, default_engines())
    run = RunSummary("run", "data", datetime(2026, 1, 1, tzinfo=UTC), 1.0, SETTINGS, known)
    write_run(tmp_path, "key", run, evaluations)
    return tmp_path


def test_a_run_gives_what_its_evaluations_gave(evaluations, folder):
    found = list(chosen_in(folder))
    assert len(found) == 3
    for one, evaluation in zip(found, evaluations, strict=True):
        direct = chosen(evaluation)
        assert ids(one.chunks) == ids(direct.chunks)
        assert dict(one.scores) == pytest.approx(dict(direct.scores))
    assert found[0].chunks == chosen(evaluations[0]).chunks
    assert found[2].chunks == chosen(evaluations[2]).chunks


def test_vectors_are_made_again_by_the_embedder_of_the_run(evaluations, folder):
    embedder = default_engines().embedder
    assert embedder_of_run(folder).id == embedder.id
    for one, evaluation in zip(export_run(folder, list, vectors=True), evaluations, strict=True):
        assert np.allclose(one.vectors.rows, with_vectors(chosen(evaluation), embedder).vectors.rows, atol=1e-6)


def test_a_run_goes_to_any_target(folder):
    file = io.BytesIO()
    assert export_run(folder, partial(write_jsonl, file=file)) == 3
    lines = [json.loads(line) for line in file.getvalue().splitlines()]
    assert [line["id"] for line in lines] == [name for one in chosen_in(folder) for name in ids(one.chunks)]


def test_a_folder_that_holds_no_whole_run_is_refused(folder, tmp_path_factory):
    with pytest.raises(ValueError, match="does not hold a whole run"):
        chosen_in(tmp_path_factory.mktemp("empty"))
    (folder / "scores.parquet").write_bytes(b"")
    with pytest.raises(ValueError, match=r"scores\.parquet is not as the run wrote it"):
        chosen_in(folder)


def test_an_embedder_that_has_become_another_one_is_refused(evaluations, folder, monkeypatch):
    monkeypatch.setattr(type(default_engines().embedder), "id", "static/of tomorrow")
    with pytest.raises(ValueError, match="'static' is static/of tomorrow now"):
        embedder_of_run(folder)
