"""Lone surrogates: halves of a UTF-16 pair, which Python's strings may hold and UTF-8 has no bytes for."""

import re

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


def without_lone_surrogates(text: str) -> str:
    """The text with U+FFFD for each, so that offsets still hold: what Parquet, Arrow and most libraries can store."""
    return text if text.isascii() else _LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
