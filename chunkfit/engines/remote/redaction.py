"""Server messages without the key that some of them repeat."""

import re

_LEAST = 6  # characters of the key in a row that count as a part of it
_MOST = 2000  # characters of a message that are looked at
_MASKED = re.compile(r"\S*\*{3,}\S*")  # "sk-ab******yz": servers show the ends of a key that they refuse


def redacted(message: str, key: str | None) -> str:
    """One line without the key, parts of it, or anything masked. At most 2000 characters."""
    text = _MASKED.sub("[key]", " ".join(message[:_MOST].split()))
    if key:
        pieces = {key[i : i + _LEAST] for i in range(max(1, len(key) - _LEAST + 1))}
        width = min(_LEAST, len(key))
        hidden = [False] * len(text)
        for start in range(len(text) - width + 1):
            if text[start : start + width] in pieces:
                hidden[start : start + width] = [True] * width
        marked = "".join("\0" if hide else letter for letter, hide in zip(text, hidden, strict=True))
        text = re.sub("\0+", "[key]", marked)
    return text
