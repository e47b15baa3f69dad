"""Layout from geometry: PDFs become docling documents without model weights, network or rendering.

docling is imported on the first call, not with this module.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docling.document_converter import PdfFormatOption

_LAYOUT_REPOSITORY = "docling-project/docling-layout-heron"  # what docling's default layout stage loads
_WEIGHTS = "model.safetensors"


def pdf_format_option() -> "PdfFormatOption":
    """How a `DocumentConverter` reads PDFs geometrically: `format_options={InputFormat.PDF: pdf_format_option()}`."""
    from docling.datamodel.pipeline_options import ThreadedPdfPipelineOptions
    from docling.document_converter import PdfFormatOption

    from chunkfit.parsing.geometric.backend import GeometricPdfBackend
    from chunkfit.parsing.geometric.docling_model import GeometricLayoutOptions, GeometricTableOptions
    from chunkfit.parsing.geometric.docling_pipeline import GeometricPdfPipeline

    options = ThreadedPdfPipelineOptions(
        allow_external_plugins=True,
        do_ocr=False,
        do_table_structure=True,
        layout_options=GeometricLayoutOptions(),
        table_structure_options=GeometricTableOptions(),
        use_reading_order_separators=False,
    )
    return PdfFormatOption(pipeline_cls=GeometricPdfPipeline, pipeline_options=options, backend=GeometricPdfBackend)


def layout_weights_present() -> bool:
    """Whether docling's own layout model could be loaded without a download.

    Looks where docling would: in `DOCLING_ARTIFACTS_PATH` where that is set, else in the hub cache.
    """
    artifacts = os.environ.get("DOCLING_ARTIFACTS_PATH")
    if artifacts:
        return (Path(artifacts).expanduser() / _LAYOUT_REPOSITORY.replace("/", "--") / _WEIGHTS).is_file()
    cache = _hub_cache() / f"models--{_LAYOUT_REPOSITORY.replace('/', '--')}" / "snapshots"
    return any(cache.glob(f"*/{_WEIGHTS}"))


def _hub_cache() -> Path:
    """Where huggingface_hub keeps its downloads, by the variables that it honours."""
    if cache := os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE"):
        return Path(cache).expanduser()
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")) / "huggingface"
    return Path(home).expanduser() / "hub"
