"""Text that JSON in UTF-8 can carry."""

import re

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def sendable(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, as the static embedder reads them; everything else stays."""
    return LONE_SURROGATE.sub("\ufffd", text)
