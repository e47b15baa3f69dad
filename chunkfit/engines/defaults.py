"""The engines of a fresh machine: no GPU, no hub, no key."""

from chunkfit.engines.protocols import CoreferenceResolver, Embedder, Segmenter
from chunkfit.engines.registry import EngineContext, coreferences, embedders, segmenters


@embedders.register("static", version=1)
def static(context: EngineContext) -> Embedder:
    """Static word-piece vectors from the package wordllama."""
    from chunkfit.engines.static import StaticEmbedder

    return StaticEmbedder()


@segmenters.register("rules", version=1)
def rules(context: EngineContext) -> Segmenter:
    """Stops, line layout, and lists of abbreviations by language."""
    from chunkfit.engines.sentences import RuleSegmenter

    return RuleSegmenter()


@coreferences.register("rules", version=1)
def rule_coreference(context: EngineContext) -> CoreferenceResolver:
    """Rules over spaCy's parse, English."""
    from chunkfit.engines.coreference import RuleCoreference

    return RuleCoreference()
