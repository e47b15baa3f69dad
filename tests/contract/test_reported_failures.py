"""Texts and settings that splitters are reported to lose, shift, repeat or never finish: here each must be right."""

from functools import partial
from itertools import pairwise

import pytest
import regex
from fakes import every_engine

from chunkfit.chunking import chunkers
from chunkfit.chunking.cluster_semantic import cluster_semantic
from chunkfit.chunking.fixed import fixed
from chunkfit.chunking.fixed_tokens import fixed_tokens
from chunkfit.chunking.langchain import langchain
from chunkfit.chunking.recursive import recursive, split_recursively
from chunkfit.chunking.semantic import semantic
from chunkfit.chunking.semantic_threshold import semantic_threshold
from chunkfit.chunking.sentence import sentence
from chunkfit.chunking.separators import PAPER, before
from chunkfit.chunking.sizes import oversize_flags
from chunkfit.chunking.whole_document import whole_document
from chunkfit.evidence import Evidence
from chunkfit.model import Chunking, Document, Span
from chunkfit.pipeline import chunk, evaluate
from chunkfit.postprocessing import postprocess
from chunkfit.settings import ChanceSettings, PostprocessRules, Settings
from chunkfit.spans import gaps, shared

ENGINES = every_engine()
FEW = Settings(chance=ChanceSettings(draws=2))

TEXTS = {
    "the same word twice": "tick tick",
    "a phrase that comes again": "Item A. note. Item B. note. Item C. note.",
    "a separator with blanks around it": "red ;  green;blue",
    "two blanks between sentences": "End one.  Start two.  Start two.",
    "other blanks between sentences": "One.\n\nTwo.\tThree.",
    "a letter of two bytes before the cut": 'x = "é"\ny = 1\nz = 2',
    "a letter of four bytes before the cut": "Zürich 😀. Next.",
    "six words": "aa bb cc dd ee ff",
    "Korean": "나는 간다. 너는 온다.",
    "one long word": "a" * 2000,
    "one long sentence": "This is " + "far and " * 30 + "away.",
    "a short and a long sentence": "Short one. This sentence is far longer than ten.",
    "a sentence near the limit": "The old red mill by the river grinds no more corn for us. Next one here.",
    "no stop": "w " * 30,
    "a long word before short ones": "averyveryverylongword a b c d",
    "a greeting and a long sentence": "Hi. " + "word " * 400,
    "a rule between paragraphs": "a\n\n***\n\nb",
    "four short sentences": "Ann ate. Bob ran. Cy sat. Di left.",
    "blank lines, tabs and code": "# T\n\n\n\ta\n\n```\nx = 1\n```\n",
    "indentation": "if x:\n    y = 1\n    return y",
    "long lines below heads": "Head\n" + "long line " * 12 + "\n\nNext\n" + "long line " * 12,
    "no separator": "qrstuvwxyz",
    "separators with groups": "join these words now",
    "special tokens": "x <|endoftext|> y <|im_start|> z <s> [SEP]",
    "letters of several tokens": "𓀀𓀁𓀂",
    "emoji with modifiers": "👍🏽👨\u200d👩\u200d👧🇫🇷🇩🇪" * 5,
    "Chinese": "今天下雨。我在家！你呢？" * 20,
    "Thai without blanks": "ภาษาไทยไม่เว้นวรรค" * 10,
    "Hindi": "क्षत्रिय " * 10,
    "letters as jamo": "\u1112\u1161\u11ab" * 20,
    "line ends of two characters": "a\r\nb\r\n\r\nc",
    "line ends of old": "a\rb\r\rc",
    "line and paragraph separators": "a\u2028b\u2029c\x85d\fe",
    "a letter and its accent": "cafe\u0301 x     y",
    "right to left": "\u200fשלום עולם\u200e 12 (مرحبا)",
    "letters that change length in lower case": "İstanbul ß straße ",
    "halves of letters": "\ud800 x \udc00",
    "a byte-order mark": "\ufeffabc \ufeff",
    "three headings, the last with little": "# A\nsome text here\n# B\nsome text here\n# C\nx",
    "indented words": "  indented   words " * 12,
    "a table": "Table 1: x\n| A | B |\n|---|---|\n" + "| one. Two. | 3 |\n" * 8,
    "blank lines": "\n" * 50,
    "stops": ". . . . ",
    "nothing": "",
    "blanks": "   ",
}


