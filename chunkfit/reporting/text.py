"""Numbers and names as a reader sees them. What is missing reads "n/a", never 0."""

from collections.abc import Iterable

from rich.cells import cell_len

MISSING = "n/a"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
JOINER = "\N{ZERO WIDTH JOINER}"  # it holds emoji families together


def number(value: float | None, places: int = 3) -> str:
    """0.8125 -> "0.812"; -0.02 -> "−0.020" with a true minus; None -> "n/a"; what rounds to nothing has no sign."""
    return MISSING if value is None else _signed(value, places, plus="")


def signed(value: float | None, places: int = 3) -> str:
    """As `number`, and 0.02 -> "+0.020"."""
    return MISSING if value is None else _signed(value, places, plus="+")


def _signed(value: float, places: int, plus: str) -> str:
    digits = f"{abs(value):.{places}f}"
    if float(digits) == 0:
        return digits
    return ("−" if value < 0 else plus) + digits


def percent(part: int, whole: int) -> str:
    """3 of 8 -> "38%"; "n/a" of nothing."""
    return MISSING if whole == 0 else f"{100 * part / whole:.0f}%"


def plural(count: int, noun: str) -> str:
    """1 -> "1 document", 1200 -> "1,200 documents"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def duration(seconds: float) -> str:
    """4.25 -> "4.2 s", 75 -> "1 min 15 s", 3700 -> "1 h 2 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def one_line(text: str) -> str:
    """Text that can do no harm in a line of a terminal or table: blanks become a space, controls a replacement sign.

    File names may hold line breaks, escape sequences and marks that turn the reading direction.
    """
    return "".join(" " if c.isspace() else c if c.isprintable() or c == JOINER else REPLACEMENT for c in text)


def shortened(name: str, width: int) -> str:
    """A long name without its middle, at most `width` terminal cells: the start says which, the end what kind.

    Raises ValueError below 3.
    """
    if width < 3:
        raise ValueError(f"a shortened name needs a width of at least 3, got {width}")
    if cell_len(name) <= width:
        return name
    tail = _fitting(reversed(name), (width - 1) // 2)
    head = _fitting(name, width - 1 - cell_len(tail))
    return head + "…" + tail[::-1]


def _fitting(characters: Iterable[str], width: int) -> str:
    taken = ""
    for character in characters:
        width -= cell_len(character)
        if width < 0:
            break
        taken += character
    return taken
