"""docling's stages, fed by geometry: layout, table structure, reading order and heading levels."""

from collections.abc import Sequence
from typing import Any, ClassVar

from docling.datamodel.base_models import (
    Cluster,
    LayoutPrediction,
    Page,
    TableStructurePrediction,
)
from docling.datamodel.base_models import Table as DoclingTable
from docling.datamodel.document import ConversionResult
from docling.datamodel.pipeline_options import BaseLayoutOptions, BaseTableStructureOptions
from docling.models.base_layout_model import BaseLayoutModel
from docling.models.base_table_model import BaseTableStructureModel
from docling_core.types.doc import BoundingBox, CoordOrigin, DocItemLabel
from docling_core.types.doc.document import TableCell
from docling_core.types.doc.page import BoundingRectangle, TextCell

from chunkfit.parsing.geometric.backend import GeometricPageBackend, GeometricPdfBackend, page_content
from chunkfit.parsing.geometric.content import Box
from chunkfit.parsing.geometric.page import page_regions
from chunkfit.parsing.geometric.regions import Region, RegionKind, Table
from chunkfit.parsing.geometric.survey import Survey, survey

_LABELS: dict[RegionKind, DocItemLabel] = {
    "heading": DocItemLabel.SECTION_HEADER,
    "paragraph": DocItemLabel.TEXT,
    "list_item": DocItemLabel.LIST_ITEM,
    "table": DocItemLabel.TABLE,
    "code": DocItemLabel.CODE,
    "caption": DocItemLabel.CAPTION,
    "footnote": DocItemLabel.FOOTNOTE,
    "picture": DocItemLabel.PICTURE,
    "header": DocItemLabel.PAGE_HEADER,
    "footer": DocItemLabel.PAGE_FOOTER,
}


class GeometricLayoutOptions(BaseLayoutOptions):  # type: ignore[misc]
    """Choose the geometric layout stage. It has nothing to set: it measures what it needs in the document."""

    kind: ClassVar[str] = "chunkfit_geometric"


class GeometricTableOptions(BaseTableStructureOptions):  # type: ignore[misc]
    """Choose the table stage that takes over what the geometric layout stage saw."""

    kind: ClassVar[str] = "chunkfit_geometric_table"


class RegionCluster(Cluster):  # type: ignore[misc]
    """A docling cluster that remembers the region it was made from: heading looks and table cells travel in it."""

    region: Region


class GeometricLayoutModel(BaseLayoutModel):  # type: ignore[misc]
    """Layout from geometry alone: no weights, no images.

    Clusters come in reading order, complete and disjoint, so docling's repair of overlapping predictions is off.
    """

    requires_layout_postprocessing = False

    def __init__(self, *, options: GeometricLayoutOptions, **_engine: Any) -> None:
        self.options = options

    @classmethod
    def get_options_type(cls) -> type[GeometricLayoutOptions]:
        return GeometricLayoutOptions

    def predict_layout(self, conv_res: ConversionResult, pages: Sequence[Page]) -> Sequence[LayoutPrediction]:
        contents = [_content(page) for page in pages]
        backend = conv_res.input._backend
        # Another backend knows nothing of the whole document; then the pages at hand must do.
        known = (isinstance(backend, GeometricPdfBackend) and backend.survey) or survey(contents)
        return [LayoutPrediction(clusters=_clusters(content, known)) for content in contents]


class GeometricTableModel(BaseTableStructureModel):  # type: ignore[misc]
    """Hands on the cells that the layout stage found."""

    def __init__(self, *, options: GeometricTableOptions, enabled: bool = True, **_engine: Any) -> None:
        self.options = options
        self.enabled = enabled

    @classmethod
    def get_options_type(cls) -> type[GeometricTableOptions]:
        return GeometricTableOptions

    def predict_tables(self, conv_res: ConversionResult, pages: Sequence[Page]) -> Sequence[TableStructurePrediction]:
        return [
            TableStructurePrediction(
                table_map={
                    cluster.id: _docling_table(page.page_no, cluster, cluster.region.table)
                    for cluster in (page.predictions.layout.clusters if page.predictions.layout else ())
                    if isinstance(cluster, RegionCluster) and cluster.region.table is not None
                }
            )
            for page in pages
        ]


def _content(page: Page) -> Any:
    backend = page._backend
    return backend.content if isinstance(backend, GeometricPageBackend) else page_content(backend)


def _clusters(content: Any, known: Survey) -> list[Cluster]:
    return [
        RegionCluster(
            id=index,
            label=_LABELS[region.kind],
            bbox=_bounding_box(region.box),
            cells=_text_cells(region),
            region=region,
        )
        for index, region in enumerate(page_regions(content, known))
    ]


def _text_cells(region: Region) -> list[TextCell]:
    """One cell with the region's whole text: lines are joined already, hyphens resolved."""
    text = f"{region.marker} {region.text}" if region.marker else region.text
    if not text:
        return []
    rect = BoundingRectangle.from_bounding_box(_bounding_box(region.box))
    return [TextCell(rect=rect, text=text, orig=text, from_ocr=False)]


def _docling_table(page_no: int, cluster: Cluster, table: Table) -> DoclingTable:
    return DoclingTable(
        label=cluster.label,
        id=cluster.id,
        page_no=page_no,
        cluster=cluster,
        otsl_seq=[],
        num_rows=table.rows,
        num_cols=table.columns,
        table_cells=[
            TableCell(
                text=cell.text,
                bbox=_bounding_box(cell.box),
                row_span=cell.row_end - cell.row,
                col_span=cell.column_end - cell.column,
                start_row_offset_idx=cell.row,
                end_row_offset_idx=cell.row_end,
                start_col_offset_idx=cell.column,
                end_col_offset_idx=cell.column_end,
                column_header=cell.row < table.header_rows,
            )
            for cell in table.cells
        ],
    )


def _bounding_box(box: Box) -> BoundingBox:
    return BoundingBox(l=box.left, t=box.top, r=box.right, b=box.bottom, coord_origin=CoordOrigin.TOPLEFT)
