import pytest

from chunkfit.registry import Registry, UnknownPart


@pytest.fixture
def registry():
    registry = Registry("chunker")

    @registry.register("sentence", version=2, cost=1)
    def sentence():
        """Some sentences per chunk.

        More about it.
        """

    return registry


def test_a_part_is_found_by_name_with_version_summary_and_traits(registry):
    part = registry["sentence"]
    assert (part.version, part.summary, part.traits) == (2, "Some sentences per chunk.", {"cost": 1})


def test_a_miss_names_the_nearest_and_all_known(registry):
    with pytest.raises(UnknownPart) as miss:
        registry["sentense"]
    assert str(miss.value) == "Unknown chunker 'sentense'. Did you mean 'sentence'? Known: sentence"


def test_a_name_is_taken_once(registry):
    with pytest.raises(ValueError, match="registered already"):
        registry.register("sentence", version=1)(lambda: None)
