"""A run over the sample documents that checks its own results: does this installation work?"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
from prefect import flow

from chunkfit.pipeline import evaluate
from chunkfit.results import FILES, MANIFEST
from flows.evaluate import Evaluated, evaluate_corpus
from tasks import artifacts

SAMPLES = Path(__file__).parent.parent / "data" / "samples"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold."""

    what: str
    problem: str | None  # None: it holds


@flow(name="smoke")
def smoke_test(folder: str) -> tuple[Check, ...]:
    """Evaluate the samples and a file that cannot be read, twice, with everything in a new folder."""
    broken = Path(folder, "broken.pdf")
    broken.write_bytes(b"%PDF-1.7\ncut short")
    sources = [str(SAMPLES), str(broken)]
    first, second = (evaluate_corpus(sources, home=folder, return_state=True).result() for _ in range(2))
    samples = sorted(path for path in SAMPLES.iterdir() if path.is_file())
    return tuple(_checks(first, second, samples, broken))


def _checks(first: Evaluated, second: Evaluated, samples: list[Path], broken: Path) -> Iterator[Check]:
    done = {unit.path for unit in first.units}
    missing = [path.name for path in samples if str(path) not in done]
    yield _check(f"all {len(samples)} samples are evaluated", not missing, f"missing: {', '.join(missing)}")

    failed = {failure.path: failure.reason for failure in first.summary.failures}
    yield _check("a damaged file is one row in the failures", list(failed) == [str(broken)], f"failures: {failed}")

    undecided = [outcome.document for outcome in first.outcomes if outcome.selection.best is None]
    yield _check("each document has a best method", not undecided, f"none for {', '.join(undecided)}")

    disqualified = {
        outcome.document: dict(outcome.selection.disqualified)
        for outcome in first.outcomes
        if outcome.selection.disqualified
    }
    yield _check("no method failed on any sample", not disqualified, f"disqualified: {disqualified}")

    manifest = json.loads((first.folder / MANIFEST).read_text(encoding="utf-8"))
    yield _check(
        "every file of the run is written", set(manifest["files"]) == set(FILES), f"there are {manifest['files']}"
    )

    wrong = list(_wrong_chunks(first))
    yield _check("the best chunks are the text, whole and in order", not wrong, f"not so for {', '.join(wrong)}")

    unit = first.units[0]
    flow_result = artifacts.evaluation(unit, first.job)
    library_result = evaluate(artifacts.document(unit, first.job), first.job.recipe.settings)
    yield _check("the flow gives what the library gives", flow_result == library_result, f"not so for {unit.name}")

    again = second.summary
    yield _check("a second run recomputes nothing", not again.computed, f"it recomputed {again.computed} results")
    yield _check("and finds its results in place", second.folder == first.folder, f"they moved to {second.folder}")


def _wrong_chunks(evaluated: Evaluated) -> Iterator[str]:
    """Documents whose final chunks by the selected method are not slices that make up the text."""
    table = pq.read_table(evaluated.folder / "chunks.parquet")
    for unit, outcome in zip(evaluated.units, evaluated.outcomes, strict=True):
        final = (
            (pc.field("doc_name") == unit.name)
            & (pc.field("method") == (outcome.selection.best or ""))
            & (pc.field("type") == "no_small_chunks")
        )
        text = artifacts.document(unit, evaluated.job).text
        covered = 0
        for chunk in table.filter(final).sort_by("chunk_index").to_pylist():
            if chunk["chunk_text"] != text[chunk["start"] : chunk["end"]] or chunk["start"] > covered:
                break
            covered = chunk["end"]
        if covered != len(text):
            yield unit.name


def _check(what: str, holds: bool, problem: str) -> Check:
    return Check(what, None if holds else problem)
