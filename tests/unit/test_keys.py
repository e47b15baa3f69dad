"""A change of anything that matters changes the keys behind it, and no others."""

from dataclasses import fields, replace

import pytest
from fakes import every_engine

from chunkfit import keys
from chunkfit.chunking import chunkers
from chunkfit.engines import Engines
from chunkfit.evidence import Evidence
from chunkfit.keys import EngineIds, Recipe
from chunkfit.model import Document, Mentions, Pair, Span
from chunkfit.pipeline import methods
from chunkfit.registry import UnknownPart
from chunkfit.settings import ChanceSettings, ParsingLimits, PostprocessRules, SelectionRules, Settings

IDS = EngineIds("vectors/1", "sentences/1", "rules/1")
SETTINGS = Settings(methods=("page", "semantic"))


def keyed(recipe: Recipe, document: str = "d1") -> dict[str, str]:
    mentions = recipe.mentions(document)
    return {
        "mentions": mentions,
        "page chunks": recipe.chunks(document, "page"),
        "semantic chunks": recipe.chunks(document, "semantic"),
        "page score": recipe.scorecard(document, mentions, "page"),
        "semantic score": recipe.scorecard(document, mentions, "semantic"),
        "selection": recipe.selection(document, mentions, recipe.methods),
        "page comparison": recipe.comparison(document, "people's", "page"),
        "similarity": recipe.similarity(document),
    }


def changed(recipe: Recipe, document: str = "d1") -> set[str]:
    before = keyed(Recipe(SETTINGS, IDS))
    return {name for name, key in keyed(recipe, document).items() if key != before[name]}


ALL = set(keyed(Recipe(SETTINGS, IDS)))
SCORES = {"page score", "semantic score", "selection"}
CHUNKS = {"page chunks", "semantic chunks", "page comparison"} | SCORES


def with_(**settings: object) -> Recipe:
    return Recipe(SETTINGS.model_copy(update=settings), IDS)


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (with_(), set()),
        (with_(parsing=ParsingLimits(timeout_seconds=1)), set()),  # decides whether there is a document, not which
        (with_(postprocess=PostprocessRules(min_tokens=50)), CHUNKS),
        (with_(profile="paper"), SCORES),
        (with_(chance=ChanceSettings(seed=1)), {"page comparison"} | SCORES),
        (with_(diagnostics=()), SCORES),
        (with_(selection=SelectionRules(tie_margin=0.1)), {"selection"}),
        (with_(methods=("page", "semantic", "fixed")), {"selection"}),
        (Recipe(SETTINGS, replace(IDS, coreference="rules/2")), {"mentions"} | SCORES),
        (Recipe(SETTINGS, replace(IDS, segmenter="sentences/2")), ALL - {"mentions", "page chunks"}),
        (Recipe(SETTINGS, replace(IDS, embedder="vectors/2")), {"semantic chunks", "similarity"} | SCORES),
        (Recipe(SETTINGS, IDS, scored="raw"), SCORES),
    ],
)
def test_each_setting_and_engine_changes_what_depends_on_it(recipe: Recipe, expected: set[str]) -> None:
    assert changed(recipe) == expected


def test_another_document_shares_nothing() -> None:
    assert changed(Recipe(SETTINGS, IDS), "d2") == ALL


def test_the_same_methods_in_another_order_or_by_default_have_the_same_keys() -> None:
    everything = Recipe(Settings(), IDS)
    named = Recipe(Settings(methods=tuple(reversed(methods(Settings())))), IDS)
    assert keyed(everything) == keyed(named)


def test_what_is_parsed_depends_on_bytes_type_and_parser() -> None:
    assert (
        len({keys.parsed(*facts) for facts in [("a", "b", "c"), ("x", "b", "c"), ("a", "x", "c"), ("a", "b", "x")]})
        == 4
    )


def test_given_mentions_are_known_by_what_they_say() -> None:
    one = Mentions("given", pairs=(Pair(Span(0, 2), Span(5, 7)),))
    same = Mentions("given", pairs=(Pair(Span(0, 2), Span(5, 7)),))
    other = Mentions("given", pairs=(Pair(Span(0, 2), Span(5, 8)),))
    assert keys.content(one) == keys.content(same) != keys.content(other)


def test_an_unknown_method_is_told_before_any_work() -> None:
    with pytest.raises(UnknownPart, match="Did you mean 'page'"):
        _ = with_(methods=("pages",)).methods


class Untold:
    """An engine that a method may not ask, for it does not declare it."""

    id = "untold"

    def __getattr__(self, name: str) -> object:
        raise AssertionError("the chunker asks an engine that is not among its `engines`; its cache key would miss it")


@pytest.mark.parametrize("part", chunkers, ids=lambda part: part.name)
def test_chunkers_ask_only_the_engines_that_join_their_key(part) -> None:
    declared = part.traits.get("engines", ())
    engines = every_engine()
    kinds = [field.name for field in fields(Engines)]
    known = Engines(*(getattr(engines, kind) if kind in declared else Untold() for kind in kinds))
    part.make(Evidence(Document("d", "One tea. Two teas. Three teas. " * 80), known))
