import pytest

from chunkfit.evidence import Evidence
from chunkfit.metrics.reference_chains import reference_chains
from chunkfit.model import Document, Mentions, Score, Span

TEXT = "x" * 100
CHAIN = ((10, 14), (20, 23), (40, 43))  # two links: 10 to 23 and 20 to 43


@pytest.fixture
def known(engines):
    """known(chain, chain, ...) with the spans of each"""

    def make(*chains, text=TEXT, reason=None):
        spans = tuple(tuple(Span(*span) for span in chain) for chain in chains)
        return Evidence(Document("d", text), engines, Mentions("by hand", spans, reason=reason))

    return make


def test_it_is_the_share_of_links_that_some_chunk_holds(known, chunking):
    evidence = known(CHAIN, ((60, 62), (70, 72)))  # three links
    assert reference_chains(chunking((0, 100)), evidence) == Score(1.0)
    assert reference_chains(chunking((0, 30), (30, 100)), evidence).value == pytest.approx(2 / 3)
    assert reference_chains(chunking((0, 15), (15, 65), (65, 100)), evidence).value == pytest.approx(1 / 3)


def test_a_link_is_lost_once_however_many_boundaries_are_in_it(known, chunking):
    cut = chunking((0, 25), (25, 30), (30, 35), (35, 100))
    assert reference_chains(cut, known(CHAIN)) == Score(0.5)


def test_both_mentions_have_to_be_whole(known, chunking):
    assert reference_chains(chunking((10, 23), (23, 100)), known(CHAIN[:2])) == Score(1.0)
    assert reference_chains(chunking((11, 23), (23, 100)), known(CHAIN[:2])) == Score(0.0)
    assert reference_chains(chunking((10, 22), (22, 100)), known(CHAIN[:2])) == Score(0.0)


def test_a_link_leads_to_the_mention_before_and_not_to_the_first(known, chunking):
    # the second chunk holds the second and the third mention, the first chunk the first and the second
    assert reference_chains(chunking((0, 25), (16, 100)), known(CHAIN)) == Score(1.0)


def test_mentions_are_taken_in_order_of_the_text_and_each_once(known, chunking):
    shuffled = (CHAIN[2], CHAIN[0], CHAIN[1], CHAIN[0])
    cut = chunking((0, 30), (30, 100))
    assert reference_chains(cut, known(shuffled)) == reference_chains(cut, known(CHAIN)) == Score(0.5)


def test_a_mention_inside_another_needs_the_whole_of_it(known, chunking):
    nested = ((10, 30), (12, 15))
    assert reference_chains(chunking((0, 20), (20, 100)), known(nested)) == Score(0.0)


def test_dropped_mentions_lose_their_links(known, chunking):
    assert reference_chains(chunking((0, 15), (30, 100)), known(CHAIN)) == Score(0.0)
    assert reference_chains(chunking(), known(CHAIN)) == Score(0.0)


def test_without_a_second_mention_there_is_nothing_to_measure(known, chunking, evidence):
    assert reference_chains(chunking((0, 100)), known(((10, 14),))).reason == "nothing here is mentioned twice"
    assert reference_chains(chunking((0, 100)), known(reason="in French")) == Score(None, "in French")
    assert reference_chains(chunking((0, 100)), evidence(TEXT)) == Score(None, "nobody looked for mentions")


def test_mentions_of_another_text_are_no_score(known, chunking):
    score = reference_chains(chunking((0, 100)), known(((10, 14), (98, 101))))
    assert score == Score(None, "the mentions are of another text: one ends at 101, this text at 100")
