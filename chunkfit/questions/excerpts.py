"""What makes a quotation a reference: it stands in the document once, and is neither a crumb nor the whole window."""

from collections.abc import Sequence
from typing import Literal

from chunkfit.evidence import Evidence
from chunkfit.model import Span
from chunkfit.questions.placing import NotInText, NotUnique, merged, the_only
from chunkfit.references.placing import VisibleText, beginning

SHORTEST, LONGEST = 5, 250
"""o200k_base tokens of one excerpt: a short clause, a long paragraph."""

MOST = 5
"""Excerpts of one question: what needs more is a summary, which no retrieval brings back whole."""

LARGEST_SHARE = 0.5
"""Of the window, all excerpts of one question together: what needs more is a question about everything."""

Flaw = Literal[
    "not as asked for",
    "not verbatim",
    "not unique",
    "too short",
    "too long",
    "too much of the window",
    "near duplicate",
    "same references",
    "useless answer",
    "not answered",
]
"""Why a question, or all of a window, was dropped."""


class Flawed(ValueError):  # noqa: N818 - says what it is
    def __init__(self, flaw: Flaw, reason: str) -> None:
        super().__init__(reason)
        self.flaw: Flaw = flaw


def located(excerpts: Sequence[str], window: Span, evidence: Evidence) -> tuple[Span, ...]:
    """The spans of the document that a question's excerpts quote from a window of it, overlapping ones merged.

    Raises Flawed, whose message says what was wrong and what would be right.
    """
    if not 0 < len(excerpts) <= MOST:
        raise Flawed("not as asked for", f"it has {len(excerpts)} excerpts; give 1 to {MOST}")
    spans = merged(_span(excerpt, window, evidence) for excerpt in excerpts)
    quoted = sum(evidence.tokens.count(span.start, span.end) for span in spans)
    most = LARGEST_SHARE * evidence.tokens.count(window.start, window.end)
    if quoted > most:
        raise Flawed(
            "too much of the window",
            f"its excerpts hold {quoted} tokens, at most {int(most)} are wanted; quote only what answers the question",
        )
    return spans


def _span(excerpt: str, window: Span, evidence: Evidence) -> Span:
    if not excerpt.strip():
        raise Flawed("too short", "an excerpt of it is blank")
    try:
        span = the_only(excerpt, evidence.once(_visible))
    except NotUnique as error:
        raise Flawed("not unique", f"its excerpt {error}") from error
    except NotInText as error:
        raise Flawed("not verbatim", f"its excerpt {error}") from error
    if not window.contains(span):
        raise Flawed(
            "not verbatim", f"its excerpt {beginning(excerpt)} is not in the material; quote what you were shown"
        )
    tokens = evidence.tokens.count(span.start, span.end)
    if tokens < SHORTEST:
        raise Flawed("too short", f"its excerpt {beginning(excerpt)} has {tokens} tokens; quote the whole clause")
    if tokens > LONGEST:
        raise Flawed(
            "too long",
            f"its excerpt {beginning(excerpt)} has {tokens} tokens, at most {LONGEST} are wanted; quote less",
        )
    return span


def _visible(evidence: Evidence) -> VisibleText:
    return VisibleText(evidence.document.text)
