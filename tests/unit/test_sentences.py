"""The rule segmenter: what ends a sentence, what does not, and that it stays fast on hostile text."""

import pytest

from chunkfit.engines.sentences import RuleSegmenter
from chunkfit.model import Span


def sentences(text: str, language: str | None = None) -> list[str]:
    return [span.of(text) for span in RuleSegmenter(language).sentences(text)]


def test_an_empty_text_has_no_sentences():
    assert RuleSegmenter().sentences("") == ()


@pytest.mark.parametrize("text", [" ", "   ", "\n\n", " \t\r\n ", "\u3000", "\f", "\u2029"])
def test_a_blank_text_is_one_span(text):
    assert RuleSegmenter().sentences(text) == (Span(0, len(text)),)


@pytest.mark.parametrize("text", ["Only one.", "Only one", "12 34 56", "...", "x", "He said yes. ''", "-"])
def test_a_single_sentence_stays_whole(text):
    assert sentences(text) == [text]


def test_each_sentence_owns_the_blanks_behind_it_and_the_first_one_those_before_it():
    assert sentences("  End one.  Start two.  Start two. ") == ["  End one.  ", "Start two.  ", "Start two. "]


def test_two_short_sentences_are_two():
    assert sentences("One. Two.") == ["One. ", "Two."]


def test_blank_lines_and_tabs_are_kept_as_they_are():
    assert sentences("One.\n\nTwo.\tThree.") == ["One.\n\n", "Two.\t", "Three."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天下雨。我在家！你呢？", ["今天下雨。", "我在家！", "你呢？"]),
        ("雨が降る。 家にいる！", ["雨が降る。 ", "家にいる！"]),
        ("他说:“好。”我走了。", ["他说:“好。”", "我走了。"]),
        ("今天下雨.我在家!你呢?", ["今天下雨.", "我在家!", "你呢?"]),
        ("今天下雨。It rained. 我在家！OK", ["今天下雨。", "It rained. ", "我在家！", "OK"]),
        ("나는 간다. 너는 온다.", ["나는 간다. ", "너는 온다."]),
        ("مرحبا. كيف حالك؟ جيد.", ["مرحبا. ", "كيف حالك؟ ", "جيد."]),
        ("यह एक है। वह दो है।", ["यह एक है। ", "वह दो है।"]),
        ("Zürich 😀. Next.", ["Zürich 😀. ", "Next."]),
    ],
)
def test_every_script_ends_sentences_its_own_way(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mr. J. R. R. Tolkien at noon.",
        "See Art. 5 and Fig. 3, e.g. the second one, i.e. Sec. IV of vol. 2.",
        "The price rose by 3.5 percent to $12.40 on v1.2.3 at example.com today.",
        "The U.S. Supreme Court ruled at 5 p.m. on Monday.",
        "He waited... and waited.",
        '"Why?" he asked.',
        "3. Scope of this Regulation",
        "Item A. note",
        "A. Scope",
        "Material , tools , etc . , had to be procured .",
    ],
)
def test_stops_inside_an_english_sentence_do_not_end_it(text):
    assert sentences(text, "en") == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He lives in the U.S. The court ruled.", ["He lives in the U.S. ", "The court ruled."]),
        ("Take vitamin C. The end.", ["Take vitamin C. ", "The end."]),
        ("It happened in 2020. We moved.", ["It happened in 2020. ", "We moved."]),
        ("The answer is no. Then he left.", ["The answer is no. ", "Then he left."]),
        ("(See page 3.) The end.", ["(See page 3.) ", "The end."]),
        ('"No." She left.', ['"No." ', "She left."]),
        ("First one.[12] Second one.¹ Third.", ["First one.[12] ", "Second one.¹ ", "Third."]),
        ("**Note.** The rest.", ["**Note.** ", "The rest."]),
        ("What?! Really?? Yes...\nNo.", ["What?! ", "Really?? ", "Yes...\n", "No."]),
        ("hello there. it rains.", ["hello there. ", "it rains."]),
        ("sales rose in 2006. the margin fell.", ["sales rose in 2006. ", "the margin fell."]),
        ("It came to 'new models'.11 In short, no.", ["It came to 'new models'.11 ", "In short, no."]),
        ("Item A. note. Item B. note.", ["Item A. note. ", "Item B. note."]),
    ],
)
def test_stops_at_the_end_of_an_english_sentence_do(text, expected):
    assert sentences(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("M. Dupont arrive. Il part.", "fr", ["M. Dupont arrive. ", "Il part."]),
        ("Voir l'art. 5 et p. 12. Puis rien.", "fr", ["Voir l'art. 5 et p. 12. ", "Puis rien."]),
        ("Il dit : « Oui. » Puis il part.", "fr", ["Il dit : « Oui. » ", "Puis il part."]),
        ("Am 3. März kam Dr. Maier. Er blieb.", "de", ["Am 3. März kam Dr. Maier. ", "Er blieb."]),
        ("»Ja.« »Nein.«", "de", ["»Ja.« ", "»Nein.«"]),
        ("El Sr. Pérez llegó. ¿Quién? Él.", "es", ["El Sr. Pérez llegó. ", "¿Quién? ", "Él."]),
    ],
)
def test_other_languages_have_their_own_abbreviations_and_quotes(text, language, expected):
    assert sentences(text, language) == expected


