"""docling's view of a PDF, without rendering: every page is read before the first one is handed out."""

import logging
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
from docling.backend.docling_parse_backend import ThreadedDoclingParsePageBackend
from docling.backend.pdf_backend import PdfDocumentBackend, PdfPageBackend
from docling.datamodel.backend_options import PdfBackendOptions
from docling.exceptions import DocumentLoadError
from docling.utils.locks import pypdfium2_lock
from docling_core.types.doc import BoundingBox, CoordOrigin, Size
from docling_core.types.doc.page import BoundingRectangle, SegmentedPdfPage, TextCell
from docling_parse.pdf_parser import (
    ContentConfig,
    ContentLevel,
    DecodeConfig,
    DoclingThreadedPdfParser,
    PageParseResult,
    ThreadedPdfParserConfig,
)
from PIL import Image

from chunkfit.parsing.geometric.content import Box, PageContent
from chunkfit.parsing.geometric.pdfium_fonts import FontMap, font_map
from chunkfit.parsing.geometric.survey import Survey, survey
from chunkfit.parsing.geometric.turning import turn_of
from chunkfit.parsing.geometric.words import Word, runs_of

_log = logging.getLogger(__name__)
_PARSER_THREADS = min(4, os.cpu_count() or 1)
_MAX_RULING_THICKNESS = 3.0  # points: a thicker bar is a drawing or a coloured cell
_NO_FONTS = FontMap()
_MAX_RULINGS = 5_000  # a page with more lines is a drawing, not a table


class GeometricPageBackend(PdfPageBackend):  # type: ignore[misc]
    """One page, already decoded."""

    def __init__(self, page_no: int, content: PageContent, segmented: SegmentedPdfPage | None, error: str = "") -> None:
        self._page_no = page_no
        self.content = content
        self._segmented = segmented
        self._error = error

    @property
    def page_no(self) -> int:
        return self._page_no

    def is_valid(self) -> bool:
        return self._segmented is not None

    def get_error_message(self) -> str:
        return self._error

    def get_size(self) -> Size:
        return Size(width=self.content.width, height=self.content.height)

    def get_segmented_page(self) -> SegmentedPdfPage | None:
        if self._segmented is not None and not self._segmented.has_lines:
            self._segmented.textline_cells = list(self.get_text_cells())
            self._segmented.has_lines = True
        return self._segmented

    def get_text_cells(self) -> Iterable[TextCell]:
        for run in self.content.runs:
            rect = BoundingRectangle.from_bounding_box(_bounding_box(run.box))
            yield TextCell(rect=rect, text=run.text, orig=run.text, from_ocr=False)

    def get_text_in_rect(self, bbox: BoundingBox) -> str:
        return " ".join(
            run.text for run in self.content.runs if _bounding_box(run.box).intersection_over_self(bbox) > 0.5
        )

    def get_bitmap_rects(self, scale: float = 1) -> Iterable[BoundingBox]:
        return [_bounding_box(image).scaled(scale) for image in self.content.images]

    def get_shape_lines(
        self, *, horizontal: bool = True, vertical: bool = True, tolerance: float = 1e-3
    ) -> list[BoundingBox]:
        return [
            _bounding_box(line)
            for line in self.content.rulings
            if (horizontal and line.width >= line.height) or (vertical and line.height > line.width)
        ]

    def get_page_image(self, scale: float = 1, cropbox: BoundingBox | None = None) -> Image.Image:
        # docling asks for an image of every page. Nothing here looks at it, and drawing costs more than all the rest.
        return Image.new("RGB", (1, 1), "white")

    def unload(self) -> None:
        self._segmented = None


class GeometricPdfBackend(PdfDocumentBackend):  # type: ignore[misc]
    """A PDF whose pages come with their ruling lines, and with a survey of the whole document."""

    supports_random_page_access = False

    def __init__(self, in_doc: Any, path_or_stream: BytesIO | Path, options: PdfBackendOptions | None = None) -> None:
        super().__init__(in_doc, path_or_stream, options or PdfBackendOptions())
        self._password = self.options.password.get_secret_value() if self.options.password else None
        self._parser = DoclingThreadedPdfParser(
            parser_config=ThreadedPdfParserConfig(
                loglevel="fatal",
                threads=_PARSER_THREADS,
                page_content_config=ContentConfig(
                    char_cells_content_level=ContentLevel.COMPUTE,
                    word_cells_content_level=ContentLevel.COMPUTE,
                    # Its lines run on over the gaps between table cells, so lines are made here, from words.
                    line_cells_content_level=ContentLevel.SKIP,
                    shapes_content_level=ContentLevel.COMPUTE,
                    bitmaps_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
                    include_bitmap_bytes=False,
                ),
            ),
            decode_config=DecodeConfig(),
        )
        first, last = in_doc.limits.page_range
        if isinstance(self.path_or_stream, BytesIO):
            self.path_or_stream.seek(0)
        try:
            self._key: str | None = self._parser.load(
                self.path_or_stream,
                password=self._password,
                page_range=(min(first, sys.maxsize), min(last, sys.maxsize)),
            )
        except (RuntimeError, ValueError) as error:
            raise DocumentLoadError(f"the PDF cannot be read: {error}") from error
        self._pages = self._parser.page_count(self._key)
        self.survey: Survey | None = None

    def is_valid(self) -> bool:
        return self._key is not None and self._pages > 0

    def page_count(self) -> int:
        return self._pages

    def load_page(self, page_no: int) -> PdfPageBackend:
        raise NotImplementedError("pages are read together; use iter_pages()")

    def iter_pages(self) -> Iterator[GeometricPageBackend]:
        """All pages in order. The survey is ready when the first one arrives."""
        pages = sorted(self._read_pages(), key=lambda page: page.page_no)
        self.survey = survey([page.content for page in pages])
        yield from pages

    def unload(self) -> None:
        if self._key is None:
            return
        key, self._key = self._key, None
        while self._parser.has_tasks():  # the parser cannot let go of a document that it is still reading
            self._parser.get_task()
        self._parser.unload(key)
        super().unload()

    def _read_pages(self) -> Iterator[GeometricPageBackend]:
        fonts = _FontReader(self.path_or_stream, self._password)
        try:
            for result in self._parser.iterate_results():
                number = result.page_number
                if result.success:
                    page = ThreadedDoclingParsePageBackend(result, rendered=False)
                    words = _decoded_words(result, result.page_height)
                    content = page_content(page, words, fonts.of_page(number))
                    yield GeometricPageBackend(number, content, page.get_segmented_page())
                else:
                    empty = PageContent(number, result.page_width, result.page_height)
                    yield GeometricPageBackend(number, empty, None, result.error_message)
        finally:
            fonts.close()


