"""The flow gives what the library gives, does nothing twice, and no document stops it."""

import logging
import shutil
from pathlib import Path

import polars as pl
import pytest

from chunkfit.chunking import chunkers
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Span
from chunkfit.pipeline import evaluate
from chunkfit.references import Reference
from chunkfit.settings import SelectionRules, Settings

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("prefect_api")]

METHODS = ("fixed", "page", "recursive_600")
SETTINGS = Settings(methods=METHODS)
OF_ONE_DOCUMENT = 1 + 1 + len(METHODS) + len(METHODS) + 1  # parsed, mentions, chunks, scorecards, selection


def run(*sources: Path, home: Path, settings: Settings = SETTINGS, state: str = "Completed"):
    """What the flow did, having ended in that state."""
    from flows.evaluate import evaluate_corpus

    ended = evaluate_corpus([str(source) for source in sources], settings, home=str(home), return_state=True)
    assert ended.name == state
    return ended.result(raise_on_failure=False)


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    return {path.name: pl.read_parquet(path) for path in sorted(folder.glob("*.parquet"))}


def test_the_flow_equals_the_library(corpus: Path, tmp_path: Path) -> None:
    from tasks import artifacts

    done = run(corpus, home=tmp_path)
    assert [unit.name for unit in done.units] == sorted(unit.name for unit in done.units)
    assert len(done.units) == 4
    for unit in done.units:
        assert artifacts.evaluation(unit, done.job) == evaluate(artifacts.document(unit, done.job), SETTINGS)


