import pytest

from chunkfit.metrics import size_compliance
from chunkfit.model import Score


@pytest.mark.parametrize("metric", [size_compliance.paper, size_compliance.strict])
def test_a_chunk_complies_from_the_smallest_size_to_the_largest(metric, evidence, chunking):
    # "a", " a", ... are one token each: chunks of 1, 2, 3 and 4 tokens
    known = evidence("a a a a a a a a a a")
    cut = chunking((0, 1), (1, 5), (5, 11), (11, 19))
    assert known.tokens.counts([0, 1, 5, 11], [1, 5, 11, 19]).tolist() == [1, 2, 3, 4]
    assert metric(cut, known, min_tokens=2, max_tokens=3) == Score(0.5)


@pytest.mark.parametrize("metric", [size_compliance.paper, size_compliance.strict])
def test_an_empty_chunk_violates(metric, evidence, chunking):
    assert metric(chunking((0, 3), (3, 3)), evidence("a a"), min_tokens=1) == Score(0.5)


def test_only_the_strict_profile_calls_a_chunk_of_blanks_a_violation(evidence, chunking):
    known = evidence("a a" + "\n \n " * 20)
    cut = chunking((0, 3), (3, 83))
    assert size_compliance.paper(cut, known, min_tokens=1) == Score(1.0)
    assert size_compliance.strict(cut, known, min_tokens=1) == Score(0.5)


@pytest.mark.parametrize("metric", [size_compliance.paper, size_compliance.strict])
def test_without_chunks_there_is_nothing_to_measure(metric, evidence, chunking):
    assert metric(chunking(), evidence("a")).value is None
