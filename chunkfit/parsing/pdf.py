"""PDFs through docling: its own layout model where the weights are present, else geometry. Imported in a child only."""

import io
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

import pypdfium2
from docling.datamodel.base_models import ConversionStatus, DocumentStream, InputFormat
from docling.datamodel.pipeline_options import PdfPipelineOptions
from docling.document_converter import DocumentConverter, PdfFormatOption

from chunkfit.errors import BadDocument
from chunkfit.model import Document
from chunkfit.parsing.assembly import assemble
from chunkfit.parsing.docling_items import docling_pieces, outside_the_body, page_numbers
from chunkfit.parsing.geometric import pdf_format_option

_TAIL_BYTES = 2048  # readers look for the end-of-file mark in the last 1024; some programs append a few blanks


def geometric(data: bytes, name: str, max_bytes: int) -> Document:
    """Pages as printed, running headers and footers left out. Raises BadDocument."""
    return _assembled(data, name, pdf_format_option())


def modelled(data: bytes, name: str, max_bytes: int) -> Document:
    """The same with docling's own layout and table models. Raises BadDocument."""
    return _assembled(data, name, PdfFormatOption(pipeline_options=PdfPipelineOptions(do_ocr=False)))


def _assembled(data: bytes, name: str, option: PdfFormatOption) -> Document:
    require_whole(data)
    converter = DocumentConverter(allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: option})
    result = converter.convert(DocumentStream(name="document.pdf", stream=io.BytesIO(data)), raises_on_error=False)
    if result.status is not ConversionStatus.SUCCESS:
        reasons = "; ".join(dict.fromkeys(error.error_message for error in result.errors)) or result.status.value
        raise BadDocument(f"docling cannot read all of it: {reasons}")
    read = result.document
    document = assemble(name, docling_pieces(read), page_numbers(read))
    if not document.text:
        raise BadDocument(why_without_text(data))
    blank = [page.number for page in document.pages if not page.span]
    return replace(document, unread=(*_pictures_without_text(data, blank), *outside_the_body(read)))


def require_whole(data: bytes) -> None:
    """Raises BadDocument for a PDF that is protected, broken or cut short."""
    if b"%%EOF" not in data[-_TAIL_BYTES:]:
        # Readers can often rebuild the beginning of such a file, and would silently leave out the rest.
        raise BadDocument("a PDF that is cut short: it has no end-of-file mark; get the complete file")
    try:
        with closing(pypdfium2.PdfDocument(data)) as opened:
            pages = len(opened)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise BadDocument("an encrypted PDF that needs a password; save it without one") from error
        raise BadDocument(f"a broken PDF: {error}") from error
    if not pages:
        raise BadDocument("a PDF without pages")


def _pictures_without_text(data: bytes, blank: Sequence[int]) -> tuple[str, ...]:
    """A page that was scanned among pages that were not comes out blank: that must not pass in silence."""
    with closing(pypdfium2.PdfDocument(data)) as opened:
        pictured = [number for number in blank if _has_pictures(opened[number - 1])]
    if not pictured:
        return ()
    return (f"pages without a text layer, which show pictures only: {', '.join(map(str, pictured))}",)


def why_without_text(data: bytes) -> str:
    """What a PDF without text shows instead."""
    with closing(pypdfium2.PdfDocument(data)) as opened:
        pages = len(opened)
        pictured = sum(_has_pictures(page) for page in opened)
    if pictured:
        return (
            f"no text layer: {pictured} of its {pages} pages show pictures only; "
            "make their text readable with OCR first, for instance with ocrmypdf"
        )
    return f"no text: its {pages} pages are blank"


def _has_pictures(page: pypdfium2.PdfPage) -> bool:
    return any(item.type != pypdfium2.raw.FPDF_PAGEOBJ_TEXT for item in page.get_objects(max_depth=2))