def test_only_what_changed_is_recomputed(corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    first = run(corpus, home=tmp_path)
    assert (first.summary.computed, first.summary.reused) == (4 * OF_ONE_DOCUMENT, 0)
    as_first = tables(first.folder)

    (corpus / "the-ferry-keys.txt").touch()  # a newer date alone is no change
    second = run(corpus, home=tmp_path)
    assert (second.summary.computed, second.summary.reused) == (0, 4 * OF_ONE_DOCUMENT)
    assert (second.unchanged, second.folder) == (4, first.folder)

    damaged = next((tmp_path / "store" / "scorecards").rglob("*/*"))
    damaged.write_bytes(damaged.read_bytes().replace(b"0", b"1"))
    with caplog.at_level(logging.WARNING, "chunkfit.storage"):
        repaired = run(corpus, home=tmp_path)
    assert "scorecards" in caplog.text and "damaged" in caplog.text
    assert (repaired.summary.computed, repaired.unchanged) == (1, 3)
    assert all(as_first[name].equals(table) for name, table in tables(repaired.folder).items())

    shutil.rmtree(tmp_path / "store" / "chunks")  # Prefect's record of the task still says that it is done
    assert run(corpus, home=tmp_path).summary.computed == 4 * len(METHODS)

    wider = SETTINGS.model_copy(update={"selection": SelectionRules(tie_margin=0.5)})
    assert run(corpus, home=tmp_path, settings=wider).summary.computed == 4  # the selections

    with (corpus / "the-ferry-keys.txt").open("a", encoding="utf-8") as story:
        story.write("\n\nHe never came back for them.\n")
    third = run(corpus, home=tmp_path)
    assert (third.summary.computed, third.unchanged) == (OF_ONE_DOCUMENT, 3)
    assert third.folder != first.folder


def test_what_cannot_be_used_is_a_row_and_the_rest_is_complete(corpus: Path, tmp_path: Path) -> None:
    from flows.progress import Watcher, watcher

    (corpus / "empty.md").touch()
    (corpus / "cut.json").write_text('{"document_name": "cut", "pages": {"1": "On')
    (corpus / "picture.xyz").write_bytes(b"\x00\x01")
    (corpus / "blank.txt").write_text(" \n\n ")
    (corpus / "vanishing.txt").write_text("Here today.")
    (corpus / "deeper").mkdir()
    shutil.copy(corpus / "backup-runbook.md", corpus / "deeper" / "backup-runbook.md")

    class Thief(Watcher):
        """Takes a file away between its discovery and its reading."""

        def begin(self, documents: int, work: int) -> None:
            (corpus / "vanishing.txt").unlink()

    token = watcher.set(Thief())
    try:
        done = run(corpus, home=tmp_path, state="CompletedWithFailures")
    finally:
        watcher.reset(token)

    assert [unit.name for unit in done.units] == [
        "backup-runbook.md",
        "chinese-garden.txt",
        "deeper/backup-runbook.md",
        "the-ferry-keys.txt",
        "workshop-handbook",
    ]
    failed = pl.read_parquet(done.folder / "failures.parquet")
    assert [Path(path).name for path in failed["path"]] == [
        "blank.txt",
        "cut.json",
        "empty.md",
        "picture.xyz",
        "vanishing.txt",
    ]
    assert not any("unexpected" in reason for reason in failed["reason"])  # all foreseen


def test_nothing_usable_is_a_failed_run_with_its_reasons(tmp_path: Path) -> None:
    done = run(tmp_path / "nowhere.txt", home=tmp_path, state="Failed")
    assert [failure.stage for failure in done.summary.failures] == ["discover"]
    assert (done.folder / "report.html").exists()


def test_large_corpora_go_in_batches(tmp_path: Path) -> None:
    from flows.evaluate import SINGLY, batches
    from tasks.units import Unit

    def units(count: int) -> list[Unit]:
        return [Unit(f"{number}.txt", f"{number}.txt", "00", "text/plain", number) for number in range(count)]

    assert {len(batch) for batch in batches(units(SINGLY))} == {1}
    assert len(batches(units(10_000))) == 400  # of 25: five stages make 2,000 task runs
    assert len(batches(units(100_000))) == 400
    assert [unit.size for batch in batches(units(3)) for unit in batch] == [2, 1, 0]  # the largest first


def test_chunks_made_by_people_are_compared_with_and_what_does_not_fit_is_a_row(corpus: Path, tmp_path: Path) -> None:
    from flows.evaluate import evaluate_corpus
    from tasks import artifacts

    references = tmp_path / "references"
    references.mkdir()
    (references / "keys.json").write_text('{"the-ferry-keys.txt": [[0, 200], [200, 900]]}')
    (references / "others.json").write_text('{"chinese-garden.txt": ["not in there"], "who.txt": [[0, 5]]}')

    def again():
        return evaluate_corpus(
            [str(corpus)], SETTINGS, references=str(references), home=str(tmp_path), return_state=True
        )

    state = again()
    done = state.result(raise_on_failure=False)
    assert state.name == "CompletedWithFailures"
    assert len(done.units) == 4
    assert sorted((failure.stage, "who.txt" in failure.reason) for failure in done.summary.failures) == [
        ("references", False),
        ("references", True),
    ]
    assert {(one.document, one.method) for one in done.comparisons} == {
        ("the-ferry-keys.txt", name) for name in METHODS
    }
    assert set(pl.read_parquet(done.folder / "comparisons.parquet")["doc_name"]) == {"the-ferry-keys.txt"}
    assert "Against chunks made by people" in done.report.read_text()

    (unit,) = (unit for unit in done.units if unit.name == "the-ferry-keys.txt")
    evaluation = artifacts.evaluation(unit, done.job)
    known = [Reference(unit.name, (Span(0, 200), Span(200, 900)))]
    assert evaluation.comparisons == evaluate(evaluation.document, SETTINGS, references=known).comparisons

    assert len(again().result(raise_on_failure=False).summary.failures) == 2


def test_comparisons_are_counted_kept_and_made_again_where_they_are_damaged(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flows.evaluate import evaluate_corpus

    def cannot(evidence: Evidence) -> Chunking:
        raise MethodFailed("it never can")

    monkeypatch.setattr(chunkers, "_parts", dict(chunkers._parts))
    chunkers.register("cannot", version=1, bounds_size=False, cost=1)(cannot)
    settings = Settings(methods=(*METHODS, "cannot"))
    references = tmp_path / "keys.json"
    references.write_text('{"the-ferry-keys.txt": [[0, 200], [200, 900]]}')

    def again():
        return evaluate_corpus([str(corpus)], settings, references=str(references), home=str(tmp_path))

    run(corpus, home=tmp_path, settings=settings)
    first = again()
    assert first.summary.computed == len(METHODS) + 1  # of the one document that people cut
    assert {one.method for one in first.comparisons} == set(METHODS)
    second = again()
    assert (second.summary.computed, second.unchanged) == (0, 4)
    for kept in (tmp_path / "store" / "comparisons").rglob("*/*"):
        kept.write_bytes(kept.read_bytes().replace(b"0", b"1"))
    repaired = again()
    assert repaired.summary.computed == len(METHODS) + 1
    assert repaired.comparisons == first.comparisons
