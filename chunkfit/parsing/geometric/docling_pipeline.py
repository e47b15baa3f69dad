"""docling's standard PDF pipeline, with our reading order and heading levels in place of its guesses."""

from typing import Any

from docling.datamodel.base_models import TextElement
from docling.datamodel.document import ConversionResult
from docling.models.postprocessing.reading_order_rb import PageElement, ReadingOrderPredictor
from docling.models.stages.reading_order.readingorder_model import ReadingOrderModel, ReadingOrderOptions
from docling.pipeline.standard_pdf_pipeline import StandardPdfPipeline
from docling_core.types.doc import DocItemLabel, DoclingDocument
from docling_core.types.doc.document import SectionHeaderItem, TextItem

from chunkfit.parsing.geometric.docling_model import RegionCluster
from chunkfit.parsing.geometric.headings import heading_levels
from chunkfit.parsing.geometric.regions import Look, Region


class GeometricPdfPipeline(StandardPdfPipeline):  # type: ignore[misc]
    """The standard pipeline for documents whose layout stage already knows order and rank."""

    def _init_models(self) -> None:
        super()._init_models()
        self.reading_order_model = geometric_reading_order


def geometric_reading_order(conv_res: ConversionResult, time_budget_s: float | None = None) -> DoclingDocument:
    """The document in the order of its clusters, paragraphs joined over column and page breaks, headings ranked."""
    # One pipeline serves several conversions at a time, so what belongs to one document lives in its own object.
    return _OneDocument(conv_res)(conv_res, time_budget_s=time_budget_s)


class _OneDocument(ReadingOrderModel):  # type: ignore[misc]
    def __init__(self, conv_res: ConversionResult) -> None:
        super().__init__(ReadingOrderOptions())
        regions = {
            self._element_ref(element): element.cluster.region
            for element in conv_res.assembled.elements
            if isinstance(element.cluster, RegionCluster)
        }
        self.ro_model = _GivenOrder(regions)
        self._levels = heading_levels(region.look for region in regions.values() if region.look is not None)

    def __call__(self, conv_res: ConversionResult, **budget: Any) -> DoclingDocument:
        document = super().__call__(conv_res, **budget)
        for item in document.texts:
            _repair_spans(item)
        return document

    def _handle_text_element(self, element: TextElement, **place: Any) -> Any:
        item, current_list = super()._handle_text_element(element, **place)
        if isinstance(item, SectionHeaderItem) and isinstance(element.cluster, RegionCluster):
            look: Look | None = element.cluster.region.look
            item.level = self._levels.get(look, 1) if look is not None else 1
        return item, current_list


class _GivenOrder(ReadingOrderPredictor):  # type: ignore[misc]
    """The order in which the layout stage gave the clusters."""

    def __init__(self, regions: dict[str, Region]) -> None:
        super().__init__()
        self._regions = regions

    def predict_reading_order(self, page_elements: list[PageElement], page_separators: Any = None) -> list[PageElement]:
        return page_elements

    def predict_merges(self, sorted_elements: list[PageElement]) -> dict[int, list[int]]:
        """Paragraphs that stop in mid-sentence at the end of a column or page, with what continues them."""
        merges: dict[int, list[int]] = {}
        head: PageElement | None = None  # the paragraph that is still open
        last: PageElement | None = None  # its latest piece
        for element in sorted_elements:
            if element.label in _PASSED_OVER:
                continue
            if head is not None and last is not None and self._continues(last, element):
                merges.setdefault(head.cid, []).append(element.cid)
            else:
                head = element
            last = element
        return merges

    def _continues(self, upper: PageElement, lower: PageElement) -> bool:
        region = self._regions.get(upper.ref.cref)
        return (
            region is not None
            and region.continues
            and upper.label == lower.label == DocItemLabel.TEXT
            and lower.text[:1].islower()
        )


# What may stand between the two halves of a paragraph.
_PASSED_OVER = {
    DocItemLabel.PAGE_HEADER,
    DocItemLabel.PAGE_FOOTER,
    DocItemLabel.FOOTNOTE,
    DocItemLabel.TABLE,
    DocItemLabel.PICTURE,
    DocItemLabel.CAPTION,
}


def _repair_spans(item: TextItem) -> None:
    """Make the character spans of a joined paragraph tile its text; docling counts from before it drops the hyphen."""
    if len(item.prov) < 2:
        return
    end = len(item.text)
    for place in reversed(item.prov):
        start = max(0, end - (place.charspan[1] - place.charspan[0]))
        place.charspan = (start, end)
        end = start - 1 if item.text[start - 1 : start] == " " else start
