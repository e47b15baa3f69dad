"""The heatmap of a document's sentences: picture, chunks, words, and its place in the report."""

import base64
import re
import struct
import zlib
from datetime import datetime
from itertools import pairwise

import numpy as np
import pytest

from chunkfit.model import Chunking, Document, Mentions, Ranked, Selection, Span
from chunkfit.reporting import DocumentReport, RunSummary, html, report
from chunkfit.reporting.heatmap import heatmap
from chunkfit.settings import Settings
from chunkfit.similarity import SentenceSimilarity


def similarity(matrix, edges=None, sentences=None):
    rows = np.array(matrix, float)
    stored = np.where(np.isnan(rows), 0, np.rint(np.nan_to_num(rows) * 127) + 128).astype(np.uint8)
    packed = base64.b64encode(stored.tobytes()).decode()
    return SentenceSimilarity(tuple(edges or range(len(rows) + 1)), sentences or len(rows), packed, "by hand")


def cut(method, *edges):
    return Chunking(method, tuple(Span(start, end) for start, end in pairwise(edges)))


TWO_TOPICS = similarity([[1, 0.8, 0, 0], [0.8, 1, 0.2, 0], [0, 0.2, 1, 0.6], [0, 0, 0.6, 1]])


def alphas(image):
    """The opacity of each pixel of a PNG of ours, read as the format says."""
    data = base64.b64decode(image.removeprefix("data:image/png;base64,"))
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = {}, 8
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        assert struct.unpack_from(">I", data, place + 8 + length) == (zlib.crc32(kind + body),)
        chunks[kind] = body
        place += 12 + length
    width, height, depth, colour = struct.unpack_from(">IIBB", chunks[b"IHDR"])
    assert (depth, colour) == (4, 3)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + (width + 1) // 2)
    assert not rows[:, 0].any()
    halves = np.stack([rows[:, 1:] >> 4, rows[:, 1:] & 15], axis=2).reshape(height, -1)[:, :width]
    return np.frombuffer(chunks[b"tRNS"], np.uint8)[halves]


def test_the_fuller_a_point_the_more_alike_the_two():
    heat = heatmap(TWO_TOPICS, {}, None)
    opacity = alphas(heat.image).astype(int)
    # The twelve cosines off the diagonal, ordered: 6 x 0, 2 x 0.2, 2 x 0.6, 2 x 0.8.
    assert (heat.low, heat.high) == (0, pytest.approx(0.8, abs=0.01))
    assert opacity[0].tolist() == [255, 255, 0, 0]
    assert 0 < opacity[1, 2] < opacity[2, 3] < opacity[0, 1]
    assert (opacity == opacity.T).all()


@pytest.mark.parametrize("size", [3, 4, 119, 120])
def test_pictures_of_any_size_are_whole(size):
    assert alphas(heatmap(similarity(np.eye(size)), {}, None).image).shape == (size, size)


def test_what_has_no_value_has_no_colour():
    heat = heatmap(similarity([[1, np.nan, 0.5], [np.nan, np.nan, np.nan], [0.5, np.nan, 1]]), {}, None)
    assert not alphas(heat.image)[1].any()


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, np.nan])
def test_sentences_that_are_all_equally_alike_have_a_scale_too(value):
    heat = heatmap(similarity(np.full((3, 3), value)), {"page": cut("page", 0, 3)}, "page")
    assert heat.low < heat.high


def test_each_chunk_is_a_square_on_the_diagonal():
    heat = heatmap(TWO_TOPICS, {"page": cut("page", 0, 2, 4)}, "page")
    assert heat.outlines[0].path == "M0 0h2v2h-2zM2 2h2v2h-2z"


def test_edges_inside_a_cell_are_drawn_inside_it_and_chunks_too_small_to_see_are_not():
    # Cells of 10 code points: 15 is the middle of the second; [15, 16) is a tenth of a cell.
    wide = similarity(np.eye(4), edges=(0, 10, 20, 30, 40))
    heat = heatmap(wide, {"fixed": cut("fixed", 0, 15, 16, 40)}, "fixed")
    assert heat.outlines[0].path == "M0 0h1.5v1.5h-1.5zM1.5 1.5h2.5v2.5h-2.5z"


