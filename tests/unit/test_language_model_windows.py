"""Windows over a text that is longer than what a model reads in one go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkfit.engines import EngineContext
from chunkfit.engines.causal import hf
from chunkfit.engines.causal.windows import checked_overlap, windows
from chunkfit.engines.making import engines
from chunkfit.settings import EngineSettings


@pytest.mark.parametrize(
    ("total", "found"),
    [
        (0, []),
        (1, [(0, 1)]),
        (12, [(0, 12)]),
        (13, [(0, 12), (10, 13)]),
        (30, [(0, 12), (10, 22), (20, 30)]),
    ],
)
def test_each_window_opens_with_the_end_of_the_one_before(total, found):
    assert list(windows(total, 12, 2)) == found


@given(st.integers(1, 5000), st.integers(6, 300))
def test_the_most_overlap_allowed_reads_no_token_more_than_1_2_times_on_average(total, window):
    found = list(windows(total, window, window // 6))
    assert (found[0][0], found[-1][1]) == (0, total)
    assert all(last - first <= window for first, last in found)
    assert sum(last - first for first, last in found) <= 1.2 * total


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"window": 5}, "window must be at least 6"),
        ({"window": 0, "overlap": 0}, "window must be at least 6"),
        ({"overlap": -1}, "at most a sixth of window=2048, got -1; try 256"),
        ({"overlap": 2048}, "at most a sixth of window=2048"),
        ({"window": 60, "overlap": 11}, "at most a sixth of window=60, got 11; try 7"),
    ],
)
def test_windows_without_room_are_refused_before_a_model_is_looked_for(settings, told):
    with pytest.raises(ValueError, match=told):
        hf(EngineContext(), model="nowhere", **settings)


@pytest.mark.parametrize("line", ["hf", "server[base_url=http://host/v1]"])
def test_an_engine_without_a_model_says_how_to_name_one(line):
    with pytest.raises(ValueError, match=r"name the language model, as in (hf|server)\[model="):
        engines(EngineSettings(language_model=line))


def test_the_overlap_follows_the_window_where_none_is_given():
    assert checked_overlap(2048, None) == 256
    assert checked_overlap(1024, None) == 128
    assert checked_overlap(1024, 0) == 0


def test_what_changes_a_probability_is_in_the_id():
    lines = [
        "hf[model=a]",
        "hf[model=b]",
        "hf[model=a,revision=r]",
        "hf[model=a,dtype=float32]",
        "hf[model=a,window=1024]",
        "hf[model=a,overlap=128]",
        "server[model=a,base_url=http://host/v1]",
        "server[model=a,base_url=http://other/v1]",
        "server[model=a,base_url=http://host/v1,logprobs=5]",
    ]
    ids = [engines(EngineSettings(language_model=line)).language_model.id for line in lines]
    assert len(set(ids)) == len(lines)
    same = [
        "hf[model=a,device=cuda]",
        "server[model=a,base_url=http://host/v1,key=K,timeout=1,retries=0]",
    ]
    assert [engines(EngineSettings(language_model=line)).language_model.id for line in same] == [ids[0], ids[6]]
