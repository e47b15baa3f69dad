"""The English pronouns that refer back to something named."""

_WORDS = """
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves themself one oneself
"""

PRONOUNS = frozenset(_WORDS.split())

ACRONYMS = frozenset({"US", "IT"})
"""In capitals these are a country and a trade, whatever stands around them."""


def is_pronoun(mention: str) -> bool:
    """Whether a whole mention is a pronoun: "their " and "THEIR" are, "their rights", "US" and "IT" are not."""
    word = mention.strip()
    return word not in ACRONYMS and word.lower() in PRONOUNS
