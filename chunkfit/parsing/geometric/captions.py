"""Captions: what names a table or figure."""

import re

from chunkfit.parsing.geometric.content import Box

_NAMED = re.compile(
    r"^(?:table|tab\.|figure|fig\.|chart|box|exhibit|listing|algorithm|tabelle|abbildung|abb\.|tableau|graphique"
    r"|tabla|figura|gráfico|tabella|tabela|таблица|рисунок|рис\.|表|图|圖|図)\s*"
    r"(?:[A-Z]\.?)?(?:\d{1,3}|[IVXL]{1,6})(?:[.\-]\d{1,3})*\s*(?P<mark>[.:|–—])?",
    re.I,
)
_NEAR = 2.5  # font sizes between a caption without a mark and its table


def is_caption(text: str, box: Box, size: float, solids: list[Box]) -> bool:
    """Whether text names a table or figure: `Table 3: ...` anywhere; `Table 3 ...`, which may open a sentence, only
    right above or below one."""
    match = _NAMED.match(text)
    if match is None:
        return False
    if match["mark"] and (match.end() == len(text) or text[match.end()].isspace()):
        return True
    gaps = (max(solid.top - box.bottom, box.top - solid.bottom) for solid in solids if solid.shared_width(box) > 0)
    return len(text) < 200 and any(-size < gap < _NEAR * size for gap in gaps)
