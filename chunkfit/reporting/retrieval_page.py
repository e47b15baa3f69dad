"""The page of a comparison of methods by what they retrieve."""

from chunkfit.reporting.page import HARMFUL, asset, environment, policy
from chunkfit.reporting.retrieval_run import RetrievalRun, half_width, leaders
from chunkfit.reporting.retrieval_table import retrieval_sentence
from chunkfit.reporting.text import REPLACEMENT
from chunkfit.retrieval.method_retrieval import CHUNKS, PLACES, SPAN_MEASURES, within_tokens

MOST_DOCUMENTS = 200  # a table of recall by document beyond that is for the Parquet file


def retrieval_page(run: RetrievalRun) -> str:
    """One self-contained HTML page: every measure of every method, with intervals, and recall by document."""
    html = (
        environment()
        .get_template("retrieval.html.j2")
        .render(
            run=run,
            sentence=retrieval_sentence(run) if run.standings else "",
            leaders={name: leaders(standings) for name, standings in run.standings.items()},
            half_width=half_width,
            within_tokens=within_tokens,
            span_measures=tuple(SPAN_MEASURES.values()),
            chunks=CHUNKS,
            places=PLACES,
            most_documents=MOST_DOCUMENTS,
            settings=run.settings.model_dump_json(indent=2),
            style=asset("report.css"),
            policy=policy(style="report.css"),
        )
    )
    return HARMFUL.sub(REPLACEMENT, html)
