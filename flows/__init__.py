"""Prefect flows over the tasks: `python -m flows --help`."""

import os

# Before anything imports Prefect: its client sends analytics unless told not to.
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