class _FontReader:
    """pdfium's fonts, page by page; without them where pdfium cannot read what docling-parse can."""

    def __init__(self, path_or_stream: BytesIO | Path, password: str | None) -> None:
        try:
            with pypdfium2_lock:
                self._document = pypdfium2.PdfDocument(path_or_stream, password=password)
        except pypdfium2.PdfiumError as error:
            _log.info("font names stay unknown: %s", error)
            self._document = None

    def of_page(self, number: int) -> FontMap:
        if self._document is None or number > len(self._document):
            return FontMap()
        with pypdfium2_lock:
            try:
                page = self._document[number - 1]
            except pypdfium2.PdfiumError:
                return FontMap()
            try:
                return font_map(page)
            finally:
                page.close()

    def close(self) -> None:
        if self._document is not None:
            with pypdfium2_lock:
                self._document.close()


def page_content(page: PdfPageBackend, words: Iterable[Word] | None = None, fonts: FontMap = _NO_FONTS) -> PageContent:
    """What any of docling's page backends knows about a page."""
    size = page.get_size()
    rulings = [_box(line) for line in page.get_shape_lines() or []]
    rulings += [_box(bar) for bar in page.get_thin_shape_boxes(max_thickness=_MAX_RULING_THICKNESS) or []]
    return PageContent(
        number=page.page_no,
        width=size.width,
        height=size.height,
        runs=tuple(runs_of(_words_of_cells(page) if words is None else words, fonts, size.width, size.height)),
        rulings=tuple(filter(_is_finite, rulings)) if len(rulings) <= _MAX_RULINGS else (),
        images=tuple(image for rect in page.get_bitmap_rects() if _is_finite(image := _box(rect))),
    )


def _words_of_cells(page: PdfPageBackend) -> Iterator[Word]:
    segmented = page.get_segmented_page()
    cells = (segmented and segmented.word_cells) or page.get_text_cells()
    for cell in cells:
        rect = cell.rect
        corners = (rect.r_x0, rect.r_y0, rect.r_x1, rect.r_y1, rect.r_x2, rect.r_y2, rect.r_x3, rect.r_y3)
        word = _word(cell.text, corners, getattr(cell, "font_name", ""), cell.text_direction != "right_to_left")
        if word is not None:
            yield word


def _decoded_words(result: PageParseResult, height: float) -> Iterator[Word]:
    # The public way makes a validated model of every word, which takes longer than decoding the page.
    for cell in result._require_page_decoder().get_word_cells():
        xs = (cell.r_x0, cell.r_x1, cell.r_x2, cell.r_x3)
        ys = (height - cell.r_y0, height - cell.r_y1, height - cell.r_y2, height - cell.r_y3)
        corners = tuple(value for point in zip(xs, ys, strict=True) for value in point)
        word = _word(cell.text, corners, cell.font_name, cell.left_to_right)
        if word is not None:
            yield word


def _word(text: str, corners: Sequence[float], font: str, rightward: bool) -> Word | None:
    """A word from its corners x0, y0, x1, ...: along the baseline first, then up."""
    text = text.strip()
    if not text or not all(map(math.isfinite, corners)):
        return None
    xs, ys = corners[::2], corners[1::2]
    return Word(
        text=text,
        box=Box(min(xs), min(ys), max(xs), max(ys)),
        font=font,
        height=math.hypot(xs[3] - xs[0], ys[3] - ys[0]),
        turn=turn_of(xs[1] - xs[0], ys[1] - ys[0]),
        rightward=rightward,
    )


def _box(box: BoundingBox) -> Box:
    """From a top-left bounding box, whichever way round its corners are."""
    return Box(min(box.l, box.r), min(box.t, box.b), max(box.l, box.r), max(box.t, box.b))


def _bounding_box(box: Box) -> BoundingBox:
    return BoundingBox(l=box.left, t=box.top, r=box.right, b=box.bottom, coord_origin=CoordOrigin.TOPLEFT)


def _is_finite(box: Box) -> bool:
    return all(map(math.isfinite, (box.left, box.top, box.right, box.bottom)))
