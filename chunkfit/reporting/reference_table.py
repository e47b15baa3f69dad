"""How close the methods come to people's chunks, over all documents: averages, and a table for the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from rich import box
from rich.table import Table
from rich.text import Text

from chunkfit.references import CHANCES, MEASURES, Comparison, Measure
from chunkfit.references.model import ALL_CUTS, NO_CUTS, SHUFFLED_LENGTHS
from chunkfit.reporting.text import number, one_line, plural

HEADS: Mapping[str, str] = {
    "word_iou": "words",
    "span_iou_reference": "IoU r",
    "span_iou_chunks": "IoU c",
    "boundary_precision": "prec",
    "boundary_recall": "rec",
    "boundary_f1": "F1",
    "pk": "Pk ↓",
    "window_diff": "WD ↓",
    "boundary_similarity": "B",
}
"""Short names, for columns; an arrow where lower is better."""


@dataclass(frozen=True, slots=True)
class MeasureAverage:
    """One measure of one method, averaged over the documents that have it. None where no document does."""

    value: float | None
    chance: Mapping[str, float]  # by chance level, over the documents that have both
    documents: int


@dataclass(frozen=True, slots=True)
class ReferenceStanding:
    """One method beside people's chunks, over all documents that have some."""

    method: str
    averages: Mapping[str, MeasureAverage]  # by measure, in the order of MEASURES
    documents: int


def reference_standings(comparisons: Iterable[Comparison]) -> tuple[ReferenceStanding, ...]:
    """The methods, best first: by boundary F1, then by span IoU of reference chunks and of chunks, then by name."""
    by_method: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        by_method.setdefault(comparison.method, []).append(comparison)
    standings = [
        ReferenceStanding(
            method=method,
            averages={name: _average([one.measures[name] for one in found]) for name in MEASURES},
            documents=len(found),
        )
        for method, found in by_method.items()
    ]
    return tuple(sorted(standings, key=_place))


def reference_rows(standings: Sequence[ReferenceStanding]) -> list[tuple[str, ...]]:
    """Heads, then for each method a row of its values and one for each chance level: cells of text for any table."""
    rows = [("method", "documents", *HEADS.values())]
    for one in standings:
        averages = one.averages.values()
        rows.append((one_line(one.method), f"{one.documents}", *(number(average.value) for average in averages)))
        rows += [
            (f"{one_line(one.method)}: {level}", "", *(number(average.chance.get(level)) for average in averages))
            for level in CHANCES
        ]
    return rows


def fixed_levels(standings: Sequence[ReferenceStanding]) -> Mapping[str, tuple[float | None, ...]]:
    """What no cuts and all cuts give, measure by measure: levels of the documents, whatever the method."""
    if not standings:
        return {}
    widest = max(standings, key=lambda one: one.documents)
    return {
        level: tuple(average.chance.get(level) for average in widest.averages.values()) for level in (NO_CUTS, ALL_CUTS)
    }


def reference_table(standings: Sequence[ReferenceStanding]) -> Table:
    """Methods by measures, each above its own shuffled lengths; under them what no cuts and all cuts give."""
    documents = max((one.documents for one in standings), default=0)
    table = Table(
        title=f"Against reference chunks of {plural(documents, 'document')}",
        title_justify="left",
        title_style="bold",
        caption="words: word-set IoU; IoU r, IoU c: of reference chunks and of chunks, by characters; "
        "prec, rec, F1, B: of boundaries; Pk, WD: errors, lower is better",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("method", overflow="fold")
    for head in HEADS.values():
        table.add_column(head, justify="right", no_wrap=True)
    for one in standings:
        table.add_row(Text(one_line(one.method)), *_cells(average.value for average in one.averages.values()))
        shuffled = (average.chance.get(SHUFFLED_LENGTHS) for average in one.averages.values())
        table.add_row(Text("  " + SHUFFLED_LENGTHS), *_cells(shuffled), style="dim")
    table.add_section()
    for level, values in fixed_levels(standings).items():
        table.add_row(Text(level), *_cells(values))
    return table


def _cells(values: Iterable[float | None]) -> Iterable[Text]:
    return (Text(number(value, 2)) for value in values)


def _average(measures: Sequence[Measure]) -> MeasureAverage:
    known = [measure for measure in measures if measure.value is not None]
    chance = {level: [one.chance[level] for one in known if level in one.chance] for level in CHANCES}
    return MeasureAverage(
        value=fmean(one.value for one in known if one.value is not None) if known else None,
        chance={level: fmean(values) for level, values in chance.items() if values},
        documents=len(known),
    )


def _place(one: ReferenceStanding) -> tuple[float | str, ...]:
    names = ("boundary_f1", "span_iou_reference", "span_iou_chunks")
    return (*(-(one.averages[name].value or 0.0) for name in names), one.method)