def by_separators(evidence: Evidence, *, size: int, **settings) -> Chunking:
    """Recursive splitting by separators of one's own, which a line of settings cannot give."""
    whole = Span(0, len(evidence.document.text))
    spans = split_recursively(evidence.tokens, whole, size, **settings)
    return Chunking("recursive", spans, overlap=shared(spans), flags=oversize_flags(evidence.tokens, spans, size))


IN_CODE_POINTS = {"separators": (before("\n\n"), before(" ")), "sizes": lambda a, b: b - a, "unit": "code points"}
WAYS = {
    "fixed of 4": partial(fixed, size=4),
    "fixed of 20 with 19 shared": partial(fixed, size=20, overlap=19),
    "recursive of 1": partial(recursive, size=1, shortest=1),
    "recursive of 4 with 3 shared": partial(recursive, size=4, overlap=3, shortest=1),
    "recursive of 20 with 5 shared": partial(recursive, size=20, overlap=5),
    "recursive at a separator of many characters": partial(
        by_separators, size=5, shortest=1, separators=(before(r"\s*;\s*"), before(r"(?=\b)"))
    ),
    "recursive without separators": partial(by_separators, size=4, overlap=1, separators=()),
    "langchain of 8 characters with 7 shared": partial(langchain, method="x", limit=8, overlap=7, **IN_CODE_POINTS),
    "sentence by sentence": partial(sentence, sentences_per_chunk=1),
    "fixed of 4 behind blank lines": partial(fixed, size=4, separator="\n\n"),
    "fixed of 10 with 4 shared behind blanks": partial(fixed, size=10, overlap=4, separator=" "),
    "fixed of 20 with 5 shared behind stops": partial(fixed, size=20, overlap=5, separator=". "),
    "fixed_tokens of 2": partial(fixed_tokens, size=2),
    "fixed_tokens of 20 with 19 shared": partial(fixed_tokens, size=20, overlap=19),
    "semantic by percentile": partial(semantic, breakpoint="percentile", amount=0),
    "semantic by deviation": partial(semantic, breakpoint="standard_deviation", amount=0, buffer=0),
    "semantic by quartiles": partial(semantic, breakpoint="interquartile", amount=0, windows="langchain"),
    "semantic by gradient": partial(semantic, breakpoint="gradient", amount=50, buffer=2),
    "semantic of 2 chunks": partial(semantic, chunks=2),
    "semantic of 4 at most": partial(semantic, amount=50, size=4),
    "semantic of 5 to 20": partial(semantic, amount=50, min_size=5, size=20),
    "semantic_threshold of 1": partial(semantic_threshold, threshold=1),
    "semantic_threshold of 10 at most": partial(semantic_threshold, threshold=0.5, size=10),
    "cluster_semantic of 4": partial(cluster_semantic, size=4),
    "cluster_semantic of 20": partial(cluster_semantic, size=20, piece=5),
    "whole_document": whole_document,
}
LIMITS = {
    "fixed of 4": 4,
    "fixed of 20 with 19 shared": 20,
    "recursive of 1": 1,
    "recursive of 4 with 3 shared": 4,
    "recursive of 20 with 5 shared": 20,
    "recursive at a separator of many characters": 5,
    "recursive without separators": 4,
    "fixed of 4 behind blank lines": 4,
    "fixed of 10 with 4 shared behind blanks": 10,
    "fixed of 20 with 5 shared behind stops": 20,
    "fixed_tokens of 2": 2,
    "fixed_tokens of 20 with 19 shared": 20,
    "semantic of 4 at most": 4,
    "semantic of 5 to 20": 20,
    "semantic_threshold of 10 at most": 10,
    "cluster_semantic of 4": 4,
    "cluster_semantic of 20": 20,
}


