"""Take the dress off a document's text before docling reads it.

docling cuts a paragraph at every change of typeface and strips the pieces, so that "un**believ**able, H₂O" comes back
as five words. Without typefaces and links there is nothing to cut: each paragraph comes back as it was written.
"""

import io
import zipfile
import zlib
from typing import Any

from chunkfit.errors import BadDocument

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STORY = "word/document.xml"
_INLINE_TAGS = (
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins"),
    *("kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var"),
    "wbr",
)
_SECTIONS = ("article", "aside", "blockquote", "section")
_UNSEEN_TAGS = ("nav", "script", "style", "template", "noscript")


def flat_docx(data: bytes) -> bytes:
    """The same Word file with plain runs and line breaks, and without links. Raises BadDocument where it is corrupt."""
    from lxml import etree

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as source:
            parts = {entry.filename: source.read(entry) for entry in source.infolist()}
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        story = etree.fromstring(parts[_STORY], parser)
    except (zipfile.BadZipFile, zlib.error, EOFError, etree.XMLSyntaxError) as error:
        raise BadDocument(f"a corrupt Word document: {error}; save it again") from error
    for properties in list(story.iter(f"{_WORD}rPr")):
        if properties.find(f"{_WORD}vanish") is None and properties.getparent().tag == f"{_WORD}r":
            properties.getparent().remove(properties)
    for line_break in story.iter(f"{_WORD}br"):
        line_break.attrib.clear()  # docling reads nothing for one of a page or column, and glues the words around it
    for link in list(story.iter(f"{_WORD}hyperlink")):
        _unwrap(link)
    parts[_STORY] = etree.tostring(story, encoding="UTF-8", xml_declaration=True, standalone=True)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
        for part, content in parts.items():
            copy.writestr(part, content)
    return target.getvalue()


def _unwrap(element: Any) -> None:
    parent = element.getparent()
    position = parent.index(element)
    parent[position : position + 1] = list(element)


def flat_html(markup: str) -> str:
    """The same page without inline tags, scripts and navigation. Text in `pre` keeps its line ends.

    docling drops the foot of a table and every `footer`: the one closes its table here, and a `footer` that is not the
    page's own is text like any other.
    """
    from bs4 import BeautifulSoup

    page = BeautifulSoup(markup, "html.parser")
    for tag in page.find_all(_UNSEEN_TAGS):
        tag.decompose()
    for tag in page.find_all(_INLINE_TAGS):
        if tag.name != "code" or tag.find_parent("pre") is None:
            tag.unwrap()
    for table in page.find_all("table"):
        for foot in table.find_all("tfoot", recursive=False):
            foot.name = "tbody"
            table.append(foot.extract())
    for footer in page.find_all("footer"):
        if footer.find_parent(_SECTIONS):
            footer.name = "div"
    page.smooth()
    return str(page)
