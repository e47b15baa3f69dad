"""Word, PowerPoint and HTML through docling's model-free backends. Imported in a child process only.

docling reads these formats without torch, whose import would cost seconds and half a gigabyte.
"""

import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from chunkfit.errors import BadDocument
from chunkfit.model import Document
from chunkfit.parsing.archives import check_archive
from chunkfit.parsing.assembly import Piece, assemble
from chunkfit.parsing.decoding import decode
from chunkfit.parsing.docling_items import docling_pieces, outside_the_body, page_numbers
from chunkfit.parsing.flatten import flat_docx, flat_html


@contextmanager
def _hidden(*names: str) -> Iterator[None]:
    before = {name: sys.modules.get(name) for name in names}
    absent: dict[str, Any] = dict.fromkeys(names)
    sys.modules.update(absent)  # None: an import of it fails, as where it is not installed
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


with _hidden("torch", "transformers"):
    from docling.backend.html_backend import HTMLDocumentBackend
    from docling.backend.mspowerpoint_backend import MsPowerpointDocumentBackend
    from docling.backend.msword_backend import MsWordDocumentBackend
    from docling.datamodel.backend_options import HTMLBackendOptions
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument


def word(data: bytes, name: str, max_bytes: int) -> Document:
    """A Word file on one page: where its pages end is up to the printer. Raises BadDocument."""
    check_archive(data, "word/document.xml", max_bytes)
    read = _read(flat_docx(data), name, InputFormat.DOCX, MsWordDocumentBackend)
    return _assembled(name, read, docling_pieces(read))


def powerpoint(data: bytes, name: str, max_bytes: int) -> Document:
    """A slide a page, speaker notes left out. Raises BadDocument."""
    check_archive(data, "ppt/presentation.xml", max_bytes)
    read = _read(data, name, InputFormat.PPTX, MsPowerpointDocumentBackend)
    return _assembled(name, read, docling_pieces(read), page_numbers(read))


def html(data: bytes, name: str, max_bytes: int) -> Document:
    """A web page without navigation, its footer and scripts, on one page; `h1` has level 1. Raises BadDocument."""
    declared = _DECLARED_ENCODING.search(data[:2048])
    markup = decode(data, declared.group(1).decode("ascii") if declared else None)
    # docling takes what stands before the first heading for page furniture, and would drop it.
    options = HTMLBackendOptions(infer_furniture=False, add_title=False)
    flat = _DECLARATION.sub("", flat_html(markup)).encode("utf-8-sig", "replace")
    read = _read(flat, name, InputFormat.HTML, HTMLDocumentBackend, options)
    # As written: docling's tidied version has plain quotes and dashes.
    return _assembled(name, read, docling_pieces(read, highest_section=2, wording="orig"))


def _read(data: bytes, name: str, kind: Any, backend: Any, options: Any = None) -> Any:
    source = InputDocument(io.BytesIO(data), kind, backend, backend_options=options, filename=name)
    if not source.valid:
        raise BadDocument(f"docling cannot open it as {kind.value.upper()}: it is corrupt or not of this type")
    return source._backend.convert()


def _assembled(name: str, read: Any, pieces: Iterable[Piece], pages: Sequence[int] = (1,)) -> Document:
    document = assemble(name, pieces, pages)
    if not document.text:
        raise BadDocument("no text: there is nothing to read in it but blanks and pictures")
    return replace(document, unread=outside_the_body(read))


_DECLARED_ENCODING = re.compile(rb"<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_DECLARATION = re.compile(r"<\?xml[^>]*\?>|<meta[^>]+charset[^>]*>", re.IGNORECASE)
