"""Sentences by Stanza's tokenizers, which come from its hub."""

import hashlib
import json
import os
import runpy
import threading
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

from chunkfit.engines.language import detect_language
from chunkfit.engines.protocols import Segmenter
from chunkfit.engines.registry import EngineContext, segmenters
from chunkfit.engines.segmenters.passages import segmented
from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.errors import EngineRefused
from chunkfit.model import Span

LONGEST = 10_000
"""Code points that the tokenizer is given at once, which bounds what it holds in memory."""

BATCH = 64
"""Passages read together."""

CATALOGUE = "resources.json"

_loading = threading.Lock()
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class StanzaSegmenter:
    """Sentences as Stanza's tokenizer for the language finds them in each paragraph; layout as by the rule segmenter.

    In the given language, or in the one that the text is detected to be in; a text in a language that Stanza lacks, or
    in none that is recognised, is read by `RuleSegmenter`. Runs on the CPU, so that results do not depend on the
    machine. Models are looked for where Stanza keeps them (`STANZA_RESOURCES_DIR`) and never fetched. Raises
    EngineRefused, when asked for its id or for sentences, where the package or a model is missing.
    """

    language: str | None = None

    @property
    def id(self) -> str:
        from importlib.metadata import version

        models = _revision(_folder())
        rest = RuleSegmenter(self.language).id
        return f"stanza/1 stanza-{version('stanza')} {models} language={self.language or 'detected'}, else {rest}"

    def sentences(self, text: str) -> tuple[Span, ...]:
        """() for an empty text; a blank text is one span."""
        folder = _folder()
        language = self.language or detect_language(text)
        if self.language is None and language not in _known(folder):
            return RuleSegmenter(language).sentences(text)
        pipeline = _pipeline(str(language), folder)
        return segmented(text, lambda passages: _starts(pipeline, passages), longest=LONGEST)


@segmenters.register("stanza", version=1)
def stanza_segmenter(context: EngineContext, *, language: str | None = None) -> Segmenter:
    """Stanza's tokenizers for 70 languages, chosen by the document's; its models come from its hub."""
    return StanzaSegmenter(language)


def _starts(pipeline: Any, passages: Sequence[str]) -> list[list[int]]:
    """Passages are read together, with the blank line between them that ends a paragraph for Stanza."""
    starts: list[list[int]] = []
    for first in range(0, len(passages), BATCH):
        some = passages[first : first + BATCH]
        with _one_at_a_time:
            read = pipeline.processors["tokenize"].process("\n\n".join(some))
        opening = [sentence.tokens[0].start_char for sentence in read.sentences]
        starts += by_passage(opening, [len(passage) for passage in some], gap=2)
    return starts


def by_passage(offsets: Sequence[int], lengths: Sequence[int], gap: int) -> list[list[int]]:
    """Offsets in passages read together, told apart: those in each, counted from its beginning.

    >>> by_passage([0, 4, 10], [8, 3], gap=2)  # passages at [0, 8) and [10, 13)
    [[0, 4], [0]]
    """
    beginnings = [0, *accumulate(length + gap for length in lengths)][:-1]
    found: list[list[int]] = [[] for _ in lengths]
    for offset in offsets:
        passage = bisect_right(beginnings, offset) - 1
        found[passage].append(offset - beginnings[passage])
    return found


def _folder() -> Path:
    """Where Stanza keeps its models. Raises EngineRefused without the package or any model; loads neither."""
    spec = find_spec("stanza")
    if spec is None or spec.origin is None:
        raise EngineRefused("the segmenter 'stanza' needs its package: run `pip install chunkfit[stanza]`")
    if "STANZA_RESOURCES_DIR" in os.environ:
        folder = Path(os.environ["STANZA_RESOURCES_DIR"])
    else:
        from platformdirs import user_cache_path

        release = runpy.run_path(str(Path(spec.origin).with_name("_version.py")))["__resources_version__"]
        folder = user_cache_path("stanza", "StanfordNLP", release) / "resources"
    if not (folder / CATALOGUE).is_file():
        raise EngineRefused(f"Stanza has no models in {folder}; {_how_to_download('en')}")
    return folder


def _revision(folder: Path) -> str:
    """The catalogue names the models of each language with their checksums."""
    return f"models-{hashlib.sha256((folder / CATALOGUE).read_bytes()).hexdigest()[:12]}"


@cache
def _known(folder: Path) -> frozenset[str]:
    return frozenset(json.loads((folder / CATALOGUE).read_text("utf-8")))


def _pipeline(language: str, folder: Path) -> Any:
    with _loading:  # two threads must not both pay for the model
        return _loaded(language, folder)


@cache
def _loaded(language: str, folder: Path) -> Any:
    import stanza

    try:
        return stanza.Pipeline(
            language,
            dir=str(folder),
            processors="tokenize",
            download_method=None,
            use_gpu=False,
            logging_level="ERROR",
        )
    except (FileNotFoundError, ValueError, KeyError) as error:  # the last two where it does not know the language
        message = f"Stanza has no tokenizer for {language!r} in {folder}; {_how_to_download(language)}"
        raise EngineRefused(message) from error


def _how_to_download(language: str) -> str:
    return (
        f"run `python -c \"import stanza; stanza.download('{language}', processors='tokenize')\"` where the network "
        "allows, or point STANZA_RESOURCES_DIR to a folder of models"
    )
