"""The paper profile on 33 real documents: what the reference implementation gives for the same chunks."""

import polars as pl
import pytest

from chunkfit.engines import Engines
from chunkfit.engines.static import StaticEmbedder
from chunkfit.evidence import Evidence
from chunkfit.mentions import read_mentions
from chunkfit.metrics import paper
from chunkfit.model import Chunking, Span
from chunkfit.parsing.parsed_json import document_name, parsed_json

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scores(clair):
    """A row per document and method: each metric as the reference has it, and ours beside it."""
    engines = Engines(StaticEmbedder(), None, None)  # sentences and mentions are not asked for: the mentions are given
    mentions = read_mentions(clair / "mentions.parquet")
    spans = pl.read_parquet(clair / "golden" / "spans.parquet").sort("chunk_index")
    of_document = spans.partition_by("doc_name", as_dict=True)
    rows = []
    for path in sorted((clair / "parsed").glob("*.json")):
        data = path.read_bytes()
        document = parsed_json(data, document_name(data), len(data))
        evidence = Evidence(document, engines, mentions[document.name])
        for (method,), chunks in of_document[(document.name,)].partition_by("method", as_dict=True).items():
            pairs = zip(chunks["start"], chunks["end"], strict=True)
            chunking = Chunking(method, tuple(Span(start, end) for start, end in pairs))
            ours = {f"{part.name}_ours": part.make(chunking, evidence).value for part in paper}
            rows.append({"doc_name": document.name, "method": method, **ours})
    ours = pl.DataFrame(rows, infer_schema_length=None)
    golden = pl.read_parquet(clair / "golden" / "metrics.parquet").with_columns(pl.col("ICC").cast(pl.Float64))
    return golden.join(ours, on=["doc_name", "method"], validate="1:1")


def difference(metric):
    return (pl.col(metric) - pl.col(f"{metric}_ours")).abs()


def test_every_row_of_the_reference_is_there(scores):
    assert len(scores) == 330


@pytest.mark.parametrize("metric", ["RC", "ICC", "DCC", "BI", "SC"])
def test_there_is_no_value_where_the_reference_has_none(scores, metric):
    assert scores.filter(pl.col(metric).is_null() != pl.col(f"{metric}_ours").is_null()).is_empty()


@pytest.mark.parametrize("metric", ["RC", "BI", "SC"])
def test_what_needs_no_vectors_is_equal(scores, metric):
    assert scores.filter(difference(metric) > 1e-9).is_empty()


@pytest.mark.parametrize("metric", ["ICC", "DCC"])
def test_what_needs_vectors_agrees_in_each_row(scores, metric):
    # 0.015 would do; as spans have the vectors of the same text read alone, nothing but rounding is left
    assert scores.filter(difference(metric) > 1e-5).is_empty()


def test_the_methods_are_in_the_same_order_of_cohesion(scores):
    means = scores.group_by("method").agg(pl.col("ICC", "ICC_ours").mean())
    assert means.sort("ICC")["method"].to_list() == means.sort("ICC_ours")["method"].to_list()
