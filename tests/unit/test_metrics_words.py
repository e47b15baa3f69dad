from chunkfit.metrics.words import words


def test_marks_belong_to_their_word_and_unspaced_scripts_count_by_the_letter(evidence):
    assert words(evidence("Cafe\u0301 हिन्दी a1 — 今天 ชา \ud800 x")).vocabulary == (
        "cafe\u0301",
        "हिन्दी",
        "a1",
        "今",
        "天",
        "ช",
        "า",
        "x",
    )


def test_words_are_where_the_text_has_them_though_lower_case_is_longer(evidence):
    known = words(evidence("İİ tea Tea"))
    assert known.starts.tolist() == [0, 3, 7]
    assert known.numbers.tolist() == [0, 1, 1]
