"""Coreference of a document: from chains to pairs, and mentions that were found elsewhere."""

from chunkfit.mentions.files import read_mentions, require_within, write_mentions
from chunkfit.mentions.pairs import pairs_of
from chunkfit.mentions.pronouns import is_pronoun

__all__ = ["is_pronoun", "pairs_of", "read_mentions", "require_within", "write_mentions"]
