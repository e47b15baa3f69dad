"""What a stored retrieval depends on (see `chunkfit.keys`)."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from chunkfit.retrieval.index import Retriever
from chunkfit.retrieval.labelled import Labelled
from chunkfit.retrieval.method_retrieval import MethodRetrieval
from chunkfit.storage import Kind


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The questions of a run with their places."""

    labelled: tuple[Labelled, ...]


INQUIRIES = Kind("inquiries", Inquiry)
RETRIEVALS = Kind("retrievals", MethodRetrieval)

RETRIEVING = 1  # raise it when searching or measuring gives other results than before


def inquiry(asked: Inquiry) -> str:
    """The key of the questions: all that they say."""
    facts = [
        [one.text, one.document, [[span.start, span.end] for span in one.references], one.id, one.source]
        for one in asked.labelled
    ]
    return _key("inquiry", facts)


def retrieval(
    chunks: Sequence[str],
    documents: Sequence[str],
    asked: Inquiry,
    retriever: Retriever,
    embedder: str,
    budgets: Sequence[int],
) -> str:
    """Of what a method's chunks bring back. `chunks` are their keys, document by document; `documents` the names.

    Names join in only as the order of the documents: it says which chunk comes first of two with the same score.
    """
    number = {name: at for at, name in enumerate(documents)}
    questions = [
        [one.text, number[one.document], [[span.start, span.end] for span in one.references]] for one in asked.labelled
    ]
    engines = [] if retriever == "lexical" else [embedder]
    return _key("retrieval", RETRIEVING, list(chunks), questions, retriever, engines, list(budgets))


def _key(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