def test_words_tell_how_alike_neighbours_are_inside_chunks_and_across_cuts():
    # inside [0, 2) and [2, 4): 0.8 and 0.6, mean 0.7; across the cut at 2: 0.2
    heat = heatmap(TWO_TOPICS, {"page": cut("page", 0, 2, 4), "whole": cut("whole", 0, 4)}, "page")
    assert [one.told for one in heat.outlines] == [
        "neighbouring sentences have a mean cosine of 0.70 inside chunks and 0.20 across cuts.",
        "neighbouring sentences have a mean cosine of 0.53 inside chunks.",  # (0.8 + 0.2 + 0.6) / 3
    ]
    assert [one.chosen for one in heat.outlines] == [True, False]
    assert heat.label == f"Cosine of each two of 4 sentences of this document. Chunks of page: {heat.outlines[0].told}"


def test_where_nothing_was_chosen_the_first_method_is_shown():
    heat = heatmap(TWO_TOPICS, {"page": cut("page", 0, 4), "fixed": cut("fixed", 0, 1, 4)}, None)
    assert [one.chosen for one in heat.outlines] == [True, False]


def one(name="<img src=x>", value=TWO_TOPICS):
    chunkings = {"page": cut("page", 0, 2, 4), 'recursive[size="<b>"]': cut("fixed", 0, 1, 4)}
    tokens = {method: (1,) * len(chunking) for method, chunking in chunkings.items()}
    selection = Selection("page", (Ranked("page", 1.0, 2),), None, ("page",), {}, ("SC",), {}, "alone")
    return DocumentReport(Document(name, "abcd"), (), selection, chunkings, tokens, Mentions("none"), value)


def page(*documents):
    return report(RunSummary("run", "data", datetime(2026, 1, 1), 1.0, Settings()), documents)


def test_the_report_shows_it_with_every_method_escaped_and_the_chosen_one_drawn():
    shown = page(one())
    assert shown.count('<figure class="heat">') == 1
    assert shown.count('<path class="shown" d="M0 0h2v2h-2zM2 2h2v2h-2z"/>') == 1
    assert "<option selected>page</option><option>recursive[size=&#34;&lt;b&gt;&#34;]</option>" in shown
    assert "neighbouring sentences have a mean cosine of 0.70 inside chunks and 0.20 across cuts." in shown


def test_pictures_may_come_from_the_page_alone_and_carry_no_style():
    shown = page(one())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', shown).group(1)
    assert "img-src data:;" in policy
    assert "default-src &#39;none&#39;" in policy
    figure = re.search(r'<figure class="heat">.*?</figure>', shown, re.DOTALL).group()
    assert "style=" not in figure
    assert re.findall(r'(?:href|src)="(?!data:image/png;base64,)', figure) == []


def test_names_inside_the_page_are_each_documents_own():
    shown = page(one("a"), one("b"))
    assert (
        re.findall(r'<mask id="([^"]*)"', shown) == re.findall(r'mask="url\(#([^)]*)\)"', shown) == ["heat-0", "heat-1"]
    )


def test_without_similarities_there_is_none():
    assert 'class="heat"' not in page(one(value=None))


def test_a_full_page_says_which_documents_go_without_and_what_draws_them(monkeypatch):
    monkeypatch.setattr(html, "HEATMAP_BYTES", 4_000)
    shown = page(*[one(f"{number}.txt") for number in range(9)])
    drawn = shown.count('<figure class="heat">')
    assert drawn in range(1, 5)
    assert shown.count("is not drawn here") == 9 - drawn
    assert "<code>python -m flows evaluate 8.txt</code>" in shown


def test_where_similarities_are_unknown_nothing_is_said_of_a_full_page():
    assert "is not drawn here" not in page(one(value=None))
