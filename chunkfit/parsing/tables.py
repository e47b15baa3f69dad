"""Tables as Markdown: each cell once, pipes escaped, header and separator always together."""

from collections.abc import Sequence


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a Markdown table, the first as its header; short rows are filled up with empty cells.

    Raises ValueError without a single cell.
    """
    columns = max((len(row) for row in rows), default=0)
    if not columns:
        raise ValueError("a table needs at least one cell")
    header, *body = (_line(row, columns) for row in rows)
    return "\n".join([header, "|" + " --- |" * columns, *body])


def _line(row: Sequence[str], columns: int) -> str:
    cells = [_cell(text) for text in row] + [""] * (columns - len(row))
    return "| " + " | ".join(cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
