"""Which font drew what: docling-parse tells a standard font's resource key only, pdfium tells name and size."""

import ctypes
import math
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from chunkfit.parsing.geometric.content import Box
from chunkfit.parsing.geometric.typefaces import Typeface, typeface

_MAX_OBJECTS = 20_000  # a page of more single glyphs is a drawing; its fonts decide nothing
_MAX_MATCHES = 64  # enough of one line to tell what most of it looks like
_BOLD_WEIGHT = 600


@dataclass(frozen=True, slots=True)
class DrawnText:
    """Start and end of one text object's baseline, from the top left of the page, and its font."""

    left: float
    right: float
    baseline: float
    size: float
    face: Typeface


class FontMap:
    """The text objects of one page by place."""

    def __init__(self, drawn: list[DrawnText]) -> None:
        self._by_baseline: dict[int, list[DrawnText]] = defaultdict(list)
        for text in sorted(drawn, key=lambda text: text.left):
            self._by_baseline[int(text.baseline)].append(text)
        self._lefts = {y: [text.left for text in texts] for y, texts in self._by_baseline.items()}

    def under(self, box: Box) -> tuple[Typeface, float] | None:
        """Typeface and size of most of what was drawn inside the box, None where nothing is known."""
        widths: dict[tuple[Typeface, float], float] = defaultdict(float)
        for y in range(int(box.y), int(box.bottom) + 2):
            texts = self._by_baseline.get(y)
            if texts is None:
                continue
            # One object may span several cells, so the one that starts just left of the box counts too.
            first = max(0, bisect_left(self._lefts[y], box.left - 0.5) - 1)
            for text in texts[first : first + _MAX_MATCHES]:
                if text.left > box.right:
                    break
                shared = min(text.right, box.right) - max(text.left, box.left)
                if shared > 0:
                    widths[text.face, text.size] += shared
        return max(widths, key=widths.__getitem__) if widths else None


def font_map(page: Any) -> FontMap:
    """Read the fonts of a pypdfium2 page. Rotated pages give an empty map: their objects lie in another frame."""
    import pypdfium2.raw as pdfium

    if page.get_rotation():
        return FontMap([])
    left, _, _, top = page.get_bbox()
    faces: dict[int, Typeface] = {}
    drawn: list[DrawnText] = []
    for count, item in enumerate(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT])):
        if count >= _MAX_OBJECTS:
            break
        font = pdfium.FPDFTextObj_GetFont(item.raw)
        if not font:
            continue
        address = ctypes.addressof(font.contents)
        if address not in faces:
            faces[address] = _face(font)
        size = ctypes.c_float()
        pdfium.FPDFTextObj_GetFontSize(item.raw, size)
        matrix = item.get_matrix()
        scaled = abs(size.value) * math.hypot(matrix.c, matrix.d)
        x0, _, x1, _ = item.get_bounds()
        if all(map(math.isfinite, (x0, x1, matrix.f, scaled))):
            drawn.append(DrawnText(x0 - left, x1 - left, top - matrix.f, round(scaled, 1), faces[address]))
    return FontMap(drawn)


def _face(font: Any) -> Typeface:
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(font, name, 256)
    face = typeface(name.value.decode("utf-8", "replace"))
    if pdfium.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT:
        return Typeface(True, face.italic, face.monospaced)
    return face