def test_a_wrapped_sentence_goes_on_over_its_line_breaks():
    wrapped = (
        "It was the best of times, it was the worst of times, it was the age of\n"
        "wisdom, it was the age of foolishness, it was the epoch of belief, it\n"
        "was the epoch of incredulity. It was the season of Light.\n"
    )
    assert [len(sentence.split("\n")) - 1 for sentence in sentences(wrapped)] == [2, 1]


def test_a_line_with_room_for_the_next_word_was_ended_on_purpose():
    text = "Chapter One\nIt was a bright cold day in April, and the clocks were striking thirteen"
    assert sentences(text) == ["Chapter One\n", text[12:]]


def test_headings_list_items_and_table_rows_stand_alone():
    text = (
        "# Title\nText here\n- item one\n- item two\n1. first\n(a) second\n| a | b |\n|---|---|\n| 1. A | 2 |\nafter it"
    )
    assert sentences(text) == [line + "\n" for line in text.split("\n")[:-1]] + ["after it"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\u2028"])
def test_stops_inside_a_table_row_or_a_heading_do_not_cut_it(line_end):
    lines = [
        "| He left. She came. | Yes! No. |",
        "| 今天下雨。我在家！ | b |",
        "## Scope. Terms used",
        "Then. ",
        "Now.",
    ]
    assert sentences(line_end.join(lines)) == [line + line_end for line in lines[:-1]] + ["Now."]


def test_a_bar_alone_makes_no_table_row():
    assert sentences("|x| is a size. It is not below 0.") == ["|x| is a size. ", "It is not below 0."]


def test_a_page_break_inside_a_sentence_does_not_end_it():
    assert sentences("The pump runs\n\fevery day. Fine.") == ["The pump runs\n\fevery day. ", "Fine."]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\v", "\x85", "\u2028"])
def test_every_kind_of_line_break_counts_once(line_end):
    text = f"Alpha{line_end}Beta{line_end}{line_end}gamma"
    assert sentences(text) == [f"Alpha{line_end}", f"Beta{line_end}{line_end}", "gamma"]


def test_no_boundary_falls_inside_a_crlf_or_a_grapheme():
    assert sentences("a\r\nb\r\n\r\nc") == ["a\r\nb\r\n\r\n", "c"]
    assert sentences("End. \u0301Next. Last") == ["End. \u0301Next. ", "Last"]


def test_decomposed_letters_keep_their_offsets():
    text = "Un cafe\u0301.     Un the\u0301. Fin"
    assert sentences(text) == ["Un cafe\u0301.     ", "Un the\u0301. ", "Fin"]


HOSTILE = {
    "one long word": "a" * 100_000,
    "quotes then a long word": " " + "'" * 30 + "B" * 1_000_000,
    "very many sentences": "S. " * 10_000,
    "one long line": "word " * 200_000,
    "stops only": "." * 200_000,
    "stops and quotes": ".'" * 100_000,
    "blanks": "a." + " " * 1_000_000 + "b",
    "line breaks": "\r\n" * 200_000,
    "short lines": "x\n" * 50_000,
    "hashes": "#" * 500_000,
    "combining marks": "a." + " \u0301" * 100_000,
}


@pytest.mark.timeout(30)  # each takes a second at most; what is worse than linear takes minutes
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_comes_to_an_end(name):
    text = HOSTILE[name]
    segmenter = RuleSegmenter()
    segmenter.sentences("Warm up: the language detector loads once.")
    spans = segmenter.sentences(text)
    assert "".join(span.of(text) for span in spans) == text


def test_ten_thousand_short_sentences_are_counted_one_by_one():
    assert len(RuleSegmenter().sentences("S. " * 10_000)) == 10_000


def test_the_id_names_what_decides_the_boundaries():
    assert "pysbd" in RuleSegmenter().id
    assert RuleSegmenter("fr").id != RuleSegmenter("en").id
