"""Where the tokens that a server returns stand in the text that it was sent."""

from collections.abc import Sequence

LOST = -1


def aligned(tokens: Sequence[str], text: str) -> list[int]:
    """The offset of each token in `text`, in code points; LOST for those that stand for no whole characters of it.

    Lost are the special tokens that a server adds before a text, what it has written behind it, and tokens that hold
    part of a character (as "bytes:\\\\xf0" or U+FFFD, servers differ). Behind such parts the next whole token is taken
    up where it comes first within the few characters that they can stand for. Raises ValueError where the tokens do not
    reach the end of the text.
    """
    found: list[int] = []
    reached = 0
    unsure = 0  # characters behind `reached` at most that lost tokens may stand for
    for token in tokens:
        known = not unsure and text.startswith(token, reached)  # U+FFFD may be the text's own
        spelt = token if known else _spelt(token)
        at = text.find(spelt, reached, reached + unsure + len(spelt)) if spelt else LOST
        if at == LOST and reached == 0 and spelt.startswith(" ") and text.startswith(spelt[1:]):
            at, spelt = 0, spelt[1:]  # a blank that the tokeniser sets before every text
        found.append(at)
        if at == LOST:
            unsure += len(token)
        else:
            reached, unsure = at + len(spelt), 0
    if reached + unsure < len(text):
        raise ValueError(f"the tokens returned end at character {reached} of {len(text)}")
    return found


def _spelt(token: str) -> str:
    """A token as it stands in a text; "" where it holds part of a character only."""
    if token.startswith("bytes:") or "\ufffd" in token:
        return ""
    return token.replace("\u2581", " ")  # how SentencePiece shows blanks
