"""Segmenters by other libraries, one file each; all read layout alike (`passages`).

The rule segmenter, which they leave other languages to, is in `chunkfit.engines.sentences`.
"""

from chunkfit.engines.segmenters import pysbd, spacy, stanza

__all__ = ["pysbd", "spacy", "stanza"]
