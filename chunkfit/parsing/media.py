"""Which kinds of documents there are, and which kind a file is, by its name and its first bytes."""

import json
from pathlib import Path

from chunkfit.errors import BadDocument

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HTML = "text/html"
MARKDOWN = "text/markdown"
TEXT = "text/plain"
PARSED_JSON = "application/vnd.chunkfit.parsed+json"

MEDIA_TYPES = {
    ".docx": DOCX,
    ".htm": HTML,
    ".html": HTML,
    ".json": PARSED_JSON,
    ".markdown": MARKDOWN,
    ".md": MARKDOWN,
    ".pdf": PDF,
    ".pptx": PPTX,
    ".text": TEXT,
    ".txt": TEXT,
    ".xhtml": HTML,
    ".xlsx": XLSX,
}
KNOWN = ", ".join(sorted(MEDIA_TYPES)).replace(".json", ".json (parsed documents)")

PARSED_FIELDS = ("document_name", "pages", "full_text", "split_points", "titles")

_OFFICE = {DOCX: "Word document", PPTX: "PowerPoint file", XLSX: "Excel workbook"}
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
HEAD_BYTES = 1024  # PDF readers accept a header within the first 1024 bytes


def media_type_of(path: Path, content: bytes) -> str:
    """The media type of the file at `path`, of which `content` is the beginning (all of it for a JSON file).

    Raises BadDocument for an unknown type, and where the content contradicts the name.
    """
    media_type = MEDIA_TYPES.get(path.suffix.lower())
    if media_type is None:
        kind = f"files of type {path.suffix}" if path.suffix else "files without an ending"
        raise BadDocument(f"{kind} are not read; known types: {KNOWN}")
    head = content[:HEAD_BYTES]
    if not head:
        raise BadDocument("the file is empty (0 bytes)")
    if media_type == PDF and b"%PDF-" not in head:
        raise BadDocument(f"named {path.suffix}, but it is not a PDF: it has no %PDF header")
    if media_type in _OFFICE and not head.startswith(_ZIP):
        raise BadDocument(_not_office(path.suffix, _OFFICE[media_type], head))
    if media_type in (HTML, MARKDOWN, TEXT) and b"\x00" in head and not head.startswith(_BYTE_ORDER_MARKS):
        raise BadDocument(f"named {path.suffix}, but it is binary: it has a NUL byte at offset {head.index(0)}")
    if media_type == PARSED_JSON and not _has_parsed_fields(content):
        raise BadDocument(
            f"JSON of unknown type; parsed documents have the fields {', '.join(PARSED_FIELDS)}; known types: {KNOWN}"
        )
    return media_type


def _not_office(suffix: str, kind: str, head: bytes) -> str:
    if head.startswith(_OLE):
        return (
            f"named {suffix}, but it is protected by a password or in the old binary format; "
            f"save it as {suffix} without a password"
        )
    return f"named {suffix}, but it is no {kind}: it is corrupt or of another type"


def _has_parsed_fields(content: bytes) -> bool:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return b'"document_name"' in content  # a parsed document once, now broken or cut: its parser says where
    return isinstance(value, dict) and "full_text" in value and "pages" in value
