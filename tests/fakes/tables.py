"""Chunks, references and rankings by hand."""

import numpy as np

from chunkfit.retrieval import Chunks, References, Relevance


def chunks(*rows):
    """A row per chunk: start, end, tokens, and the number of its document unless that is 0."""
    starts, ends, tokens, documents = np.array([(*row, 0)[:4] for row in rows], np.int64).reshape(-1, 4).T
    return Chunks(documents, starts, ends, tokens)


def references(*questions):
    """A list of (start, end) per question, with the number of the document unless that is 0."""
    rows = [(number, *(*span, 0)[:3]) for number, spans in enumerate(questions) for span in spans]
    numbers, starts, ends, documents = np.array(rows, np.int64).reshape(-1, 4).T
    return References(len(questions), numbers, documents, starts, ends)


def relevance(rows, *questions):
    return Relevance.of(chunks(*rows), references(*questions))


def rankings(*rows):
    """Shorter rows are filled up with -1."""
    longest = max(map(len, rows))
    return np.array([[*row, *[-1] * (longest - len(row))] for row in rows], np.int64).reshape(len(rows), longest)
