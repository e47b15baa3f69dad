"""What must be known of the whole document before one page can be understood."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chunkfit.parsing.geometric.content import PageContent
from chunkfit.parsing.geometric.furniture import Furniture, find_furniture
from chunkfit.parsing.geometric.hyphenation import compounds

_SINGLE_SPACED = 1.2  # distance of baselines in font sizes where nothing better is known
_LONG = 20  # characters: a line, not a word in a table
_EDGE_SHARE = 0.1
_EDGE_LINES = 8
_LEADINGS = (0.8, 3.0)  # what may be a line distance at all


@dataclass(frozen=True, slots=True)
class Survey:
    """Font statistics, repeated lines and compound words of one document."""

    body_size: float = 10.0  # font size of most of the text, points
    body_bold: bool = False  # whether most of the text is bold, so that bold says nothing
    body_monospaced: bool = False
    leadings: Mapping[float, float] = field(default_factory=dict)  # distance of baselines by size, both in points
    furniture: Mapping[int, Furniture] = field(default_factory=dict)  # by page number
    compounds: frozenset[str] = frozenset()
    left_edges: tuple[float, ...] = ()  # where many of the document's lines begin, x in points

    def leading(self, size: float) -> float:
        """How far apart the baselines of running text of that size are."""
        known = self.leadings.get(size_class(size))
        return known if known is not None else _SINGLE_SPACED * size


def size_class(size: float) -> float:
    """Sizes to the half point: what is closer is one style."""
    return round(size * 2) / 2


def survey(pages: Sequence[PageContent]) -> Survey:
    """Look over all pages once; time and memory grow with the number of runs."""
    sizes: Counter[float] = Counter()
    bold: Counter[float] = Counter()
    monospaced: Counter[float] = Counter()
    for page in pages:
        for run in page.runs:
            size = size_class(run.size)
            sizes[size] += len(run.text)
            bold[size] += len(run.text) * run.face.bold
            monospaced[size] += len(run.text) * run.face.monospaced
    if not sizes:
        return Survey()
    body_size = max(sizes, key=lambda size: (sizes[size], size))
    half = 0.5 * sizes[body_size]
    return Survey(
        body_size=max(body_size, 1.0),
        body_bold=bold[body_size] > half,
        body_monospaced=monospaced[body_size] > half,
        leadings=_leadings(pages),
        furniture=find_furniture(pages, body_size),
        compounds=compounds(run.text for page in pages for run in page.runs),
        left_edges=_left_edges(pages),
    )


def _left_edges(pages: Sequence[PageContent]) -> tuple[float, ...]:
    """The left edges of the document's columns: a tenth of its long lines begin there."""
    starts = Counter(
        round(run.box.left) for page in pages for run in page.runs if len(run.text) >= _LONG and not run.turn
    )
    enough = max(_EDGE_LINES, _EDGE_SHARE * starts.total())
    return tuple(float(x) for x, count in sorted(starts.items()) if count >= enough)


def _leadings(pages: Sequence[PageContent]) -> dict[float, float]:
    """The usual distance of baselines by font size, from neighbours that surely belong to one paragraph.

    Those are drawn one after the other, the upper one does not end a sentence and the lower one goes on in lower case.
    """
    seen: dict[float, Counter[float]] = {}
    for page in pages:
        for upper, lower in zip(page.runs, page.runs[1:], strict=False):
            distance = lower.box.bottom - upper.box.bottom
            low, high = _LEADINGS
            if (
                abs(upper.size - lower.size) < 0.3
                and low * upper.size < distance < high * upper.size
                and upper.box.shared_width(lower.box) > 0.3 * lower.box.width
                and lower.text[:1].islower()
                and not upper.text.rstrip().endswith((".", "!", "?", ":"))
            ):
                seen.setdefault(size_class(upper.size), Counter())[round(distance, 1)] += 1
    return {size: max(counts, key=lambda distance: (counts[distance], -distance)) for size, counts in seen.items()}
