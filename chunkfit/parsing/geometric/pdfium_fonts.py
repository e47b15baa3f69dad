"""Which font drew what: docling-parse tells a standard font's resource key only, pdfium tells name and size."""

import ctypes
import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from chunkfit.parsing.geometric.content import Box
from chunkfit.parsing.geometric.turning import Turn, turn_of, upright
from chunkfit.parsing.geometric.typefaces import Typeface, typeface

_MAX_OBJECTS = 20_000  # a page of more single glyphs is a drawing; its fonts decide nothing
_MAX_MATCHES = 64  # enough of one line to tell what most of it looks like
_TALLEST = 200.0  # points below the middle of a box: bounds the search under text of absurd size
_BOLD_WEIGHT = 600
_FIXED_PITCH = 1  # bit of a font descriptor's flags


@dataclass(frozen=True, slots=True)
class DrawnText:
    """Start and end of one text object's baseline in the frame where it stands upright, and its font."""

    left: float
    right: float
    baseline: float
    turn: Turn
    size: float
    face: Typeface


class FontMap:
    """The text objects of one page by place."""

    def __init__(self, drawn: Iterable[DrawnText] = ()) -> None:
        self._by_baseline: dict[tuple[Turn, int], list[DrawnText]] = defaultdict(list)
        for text in sorted(drawn, key=lambda text: text.left):
            self._by_baseline[text.turn, int(text.baseline)].append(text)
        self._lefts = {key: [text.left for text in texts] for key, texts in self._by_baseline.items()}

    def under(self, box: Box, turn: Turn) -> tuple[Typeface, float] | None:
        """Typeface and size of most of what was drawn inside an upright box, None where nothing is known."""
        widths: dict[tuple[Typeface, float], float] = defaultdict(float)
        lowest = min(box.bottom, box.y + _TALLEST)
        for y in range(int(box.y), int(lowest) + 2):
            texts = self._by_baseline.get((turn, y))
            if texts is None:
                continue
            # One object may span several cells, so the one that starts just left of the box counts too.
            first = max(0, bisect_left(self._lefts[turn, y], box.left - 0.5) - 1)
            for text in texts[first : first + _MAX_MATCHES]:
                if text.left > box.right:
                    break
                shared = min(text.right, box.right) - max(text.left, box.left)
                if shared > 0:
                    widths[text.face, text.size] += shared
        return max(widths, key=widths.__getitem__) if widths else None


def font_map(page: Any) -> FontMap:
    """Read the fonts of a pypdfium2 page."""
    import pypdfium2.raw as pdfium

    faces: dict[int, Typeface] = {}
    drawn: list[DrawnText] = []
    place = _Placement(page)
    for item in islice(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT]), _MAX_OBJECTS):
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
        bounds = item.get_bounds()
        if all(map(math.isfinite, (*bounds, matrix.e, matrix.f, scaled))):
            left, right, baseline, turn = place(matrix, bounds)
            drawn.append(DrawnText(left, right, baseline, turn, round(scaled, 1), faces[address]))
    return FontMap(drawn)


class _Placement:
    """From pdfium's page frame (unrotated, y upwards) to the displayed page, and on to where text stands upright."""

    def __init__(self, page: Any) -> None:
        self._rotation = page.get_rotation()
        self._left, self._bottom, self._right, self._top = page.get_bbox()
        self._width, self._height = page.get_size()

    def __call__(self, matrix: Any, bounds: tuple[float, float, float, float]) -> tuple[float, float, float, Turn]:
        """Left end, right end and height of a baseline in its upright frame, and its turn on the displayed page."""
        length = bounds[2] - bounds[0] if abs(matrix.a) >= abs(matrix.b) else bounds[3] - bounds[1]
        stretch = math.hypot(matrix.a, matrix.b) or 1.0
        start = self._displayed(matrix.e, matrix.f)
        end = self._displayed(matrix.e + length * matrix.a / stretch, matrix.f + length * matrix.b / stretch)
        turn = turn_of(end[0] - start[0], end[1] - start[1])
        line = Box(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
        line = upright(line, turn, self._width, self._height)
        return line.left, line.right, line.bottom, turn

    def _displayed(self, x: float, y: float) -> tuple[float, float]:
        if self._rotation == 90:
            return y - self._bottom, x - self._left
        if self._rotation == 180:
            return self._right - x, y - self._bottom
        if self._rotation == 270:
            return self._top - y, self._right - x
        return x - self._left, self._top - y


def _face(font: Any) -> Typeface:
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(font, name, 256)
    face = typeface(name.value.decode("utf-8", "replace"))
    return Typeface(
        bold=face.bold or pdfium.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT,
        italic=face.italic,
        monospaced=face.monospaced or bool(pdfium.FPDFFont_GetFlags(font) & _FIXED_PITCH),
    )
