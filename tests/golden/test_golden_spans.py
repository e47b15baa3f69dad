"""The chunks of 33 real documents, span for span as the reference implementation cuts them."""

import polars as pl
import pytest

from chunkfit.chunking import chunkers
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.parsing.parsed_json import document_name, parsed_json
from chunkfit.postprocessing import postprocess
from chunkfit.settings import PostprocessRules

pytestmark = pytest.mark.slow

NAMES = {
    "page": "page",
    "langchain_default": "langch_recurs_default",
    "langchain_1100": "langch_recurs_1100",
    "recursive_1100": "our_recurs_1100",
    "recursive_600": "our_recurs_600",
}


@pytest.fixture(scope="module")
def documents(clair):
    """What is known about each document, by its name."""
    found = {}
    for path in sorted((clair / "parsed").glob("*.json")):
        data = path.read_bytes()
        document = parsed_json(data, document_name(data), len(data))
        found[document.name] = Evidence(document, default_engines())
    assert len(found) == 33
    return found


@pytest.fixture(scope="module")
def golden(clair):
    """The reference's spans by method and document."""
    table = pl.read_parquet(clair / "golden" / "spans.parquet").sort("chunk_index")
    return {
        key: list(zip(rows["start"], rows["end"], strict=True))
        for key, rows in table.partition_by("method", "doc_name", as_dict=True).items()
    }


@pytest.mark.parametrize("method", [name for name in NAMES if name != "langchain_default"])
def test_spans_are_equal_before_and_after_post_processing(method, documents, golden):
    for name, evidence in documents.items():
        raw, _, final = postprocess(chunkers[method].make(evidence), evidence, PostprocessRules())
        assert [(span.start, span.end) for span in raw.spans] == golden[f"{NAMES[method]}_raw", name], name
        assert [(span.start, span.end) for span in final.spans] == golden[NAMES[method], name], name


def test_overlapping_chunks_have_the_same_texts(documents, golden):
    # Where a text repeats itself within an overlap, a search may have placed a chunk elsewhere.
    for name, evidence in documents.items():
        text = evidence.document.text
        raw, _, final = postprocess(chunkers["langchain_default"].make(evidence), evidence, PostprocessRules())
        for stage, key in ((raw, "langch_recurs_default_raw"), (final, "langch_recurs_default")):
            assert [span.of(text) for span in stage.spans] == [text[start:end] for start, end in golden[key, name]]
