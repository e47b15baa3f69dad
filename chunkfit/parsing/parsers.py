"""The parsers, one per kind of document: this list is where a new one joins."""

import os
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from chunkfit.parsing.geometric import layout_weights_present
from chunkfit.parsing.media import DOCX, HTML, MARKDOWN, PARSED_JSON, PDF, PPTX, TEXT, XLSX


@dataclass(frozen=True, slots=True)
class Parser:
    """What reads one kind of document: `module.function(data, name, max_bytes) -> Document`.

    `version` joins the cache keys with those of the libraries: raise it whenever the output changes. Parsers of one
    `child` share child processes; without one a parser runs here, which only code that can neither crash nor hang may.
    """

    name: str
    version: int
    module: str
    function: str
    child: str | None
    libraries: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.name}/{self.version}"


_DOCLING = ("docling", "docling-core")
_PDF_LIBRARIES = (*_DOCLING, "docling-parse", "pypdfium2")
_GEOMETRIC = Parser("docling-geometric", 1, "chunkfit.parsing.pdf", "geometric", "pdf", _PDF_LIBRARIES)
_MODELLED = Parser(
    "docling-models", 1, "chunkfit.parsing.pdf", "modelled", "pdf", (*_PDF_LIBRARIES, "docling-ibm-models")
)

_PARSERS = {
    TEXT: Parser("text", 1, "chunkfit.parsing.text", "text", None),
    PARSED_JSON: Parser("parsed-json", 1, "chunkfit.parsing.parsed_json", "parsed_json", None),
    MARKDOWN: Parser("markdown", 2, "chunkfit.parsing.markdown", "markdown", "light", ("markdown-it-py",)),
    XLSX: Parser("excel", 1, "chunkfit.parsing.excel", "excel", "light", ("openpyxl",)),
    DOCX: Parser("docling-word", 1, "chunkfit.parsing.office", "word", "office", _DOCLING),
    PPTX: Parser("docling-powerpoint", 1, "chunkfit.parsing.office", "powerpoint", "office", _DOCLING),
    HTML: Parser("docling-html", 1, "chunkfit.parsing.office", "html", "office", (*_DOCLING, "beautifulsoup4")),
}


def parser_for(media_type: str) -> Parser:
    """The parser of that media type. Raises KeyError for one that `discover` never gives."""
    if media_type == PDF:
        return _MODELLED if layout_weights_present() and _table_weights_present() else _GEOMETRIC
    return _PARSERS[media_type]


def parsers_in(child: str) -> tuple[Parser, ...]:
    """The parsers that share the child processes of that sort."""
    return tuple(parser for parser in (_GEOMETRIC, _MODELLED, *_PARSERS.values()) if parser.child == child)


@cache
def parser_of(media_type: str) -> str:
    """Everything besides a file's bytes that decides what is read from it: parser, versions of its libraries."""
    parser = parser_for(media_type)
    return " ".join([parser.id, *(f"{library}-{version(library)}" for library in parser.libraries)])


def _table_weights_present() -> bool:
    artifacts = os.environ.get("DOCLING_ARTIFACTS_PATH")
    return bool(artifacts) and (Path(str(artifacts)).expanduser() / "docling-project--docling-models").is_dir()
