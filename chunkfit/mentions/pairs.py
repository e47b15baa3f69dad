"""From coreference chains to the pairs that a chunk boundary can break."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain as joined

from chunkfit.mentions.pronouns import is_pronoun
from chunkfit.model import Pair, Span


def pairs_of(text: str, chains: Iterable[Sequence[Span]]) -> tuple[Pair, ...]:
    """Each pronoun with the nearest entity mention before it in its chain, in order of the pronouns.

    A pronoun that comes before all entity mentions of its chain ("When it opened, the shop ...") is paired with the
    first of them. A mention that overlaps the pronoun ("its owner") is no antecedent of it. Chains of pronouns only
    give nothing; a pronoun in two chains counts once, with the nearer mention.
    """
    nearest: dict[Span, Pair] = {}
    for chain in chains:
        for pair in _pairs_of_chain(text, chain):
            known = nearest.get(pair.pronoun)
            if known is None or _distance(pair) < _distance(known):
                nearest[pair.pronoun] = pair
    return tuple(nearest[pronoun] for pronoun in sorted(nearest))


def _pairs_of_chain(text: str, chain: Sequence[Span]) -> Iterator[Pair]:
    mentions = sorted(set(chain))
    pronouns = [mention for mention in mentions if is_pronoun(mention.of(text))]
    entities = [mention for mention in mentions if not is_pronoun(mention.of(text))]
    starts = [entity.start for entity in entities]
    for pronoun in pronouns:
        place = bisect_left(starts, pronoun.start)
        by_nearness = (entities[index] for index in joined(range(place - 1, -1, -1), range(place, len(entities))))
        entity = next((entity for entity in by_nearness if not entity.overlaps(pronoun)), None)
        if entity is not None:
            yield Pair(entity, pronoun)


def _distance(pair: Pair) -> int:
    return abs(pair.pronoun.start - pair.entity.start)
