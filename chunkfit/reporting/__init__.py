"""Tables, plots and the HTML report: values in, text out."""

from chunkfit.reporting.html import report
from chunkfit.reporting.leaderboard import Leaderboard, leaderboard
from chunkfit.reporting.model import DocumentReport, Outcome, RunSummary

__all__ = ["DocumentReport", "Leaderboard", "Outcome", "RunSummary", "leaderboard", "report"]
