"""Chunks that people made of a document, and how close a chunking comes to them, beside what chance would give."""

from chunkfit.references.comparison import compare
from chunkfit.references.files import read_references
from chunkfit.references.model import CHANCES, MEASURES, Annotation, Comparison, Measure, Reference
from chunkfit.references.placing import place

__all__ = [
    "CHANCES",
    "MEASURES",
    "Annotation",
    "Comparison",
    "Measure",
    "Reference",
    "compare",
    "place",
    "read_references",
]
