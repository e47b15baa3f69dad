"""docling's standard PDF pipeline, with our reading order and heading levels in place of its guesses."""

from typing import Any

from docling.datamodel.base_models import TextElement
from docling.datamodel.document import ConversionResult
from docling.models.postprocessing.reading_order_rb import PageElement, ReadingOrderPredictor
from docling.models.stages.reading_order.readingorder_model import ReadingOrderModel, ReadingOrderOptions
from docling.pipeline.standard_pdf_pipeline import StandardPdfPipeline
from docling_core.types.doc import DocItemLabel, DoclingDocument, ProvenanceItem
from docling_core.types.doc.document import ListItem, SectionHeaderItem, TextItem

from chunkfit.parsing.geometric.backend import GeometricPdfBackend
from chunkfit.parsing.geometric.docling_model import RegionCluster
from chunkfit.parsing.geometric.headings import heading_levels
from chunkfit.parsing.geometric.hyphenation import running_text
from chunkfit.parsing.geometric.paragraphs import ends_sentence
from chunkfit.parsing.geometric.regions import Region


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
    """The reading order of one conversion."""

    def __init__(self, conv_res: ConversionResult) -> None:
        super().__init__(ReadingOrderOptions())
        regions = {
            self._element_ref(element): element.cluster.region
            for element in conv_res.assembled.elements
            if isinstance(element.cluster, RegionCluster)
        }
        survey = conv_res.input._backend.survey if isinstance(conv_res.input._backend, GeometricPdfBackend) else None
        self._compounds = survey.compounds if survey is not None else frozenset()
        self._levels = heading_levels(region.look for region in regions.values() if region.look is not None)
        self.ro_model = _GivenOrder(regions)

    def _handle_text_element(self, element: TextElement, **place: Any) -> Any:
        item, current_list = super()._handle_text_element(element, **place)
        region = element.cluster.region if isinstance(element.cluster, RegionCluster) else None
        if isinstance(item, SectionHeaderItem) and region is not None and region.look is not None:
            item.level = self._levels[region.look]
        elif isinstance(item, ListItem) and region is not None:
            item.text = element.text[len(region.marker) :].strip()
            item.marker = region.marker
            item.enumerated = any(map(str.isalnum, region.marker))
            item.prov[0].charspan = (0, len(item.text))
        return item, current_list

    def _merge_elements(
        self, element: TextElement, merged_elem: TextElement, new_item: TextItem, page_height: float
    ) -> None:
        """Append what goes on in the next column or page. The character spans of the places tile the joined text."""
        text = running_text([new_item.text, merged_elem.text], self._compounds)
        start = len(text) - len(merged_elem.text)
        before = new_item.prov[-1]
        before.charspan = (before.charspan[0], min(before.charspan[1], start))
        new_item.prov.append(
            ProvenanceItem(
                page_no=merged_elem.page_no,
                charspan=(start, len(text)),
                bbox=merged_elem.cluster.bbox.to_bottom_left_origin(page_height),
            )
        )
        new_item.text = text
        new_item.orig = running_text([new_item.orig, merged_elem.text], self._compounds)
        if new_item.hyperlink != merged_elem.hyperlink:
            new_item.hyperlink = None


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
        before, after = self._regions.get(upper.ref.cref), self._regions.get(lower.ref.cref)
        if before is None or after is None or not before.open_end or after.kind != "paragraph":
            return False
        if before.kind == "list_item":  # where the next column begins says nothing about its indent
            return not ends_sentence(before.text) and after.text[:1].islower()
        return after.open_start or (after.text[:1].islower() and not ends_sentence(before.text))


# What may stand between the two halves of a paragraph.
_PASSED_OVER = {
    DocItemLabel.PAGE_HEADER,
    DocItemLabel.PAGE_FOOTER,
    DocItemLabel.FOOTNOTE,
    DocItemLabel.TABLE,
    DocItemLabel.PICTURE,
    DocItemLabel.CAPTION,
}
