"""What it costs to read PDFs with the geometric layout, beyond docling's start-up.

python -m benchmarks.parsing
"""

import tempfile
from io import BytesIO
from pathlib import Path
from time import process_time

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle

from chunkfit.parsing.geometric import pdf_format_option

SAMPLES = Path(__file__).parents[1] / "data" / "samples"
PAGES = 120


def run() -> None:
    """Print start-up time and pages per second of core time, for the samples and for a long report."""
    started = process_time()
    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.document_converter import DocumentConverter

    converter = DocumentConverter(
        allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: pdf_format_option()}
    )
    converter.initialize_pipeline(InputFormat.PDF)
    print(f"parsing PDFs by geometry: start-up {process_time() - started:.1f} s of core time")
    short, long = _report(PAGES // 2), _report(PAGES)
    converter.convert(DocumentStream(name="warm.pdf", stream=BytesIO(short)))
    costs = {
        "samples": [path.read_bytes() for path in sorted(SAMPLES.glob("*.pdf"))],
        f"a report of {PAGES // 2} pages": [short],
        f"a report of {PAGES} pages": [long],
    }
    seconds: dict[str, float] = {}
    for name, files in costs.items():
        started = process_time()
        pages = sum(
            len(converter.convert(DocumentStream(name="x.pdf", stream=BytesIO(f))).document.pages) for f in files
        )
        seconds[name] = process_time() - started
        print(f"  {pages / seconds[name]:6.1f} pages a second of core time: {name}")
    once, twice = (seconds[f"a report of {pages} pages"] for pages in (PAGES // 2, PAGES))
    print(f"  a report twice as long costs {twice / once:.2f} times as much")


def _report(pages: int) -> bytes:
    """Full pages of headings, text and a table."""
    styles = getSampleStyleSheet()
    ruled = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, "black")])
    story = []
    for page in range(pages):
        story.append(Paragraph(f"{page + 1} Chapter", styles["Heading1"]))
        for part in range(4):
            text = " ".join(
                f"Sentence {page}.{part}.{n} tells of the harbour, its boats and its water." for n in range(12)
            )
            story += [
                Paragraph(f"{page + 1}.{part + 1} Section", styles["Heading2"]),
                Paragraph(text, styles["BodyText"]),
            ]
        story += [Table([[f"{row}/{column}" for column in range(4)] for row in range(5)], style=ruled), PageBreak()]
    with tempfile.TemporaryFile() as file:
        SimpleDocTemplate(file, pagesize=A4).build(story)
        file.seek(0)
        return file.read()


if __name__ == "__main__":
    run()
