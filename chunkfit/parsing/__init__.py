"""From files to documents. Every offset is counted on the final text while it is put together."""

from chunkfit.parsing.parsed_json import to_parsed_json
from chunkfit.parsing.parsers import parser_of
from chunkfit.parsing.reading import parse
from chunkfit.parsing.sources import SourceRef, discover

__all__ = ["SourceRef", "discover", "parse", "parser_of", "to_parsed_json"]
