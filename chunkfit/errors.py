"""The three meanings of failure. Anything that is none of them is a bug and stops loudly."""


class BadDocument(Exception):  # noqa: N818 - says what it is, not that it is an error
    """This document cannot be used. The run goes on; the message becomes the reason in the table of failures."""


class EngineUnavailable(Exception):  # noqa: N818
    """A model, server or child process is missing or busy now; the same call may succeed later."""


class EngineRefused(EngineUnavailable):
    """It stays away until someone changes something: a key, the name of a model. Trying again does not help."""


class BudgetSpent(EngineRefused):
    """The run may ask its chat model no more; a run with a larger budget goes on."""


class MethodFailed(Exception):  # noqa: N818
    """One chunking method cannot handle one document. It is disqualified there; the other methods still compete."""
