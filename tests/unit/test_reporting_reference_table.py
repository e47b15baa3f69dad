import io

import pytest
from rich.console import Console

from chunkfit.references import MEASURES, Comparison, Measure
from chunkfit.references.model import CHANCES
from chunkfit.reporting.reference_table import reference_rows, reference_standings, reference_table


def comparison(document, method, value, chance=0.25, **others):
    measures = {
        name: Measure(value, better, None if value is not None else "nothing", chance=dict.fromkeys(CHANCES, chance))
        for name, better in MEASURES.items()
    }
    return Comparison(document, method, {**measures, **others}, tolerance=10)


NO_PRECISION = {"boundary_precision": Measure(None, "higher", "the chunking has no boundaries")}


def shown(table, width=80):
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(table)
    return console.file.getvalue()


def test_values_and_chance_are_means_over_the_documents_that_have_them():
    (one,) = reference_standings(
        [comparison("a", "m", 0.5, 0.1), comparison("b", "m", 0.75, 0.3), comparison("c", "m", 0.25, **NO_PRECISION)]
    )
    assert one.documents == 3
    assert one.averages["boundary_f1"].value == pytest.approx(0.5)
    precision = one.averages["boundary_precision"]
    assert (precision.value, precision.documents) == (pytest.approx(0.625), 2)
    assert precision.chance["no cuts"] == pytest.approx(0.2)


def test_methods_come_best_first_and_names_decide_ties():
    found = [comparison("a", name, value) for name, value in (("z", 0.5), ("low", 0.1), ("b", 0.5), ("none", None))]
    assert [one.method for one in reference_standings(found)] == ["b", "z", "low", "none"]


def test_rows_hold_every_measure_and_every_chance_level():
    heads, *rows = reference_rows(reference_standings([comparison("a", "m", 0.5)]))
    assert heads == ("method", "documents", "words", "IoU r", "IoU c", "prec", "rec", "F1", "Pk ↓", "WD ↓", "B")
    assert [row[0] for row in rows] == ["m", *(f"m: {level}" for level in CHANCES)]
    assert rows[0][1:] == ("1", *["0.500"] * 9)
    assert rows[1][2:] == ("0.250",) * 9


def test_the_table_fits_80_columns_and_cuts_no_value():
    names = ["recursive[size=400,overlap=50]", "langchain_1100", "sentence[sentences_per_chunk=2]"]
    text = shown(reference_table(reference_standings([comparison("a", name, 1.0, 0.125) for name in names])))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("1.00") == 9 * len(names)
    assert text.count("0.12") == 9 * (len(names) + 2)
    assert "lower is better" in text


def test_what_no_document_has_is_not_available_and_never_0():
    text = shown(reference_table(reference_standings([comparison("a", "m", None, **NO_PRECISION)])))
    assert "n/a" in text
    assert "0.00" not in text


def test_a_table_of_nothing_says_so():
    assert "0 documents" in shown(reference_table(reference_standings([])))


def test_a_name_cannot_write_to_the_terminal():
    text = shown(reference_table(reference_standings([comparison("a", "m\x1b[31m[red]\n", 0.5)])))
    assert "\x1b" not in text
    assert "[red]" in text.replace("\n", "")
