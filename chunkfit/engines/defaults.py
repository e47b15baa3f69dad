"""The engines of a fresh machine: no GPU, no hub, no key."""

from functools import cache

from chunkfit.engines.protocols import Engines


@cache
def default_engines() -> Engines:
    """Static vectors, sentences and coreference (English) by rule; made once, each loads what it needs when asked."""
    from chunkfit.engines.coreference import RuleCoreference
    from chunkfit.engines.sentences import RuleSegmenter
    from chunkfit.engines.static import StaticEmbedder

    return Engines(StaticEmbedder(), RuleSegmenter(), RuleCoreference())
