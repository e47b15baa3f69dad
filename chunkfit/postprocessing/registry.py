"""The registry of post-processing steps."""

from typing import Protocol

from chunkfit.evidence import Evidence
from chunkfit.model import Chunking
from chunkfit.registry import Registry
from chunkfit.settings import PostprocessRules


class Step(Protocol):
    """One step of post-processing: a chunking in, a chunking of the same text out."""

    def __call__(self, chunking: Chunking, evidence: Evidence, rules: PostprocessRules, /) -> Chunking: ...


steps: Registry[Step] = Registry("post-processing step")
