"""What the report's text viewer needs of one document, as JSON that is safe inside a script element.

Python counts code points and JavaScript UTF-16 units, so all offsets are converted here, once.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from chunkfit.reporting.defects import block_stretches, broken, reference_stretches, references
from chunkfit.reporting.leaderboard import ranked_means
from chunkfit.reporting.model import DocumentReport

KINDS = {"list_item": "list item", "code": "code block", "other": "block"}  # in words; the rest are words already

_UNSAFE = re.compile("[<>&\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Utf16:
    """Code-point offsets of one text in UTF-16 units: each character beyond U+FFFF before an offset adds one."""

    def __init__(self, text: str) -> None:
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self._wide = np.flatnonzero(points > 0xFFFF)

    def __call__(self, offsets: Iterable[int]) -> list[int]:
        given = np.fromiter(offsets, dtype=np.int64)
        return [int(offset) for offset in given + np.searchsorted(self._wide, given, side="left")]


def script_json(value: object) -> str:
    """JSON that no text in it can end, leave or turn: markup, line separators, overrides and surrogates are escaped."""
    raw = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", raw)


def viewed(one: DocumentReport, methods: Sequence[str]) -> dict[str, Any]:
    """A document's text and, per method, its chunks with what they cut.

    `blocks` and `pairs` hold only what at least one method breaks; `cut` and `broken` are indices into them.
    """
    document = one.document
    units = Utf16(document.text)
    present = [method for method in methods if method in one.chunkings]
    references_here = references(document, one.mentions)
    whole_blocks, whole_references = block_stretches(document), reference_stretches(references_here)
    cut = {method: broken(whole_blocks, one.chunkings[method]) for method in present}
    parted = {method: broken(whole_references, one.chunkings[method]) for method in present}
    block_place = {index: place for place, index in enumerate(sorted(set().union(*cut.values())))}
    pair_place = {index: place for place, index in enumerate(sorted(set().union(*parted.values())))}
    blocks = [document.blocks[index] for index in block_place]
    pairs = [references_here[index] for index in pair_place]
    means = ranked_means(one.outcome)
    return {
        "name": document.name,
        "text": document.text,
        "pages": [[page.number for page in document.pages], units(page.span.end for page in document.pages)],
        "titles": [
            [title.text for title in document.titles],
            [title.level for title in document.titles],
            units(title.span.start for title in document.titles),
            units(title.span.end for title in document.titles),
        ],
        "blocks": [
            [KINDS.get(block.kind, block.kind) for block in blocks],
            units(block.span.start for block in blocks),
            units(block.span.end for block in blocks),
        ],
        "pairs": [
            units(pair.entity.start for pair in pairs),
            units(pair.entity.end for pair in pairs),
            units(pair.pronoun.start for pair in pairs),
            units(pair.pronoun.end for pair in pairs),
        ],
        "all_blocks": len(document.blocks),
        "all_pairs": None if one.mentions.pairs is None else len(references_here),
        "no_pairs": one.mentions.reason,
        "best": one.selection.best,
        "methods": [
            {
                "name": method,
                "mean": means.get(method),
                "disqualified": one.selection.disqualified.get(method),
                "starts": units(span.start for span in one.chunkings[method].spans),
                "ends": units(span.end for span in one.chunkings[method].spans),
                "tokens": list(one.tokens[method]),
                "cut": [block_place[index] for index in cut[method]],
                "broken": [pair_place[index] for index in parted[method]],
                "flags": [[flag.chunk_index, flag.reason] for flag in one.chunkings[method].flags],
            }
            for method in present
        ],
    }