def known(text: str) -> Evidence:
    return Evidence(Document("text", text), ENGINES)


def slices(text, chunking):
    return [span.of(text) for span in chunking.spans]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_nothing_is_lost_shifted_repeated_or_torn(text, way):
    evidence = known(text)
    chunking = WAYS[way](evidence)
    assert gaps(chunking.spans, len(text)) == ()
    assert bool(chunking.spans) == bool(text)
    for first, second in pairwise(chunking.spans):
        assert first.start < second.start
        assert first.end < second.end
    graphemes = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert {edge for span in chunking.spans for edge in (span.start, span.end)} <= graphemes
    flagged = {flag.chunk_index for flag in chunking.flags if "above" in flag.reason}
    for index, part in enumerate(slices(text, chunking)):
        assert way not in LIMITS or index in flagged or known(part).tokens.total <= LIMITS[way]


def test_an_even_text_is_bounded_whatever_the_method():
    text = "The pump runs. " * 2000
    for method in chunkers.names():
        for one in chunk(Document("pump", text), method, engines=ENGINES):
            assert one.tokens <= 1150


def test_words_without_a_stop_are_bounded():
    text = "word " * 3000
    assert {len(part.split()) for part in slices(text, fixed(known(text), size=512))} == {512, 440}
    assert all(part.tokens <= 1150 for part in chunk(Document("d", text), "sentence", engines=ENGINES))


def test_a_sentence_over_the_limit_is_continued_once():
    text = " ".join(f"w{number}" for number in range(60)) + "."
    chunking = recursive(known(text), size=20)
    assert "".join(slices(text, chunking)) == text
    # with overlap each chunk opens with what closes the one before, and then goes on behind it
    for first, second in pairwise(recursive(known(text), size=20, overlap=4).spans):
        assert first.start < second.start <= first.end < second.end


def test_a_full_stop_stays_with_its_sentence():
    text = "A b. C d. E f."
    assert slices(text, sentence(known(text), sentences_per_chunk=1)) == ["A b. ", "C d. ", "E f."]


def test_a_table_is_cut_between_its_rows():
    rows = ["| A | B |", "| --- | --- |", *(f"| Row {n}. It is here. | Yes! No. |" for n in range(12))]
    text = "".join(f"{row}\n" for row in rows)
    starts = {0} | {i + 1 for i, character in enumerate(text) if character == "\n"}
    for way in (
        partial(recursive, size=40),
        partial(
            langchain, method="x", limit=120, overlap=0, separators=PAPER, sizes=lambda a, b: b - a, unit="code points"
        ),
        partial(sentence, sentences_per_chunk=2),
        partial(semantic, breakpoint="percentile", amount=50),
    ):
        chunking = way(known(text))
        assert {span.start for span in chunking.spans if text[span.start] != "\n"} <= starts
        assert {text[span.start] for span in chunking.spans} <= {"|", "\n"}
        assert len(chunking) > 1 or way.func is semantic


def test_a_heading_stays_with_the_text_below_it():
    text = "# First\n" + "some text here. " * 10 + "\n# Second\n" + "more text here. " * 10
    first, second = slices(text, recursive(known(text), size=60))
    assert first.startswith("# First\nsome")
    assert second.startswith("# Second\nmore")


@pytest.mark.slow
def test_documents_in_any_language_or_none_leave_each_other_alone():
    texts = {
        "French": "Il pleut sur la ville. Elle dort et il la regarde. " * 30,
        "digits": "12 34 56",
        "English": "Ann has a boat. She sails it every day, and it carries her home. " * 30,
        "lines without headings": "one\ntwo\nthree",
        "tokenised quotes": "He said yes . ''",
        "a special token": "x <|endoftext|> y",
        "one word": "word",
    }
    alone = {name: evaluate(Document(name, text), FEW) for name, text in texts.items()}
    again = {name: evaluate(Document(name, text), FEW) for name, text in reversed(texts.items())}
    for name, text in texts.items():
        assert alone[name].selection == again[name].selection
        assert alone[name].scorecards == again[name].scorecards
        assert "".join(one.text for one in alone[name].chunks("recursive_600")) == text
        assert alone[name].selection.best is not None
    reasons = {name: alone[name].mentions.reason for name in texts}
    assert "French" in str(reasons["French"])
    assert reasons["digits"] is not None
    assert reasons["English"] is None


