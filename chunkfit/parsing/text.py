"""Plain text: paragraphs parted by blank lines or their own separator (U+2029), pages by form feeds."""

import re

from chunkfit.model import Block, Document, Span
from chunkfit.parsing.decoding import decode, require_text
from chunkfit.parsing.pages import pages_by_form_feed

_LINE = re.compile(r"[^\r\n\v\f\x85\u2028\u2029]*(?:\r\n|[\r\n\v\f\x85\u2028\u2029]|\Z)")


def text(data: bytes, name: str, max_bytes: int) -> Document:
    """The file's text unchanged, its byte-order mark apart. Raises BadDocument: see `decode`."""
    content = decode(data)
    require_text(content)
    return Document(name, content, pages_by_form_feed(content), _paragraphs(content))


def _paragraphs(content: str) -> tuple[Block, ...]:
    starts = [0]
    after_blank = False
    seen_text = False  # blank lines at the top belong to the first paragraph
    for line in _LINE.finditer(content):
        blank = not line.group().strip()
        if not blank:
            if after_blank and seen_text:
                starts.append(line.start())
            seen_text = True
        after_blank = blank or line.group().endswith(("\f", "\u2029"))
    ends = [*starts[1:], len(content)]
    return tuple(Block("paragraph", Span(start, end)) for start, end in zip(starts, ends, strict=True))
