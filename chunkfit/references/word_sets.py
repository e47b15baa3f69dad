"""The word-set IoU of published chunking tutorials: kept to compare with their numbers, not to trust."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkfit.evidence import Evidence
from chunkfit.model import Score
from chunkfit.references.judged import Offsets
from chunkfit.references.model import Reference
from chunkfit.spans import offsets

_WORD = re.compile(r"\S+")
_MOST_CELLS = 4_000_000  # gathered at once: 16 MB

MOST_HELD = 50_000_000
"""Distinct words times reference chunks: 200 MB. A reference of 1,000 chunks may have 50,000 distinct words."""
MOST_WORDS = 10_000_000
"""Words of all chunks, each as often as chunks overlap there: 80 MB an array."""
MOST_PAIRS = 400_000_000
"""Words of all chunks times reference chunks: about a second. The best match may be any chunk, so all are compared."""

_TOO_MANY = Score(None, "too many chunks to compare every set of words with every other")


@dataclass(frozen=True, eq=False)
class Words:
    """The words of a text in order: what stands between blanks, as written."""

    text: str
    starts: Offsets
    ends: Offsets
    numbers: Offsets  # which word it is
    seen_before: Offsets  # where the same word stood last, or -1
    known: dict[str, int]  # word -> its number


@dataclass(frozen=True, eq=False)
class WordSets:
    """The sets of words of one reference's chunks."""

    words: Words
    known: dict[str, int]  # also the words that a reference chunk's edge tears
    holds: NDArray[np.float32]  # [words, reference chunks that have any], 1 where the chunk has the word
    sizes: Offsets  # distinct words of each reference chunk


def words(evidence: Evidence) -> Words:
    text = evidence.document.text
    known: dict[str, int] = {}
    last: dict[int, int] = {}
    starts, ends, numbers, seen = [], [], [], []
    for place, match in enumerate(_WORD.finditer(text)):
        number = known.setdefault(match[0], len(known))
        starts.append(match.start())
        ends.append(match.end())
        numbers.append(number)
        seen.append(last.get(number, -1))
        last[number] = place
    places = np.array([starts, ends, numbers, seen], np.int64)
    return Words(text, places[0], places[1], places[2], places[3], known)


def word_sets(reference: Reference, evidence: Evidence) -> WordSets | None:
    """None where they do not fit into memory."""
    every = evidence.once(words)
    known = dict(every.known)
    chunk, number = _members(*offsets(reference.spans), every, known)
    if len(known) * len(reference.spans) > MOST_HELD:
        return None
    holds = np.zeros((len(known), len(reference.spans)), np.float32)
    holds[number, chunk] = 1
    sizes = np.bincount(chunk, minlength=len(reference.spans))
    return WordSets(every, known, holds[:, sizes > 0], sizes[sizes > 0])


def word_iou(starts: Offsets, ends: Offsets, sets: WordSets | None) -> Score:
    """Mean over reference chunks of the largest Jaccard index of its set of words with that of a chunk.

    |words of r & words of c| / |words of r | words of c| for the best c of each r, plain mean; words are what stands
    between blanks, as written. Chunks are code points of the text. It does not see order, repetition or place: a chunk
    may match a reference chunk from elsewhere, text that no reference chunk wants can be dropped for a better value,
    and more chunks, overlapping in every way, can only raise it. Where a script has no blanks a sentence is one word.
    `span_iou_reference` asks the same question and cannot be had that way. None where the reference has no words, and
    where chunks by the ten thousand would take minutes.
    """
    if sets is None:
        return _TOO_MANY
    if not len(sets.sizes):
        return Score(None, "the reference has no words")
    first, behind = np.searchsorted(sets.words.starts, starts), np.searchsorted(sets.words.ends, ends, side="right")
    if int(np.maximum(behind - first, 0).sum()) > MOST_WORDS:
        return _TOO_MANY
    chunk, number = _members(starts, ends, sets.words, dict(sets.known))
    if len(chunk) * len(sets.sizes) > MOST_PAIRS:
        return _TOO_MANY
    sizes = np.bincount(chunk, minlength=len(starts))
    shared = number < len(sets.holds)  # the others are torn words that no reference chunk has
    return Score(float(_best(chunk[shared], number[shared], sizes, sets).mean()))


def _members(starts: Offsets, ends: Offsets, words: Words, known: dict[str, int]) -> tuple[Offsets, Offsets]:
    """A row per chunk and distinct word in it, in order of the chunks. Torn words get their number in `known`."""
    first = np.searchsorted(words.starts, starts)
    behind = np.searchsorted(words.ends, ends, side="right")
    counts = np.maximum(behind - first, 0)
    chunk = np.repeat(np.arange(len(starts)), counts)
    place = first[chunk] + np.arange(len(chunk)) - np.repeat(np.cumsum(counts) - counts, counts)
    fresh = words.seen_before[place] < first[chunk]
    chunk, number = chunk[fresh], words.numbers[place[fresh]]
    torn = [
        (one, known.setdefault(words.text[start:end], len(known)))
        for edge in (first - 1, behind)
        for one, start, end in _torn(edge, starts, ends, words)
    ]
    opens = np.searchsorted(chunk, np.arange(len(starts) + 1)).tolist()
    new = [(one, part) for one, part in sorted(set(torn)) if part not in number[opens[one] : opens[one + 1]]]
    if not new:
        return chunk, number
    places = [opens[one] for one, _ in new]
    return np.insert(chunk, places, [one for one, _ in new]), np.insert(number, places, [part for _, part in new])


def _torn(word: Offsets, starts: Offsets, ends: Offsets, words: Words) -> list[tuple[int, int, int]]:
    """Chunk, start and end of what chunks hold of the word numbered so in the text, where that is a part of it."""
    among = (word >= 0) & (word < len(words.starts))
    chunk = np.flatnonzero(among)
    begins, closes = words.starts[word[chunk]], words.ends[word[chunk]]
    start, end = np.maximum(begins, starts[chunk]), np.minimum(closes, ends[chunk])
    part = (start < end) & ((start > begins) | (end < closes))
    return list(zip(chunk[part].tolist(), start[part].tolist(), end[part].tolist(), strict=True))


def _best(chunk: Offsets, number: Offsets, sizes: Offsets, sets: WordSets) -> NDArray[np.float64]:
    """The largest Jaccard index of each reference chunk, over slices of chunks that fit into memory."""
    best = np.zeros(len(sets.sizes))
    opens = np.flatnonzero(np.diff(chunk, prepend=-1))
    rows = max(1, _MOST_CELLS // len(sets.sizes))
    start = 0
    while start < len(opens):
        stop = max(start + 1, int(np.searchsorted(opens, opens[start] + rows)))
        end = opens[stop] if stop < len(opens) else len(chunk)
        shared = np.add.reduceat(sets.holds[number[opens[start] : end]], opens[start:stop] - opens[start], axis=0)
        either = sizes[chunk[opens[start:stop]], None] + sets.sizes - shared
        np.maximum(best, (shared / either).max(axis=0), out=best)
        start = stop
    return best