@pytest.mark.slow
@pytest.mark.parametrize("text", [" " + "'" * 30 + "B" * 300_000, "\n" * 100_000, "# H\n" * 5_000, "- item\n" * 20_000])
def test_hostile_documents_are_cut_by_every_method(text):
    evidence = known(text)
    for part in chunkers:
        final = postprocess(part.make(evidence), evidence, PostprocessRules())[-1]
        assert gaps(final.spans, len(text)) == ()


def test_a_separator_that_never_occurs_keeps_the_limit_and_the_overlap():
    assert [
        known(part).tokens.total for part in slices("w " * 30, fixed(known("w " * 30), size=10, separator="\n\n"))
    ] == [
        10,
        10,
        10,
        1,
    ]
    text = "qrstuvwxyz" * 9
    plain = fixed_tokens(known(text), size=4, overlap=1)
    assert fixed(known(text), size=4, overlap=1, separator="\n\n").spans == plain.spans
    assert plain.overlap > 0


def test_short_words_behind_a_long_one_stay_together():
    text = "averyveryverylongword a b c d"
    for way in (fixed, fixed_tokens, partial(fixed, separator=" ")):
        assert len(way(known(text), size=6)) == 2


@pytest.mark.parametrize("way", ["percentile", "standard_deviation", "interquartile", "gradient"])
def test_one_sentence_is_one_chunk_by_every_breakpoint(way):
    assert slices("Only one.", semantic(known("Only one."), breakpoint=way)) == ["Only one."]
    assert slices("One. Two.", semantic(known("One. Two."), breakpoint=way, chunks=2)) == ["One. ", "Two."]


def test_an_even_text_is_bounded_by_the_methods_own_size():
    text = "The pump runs. " * 2000
    for way in (
        partial(semantic, size=400),
        partial(semantic, size=400, min_size=50),
        partial(semantic_threshold, size=400),
        cluster_semantic,
    ):
        sizes = [known(part).tokens.total for part in slices(text, way(known(text)))]
        assert max(sizes) <= 400
        assert len(sizes) < 40  # of 8000 tokens, so at least half full on average


def test_a_change_behind_the_first_of_three_sentences_is_found():
    text = "Cats sleep. Taxes rise on income and on land. Taxes rise on income and on trade."
    for way in ("percentile", "interquartile", "standard_deviation"):
        cut = semantic(known(text), breakpoint=way, amount=50 if way == "percentile" else 0)
        assert slices(text, cut) == [
            "Cats sleep. ",
            "Taxes rise on income and on land. Taxes rise on income and on trade.",
        ]


@pytest.mark.parametrize("limit", [0, -1])
@pytest.mark.parametrize("way", [fixed, fixed_tokens, semantic, semantic_threshold, cluster_semantic, recursive])
def test_a_size_without_room_is_refused_before_work_starts(way, limit):
    with pytest.raises(ValueError, match=f"size must be at least 1.*{limit}"):
        way(Evidence(Document("unread", ""), engines=None), size=limit)


@pytest.mark.parametrize("way", [fixed, fixed_tokens, recursive])
def test_an_overlap_of_the_whole_size_is_refused(way):
    with pytest.raises(ValueError, match="overlap must be at least 0 and below size=4, got 4"):
        way(Evidence(Document("unread", ""), engines=None), size=4, overlap=4)


def test_settings_of_one_call_do_not_reach_the_next():
    short, long = known("Ten words are here. " * 2), known("A tide rises. Bread is baked. " * 50)
    fresh = [way(long) for way in WAYS.values()]
    for way in WAYS.values():
        way(short)
    assert [way(long) for way in WAYS.values()] == fresh
