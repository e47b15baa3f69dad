"""Pages of plain text: a form feed ends one."""

import re

from chunkfit.model import Page, Span


def pages_by_form_feed(text: str) -> tuple[Page, ...]:
    """One page per form feed and one for what follows the last; the form feed belongs to the page that it ends.

    A form feed at the very end starts no further page.
    """
    ends = [match.end() for match in re.finditer("\f", text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    starts = [0, *ends[:-1]]
    return tuple(
        Page(number, Span(start, end)) for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
    )
