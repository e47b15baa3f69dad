"""What docling finds through the entry point group `docling`: our layout and table stages, by their options."""

from typing import Any


def layout_engines() -> dict[str, list[Any]]:
    from chunkfit.parsing.geometric.docling_model import GeometricLayoutModel

    return {"layout_engines": [GeometricLayoutModel]}


def table_structure_engines() -> dict[str, list[Any]]:
    from chunkfit.parsing.geometric.docling_model import GeometricTableModel

    return {"table_structure_engines": [GeometricTableModel]}
