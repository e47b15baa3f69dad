"""The HTML report."""

from collections.abc import Iterable

from chunkfit.reporting.model import DocumentReport, RunSummary


def report(run: RunSummary, documents: Iterable[DocumentReport]) -> str:
    """One self-contained HTML page."""
    from markupsafe import escape

    names = "".join(f"<li>{escape(one.document.name)}</li>" for one in documents)
    return f"<!doctype html><meta charset=utf-8><title>chunkfit {escape(run.run_id)}</title><ul>{names}</ul>"
