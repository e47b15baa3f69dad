"""The heatmap in a real browser: the page's own policy lets the picture through, and it is drawn."""

import os
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from chunkfit.model import Chunking, Document, Mentions, Ranked, Selection, Span
from chunkfit.reporting import DocumentReport, RunSummary, report
from chunkfit.settings import Settings
from chunkfit.similarity import SentenceSimilarity

BROWSER = os.environ.get("CHUNKFIT_BROWSER") or shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium on the path; CHUNKFIT_BROWSER may name one"),
]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --virtual-time-budget=5000 --force-color-profile=srgb "
    "--force-device-scale-factor=1 --window-size=1280,2400"
)
ACCENT = (11, 106, 109)  # of the style sheet: #0b6a6d


def test_alike_sentences_are_drawn_in_the_colour_of_the_page(tmp_path: Path):
    # Four sentences, each like itself alone: the diagonal, a quarter of the picture, has the fullest shade.
    picture = SentenceSimilarity((0, 1, 2, 3, 4), 4, "/4CAgID/gICAgP+AgICA/w==", "by hand")
    chunking = Chunking("page", (Span(0, 2), Span(2, 4)))
    selection = Selection("page", (Ranked("page", 1.0, 2),), None, ("page",), {}, ("SC",), {}, "alone")
    document = Document("four.txt", "abcd")
    one = DocumentReport(document, (), selection, {"page": chunking}, {"page": (1, 1)}, Mentions("none"), picture)
    html = report(RunSummary("run", "data", datetime(2026, 1, 1), 1.0, Settings()), [one])
    page, shot = tmp_path / "report.html", tmp_path / "shot.png"
    page.write_text(html.replace("<details>", "<details open>"), encoding="utf-8")
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    command = [str(BROWSER), *FLAGS.split(), profile, f"--screenshot={shot}", page.as_uri()]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    from PIL import Image

    pixels = np.asarray(Image.open(shot).convert("RGB")).astype(int)
    full = np.abs(pixels - ACCENT).max(axis=2) <= 3
    # The picture is 26rem = 416 pixels wide, of which its margins take 2 in 102: a cell has 102 x 102 pixels, and each
    # row of pixels crosses one full cell. (A picture that was not let through shows as something else.)
    rows = full.sum(axis=1)
    assert np.count_nonzero((rows >= 95) & (rows <= 105)) >= 400
