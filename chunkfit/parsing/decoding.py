"""Bytes to text, never by guessing."""

import codecs

from chunkfit.errors import BadDocument

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKED = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of a file: by its byte-order mark, else as `declared` inside it, else UTF-8; line endings as they are.

    Raises BadDocument where the bytes do not follow that encoding, and for binary content. Other encodings are not
    guessed: a wrong guess would silently give a text that nobody wrote.
    """
    encoding = declared or "utf-8"
    for mark, name in _MARKED:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], name
            break
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadDocument(
            f"not {encoding.upper()} text: {error.reason} at byte {error.start} (0x{data[error.start]:02x}); "
            "save it as UTF-8, for instance with: iconv -f WINDOWS-1252 -t UTF-8"
        ) from error
    except LookupError as error:
        raise BadDocument(f"it declares the unknown encoding {encoding!r}; save it as UTF-8") from error
    if (position := text.find("\x00")) >= 0:
        raise BadDocument(
            f"not a text: it has a NUL character at offset {position}; "
            "binary files are not read, and UTF-16 needs a byte-order mark"
        )
    return text


def require_text(text: str) -> None:
    """Raises BadDocument where there is nothing but blanks."""
    if not text.strip():
        raise BadDocument("no text: the file holds nothing but blanks")
