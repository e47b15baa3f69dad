"""The page in a real browser. Chromium is no requirement of the suite: without it these tests skip."""

import os
import shutil
import subprocess
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest

from chunkfit.model import Block, Chunking, Document, Mentions, Pair, Ranked, Selection, Span
from chunkfit.reporting import DocumentReport, RunSummary, report
from chunkfit.settings import Settings

BROWSER = os.environ.get("CHUNKFIT_BROWSER") or shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium on the path; CHUNKFIT_BROWSER may name one"),
]
# No sandbox, for a container is one; and no request of the browser's own.
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --virtual-time-budget=5000 --dump-dom"
)
VOID = {"meta", "link", "input", "br", "img", "wbr"}
ATTACK = "<img src=x onerror=document.title='taken'></script><script>document.title='taken'</script>"


class Rows(HTMLParser):
    """The rows of the viewer: the text beside each, and the classes that mark it."""

    def __init__(self, dom: str) -> None:
        super().__init__()
        self.rows: list[tuple[set[str], str]] = []
        self.marked: list[tuple[set[str], str]] = []
        self.title = ""
        self._open: list[tuple[str, set[str]]] = []
        self.feed(dom)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = set((dict(attrs).get("class") or "").split())
        if "chunk" in classes:
            self.rows.append((classes, ""))
        if tag not in VOID:
            self._open.append((tag, classes))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == [("title", set())]:
            self.title += data
        inside = set().union(*(classes for _, classes in self._open))
        if "words" in inside and self.rows:
            classes, text = self.rows[-1]
            self.rows[-1] = (classes, text + data)
            if inside & {"cut", "ref"}:
                self.marked.append((inside & {"cut", "ref"}, data))


def opened(folder: Path, one: DocumentReport, method: str) -> Rows:
    run = RunSummary("run", "data", datetime(2026, 1, 1), 1.0, Settings())
    page = folder / "report.html"
    page.write_text(report(run, [one]), encoding="utf-8")
    address = f"{page.as_uri()}#view=0,{quote(method)}"
    command = [str(BROWSER), *FLAGS.split(), f"--user-data-dir={folder / 'profile'}", address]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    return Rows(done.stdout.decode())


def cut(
    text: str, spans: list[tuple[int, int]], blocks: list[int] | None = None, pairs: tuple[Pair, ...] = ()
) -> DocumentReport:
    edges = blocks or [len(text)]
    tiles = tuple(Block("paragraph", Span(*edge)) for edge in zip([0, *edges], edges, strict=False))
    chunking = Chunking("fixed", tuple(Span(*span) for span in spans))
    selection = Selection("fixed", (Ranked("fixed", 1.0, len(spans)),), None, ("fixed",), {}, ("SC",), {}, "alone")
    document = Document(f"{ATTACK}.txt", text, blocks=tiles)
    return DocumentReport(
        document, (), selection, {"fixed": chunking}, {"fixed": (1,) * len(spans)}, Mentions("rules", (), pairs)
    )


def test_the_viewer_cuts_text_beyond_the_basic_plane_where_python_does(tmp_path: Path):
    text = f"👨‍👩‍👧‍👦 family, 𝕏𝕐ℤ {ATTACK} שלום \u2028 end 😀."
    view = opened(tmp_path, cut(text, [(0, 9), (9, 21), (21, len(text))]), "fixed")
    assert [words for _, words in view.rows] == [text[:9], text[9:21], text[21:]]
    assert view.title == "chunkfit: data"


def test_the_viewer_marks_gaps_overlaps_cut_blocks_and_broken_references(tmp_path: Path):
    text = "Ann left the house early. She ran to the station.Nobody knew it."
    she = text.index("She")
    reference = Pair(Span(0, 3), Span(she, she + 3))
    view = opened(tmp_path, cut(text, [(0, 24), (20, 49), (52, 64)], blocks=[49, 64], pairs=(reference,)), "fixed")
    assert [words for _, words in view.rows] == [text[:20], text[20:24], text[24:49], text[49:52], text[52:]]
    assert [classes & {"overlap", "none", "cuts"} for classes, _ in view.rows] == [
        set(),
        {"overlap", "cuts"},
        {"cuts"},
        {"none"},
        {"cuts"},
    ]
    assert [words for classes, words in view.marked if "ref" in classes] == ["Ann", "She"]
    assert "".join(words for classes, words in view.marked if "cut" in classes) == text
