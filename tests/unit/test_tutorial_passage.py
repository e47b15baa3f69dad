"""What each method makes of a passage as tutorials have it: four sentences on bees, three on bread, four on tides."""

from itertools import pairwise

from fakes.passage import PASSAGE, SENTENCES, SUBJECTS, passage

from chunkfit.chunking import cut_raw

BEES, BREAD, TIDES = ("".join(sentences) for sentences in SUBJECTS.values())


def chunks(line: str) -> list[str]:
    return [span.of(PASSAGE) for span in cut_raw(line, passage()).spans]


def sentences_in(line: str) -> list[int]:
    """How many sentences are in each chunk, where all cuts are between sentences."""
    edges = [0]
    for sentence in SENTENCES:
        edges.append(edges[-1] + len(sentence))
    reached = [0]
    for chunk in chunks(line):
        reached.append(reached[-1] + len(chunk))
    return [edges.index(end) - edges.index(start) for start, end in pairwise(reached)]


def test_the_sentences_are_those_written():
    assert [span.of(PASSAGE) for span in passage().sentences] == list(SENTENCES)
    assert BEES + BREAD + TIDES == PASSAGE


def test_fixed_cuts_wherever_the_tokens_end():
    # 150 tokens: three times 50, and both cuts are within a sentence
    first, second, third = chunks("fixed[size=50]")
    assert first.endswith("A hive can so empty a whole field of nectar in")
    assert second.startswith(" one morning. A loaf begins")
    assert second.endswith("The moon pulls at the")
    assert third.startswith(" sea, and a tide")


def test_fixed_with_a_separator_cuts_behind_sentences():
    # tokens of the sentences: 13 16 14 15 | 15 15 15 17 | 17 13 12; one more would be 73 in the first, 79 in the second
    assert sentences_in('fixed[size=64,separator=". "]') == [4, 4, 3]


def test_recursive_fills_chunks_with_whole_sentences():
    # as above; its separators open the next chunk
    first, second, third = chunks("recursive[size=64]")
    assert first == BEES.removesuffix(". ")
    assert second.startswith(". A loaf begins")
    assert third.startswith(". Twice a day")


def test_sentence_counts_sentences():
    assert sentences_in("sentence") == [5, 5, 1]
    assert sentences_in("sentence[sentences_per_chunk=4]") == [4, 4, 3]


def test_semantic_cuts_where_the_subject_changes():
    # Windows of three sentences hold (3,0,0) (3,0,0) (3,0,0) (2,1,0) | (1,2,0) (0,3,0) (0,2,1) | (0,1,2) (0,0,3) ... of
    # each subject. Cosines: 1; 6/(3·√5) = 0.894 where the first of another subject comes in; 4/5 = 0.8 at the changes.
    # Distances: 0 0 .106 .2 .106 .106 .2 .106 0 0; the 75th percentile is .106, and above it are the changes.
    assert chunks("semantic[breakpoint=percentile,amount=75]") == [BEES, BREAD, TIDES]
    assert chunks("semantic[breakpoint=percentile,chunks=3]") == [BEES, BREAD, TIDES]


def test_semantic_as_the_paper_has_it_cuts_where_the_distance_rises_most():
    # central differences of those distances: 0 .053 .1 0 -.047 .047 0 -.1 -.053 0; the 95th percentile of ten lies
    # between the two largest, .053 and .1, so there is one cut, a sentence before the first change
    assert sentences_in("semantic") == [3, 8]


def test_a_threshold_cuts_between_sentences_without_a_common_subject():
    # alone, sentences have cosine 1 within a subject and 0 across
    assert chunks("semantic_threshold") == [BEES, BREAD, TIDES]


def test_cluster_semantic_puts_each_subject_together():
    # a piece is a sentence, but for the stop that opens the next; pairs of one subject are above the mean, others below
    first, second, third = chunks("cluster_semantic[size=70,piece=17]")
    assert first == BEES.removesuffix(". ")
    assert second == ". " + BREAD.removesuffix(". ")
    assert third == ". " + TIDES


def test_agentic_puts_together_what_the_chat_model_says_belongs_together():
    # the model is shown eleven numbered sentences and names the first on each subject: 1, 5 and 8
    assert chunks("agentic") == [BEES, BREAD, TIDES]


def test_the_whole_document_is_one_chunk():
    assert chunks("whole_document") == [PASSAGE]
