import re
from xml.etree import ElementTree

from chunkfit.reporting.plots import binned, bullet, histogram, share


def rectangles(svg: str) -> list[dict[str, str]]:
    return [dict(element.attrib) for element in ElementTree.fromstring(svg).iter("rect")]


def test_sizes_fall_into_half_open_bins_and_the_last_takes_the_rest():
    # width 50, 3 bins: [0, 50) holds 0 and 49, [50, 100) holds 50, the last 100 and 7000
    assert binned([0, 49, 50, 100, 7000], width=50, bins=3).tolist() == [2, 1, 2]
    assert binned([], width=50, bins=3).tolist() == [0, 0, 0]


def test_a_bullet_shows_the_value_as_a_bar_and_chance_as_a_tick():
    _, value, tick = rectangles(bullet(0.5, 0.25))
    assert (value["class"], value["width"]) == ("value", "36.0")  # half of 72
    assert (tick["class"], tick["x"]) == ("tick", "17.5")  # a quarter of the way of a tick that is 2 wide
    assert len(rectangles(bullet(0.5, None))) == 2


def test_a_share_of_nothing_is_empty():
    assert [one["width"] for one in rectangles(share(1, 4))] == ["120.0", "30.0"]
    assert [one["width"] for one in rectangles(share(0, 0))] == ["120.0", "0.0"]


def test_every_bar_of_a_histogram_says_its_bin_and_count():
    svg = histogram([3, 0, 1], width=50, limits=[100])
    assert re.findall("<title>(.*?)</title>", svg) == ["0 to 49 tokens: 3 chunks", "100 and more tokens: 1 chunk"]
    assert 'aria-label="4 chunks by size in tokens"' in svg


def test_a_limit_stands_at_its_place_on_the_axis():
    svg = ElementTree.fromstring(histogram([1, 1, 1, 1], width=50, limits=[100]))
    limit = next(line for line in svg.iter("line") if line.get("class") == "limit")
    assert limit.get("x1") == "150.0"  # 100 of 200 tokens, on an axis of 300


def test_a_histogram_of_nothing_is_an_axis():
    assert rectangles(histogram([0, 0], width=50, limits=[])) == []
